package external

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"umpire/referee/program/build"
)

// viewerFile is the page of a folder that shows a position in its author's own way.
const viewerFile = "viewer.html"

// maxViewer is the most bytes that it may have.
const maxViewer = 4 << 20

// Viewer returns the folder's viewer.html; nil if it has none.
func (f *Folder) Viewer(ctx context.Context) ([]byte, error) {
	text, err := build.ReadFile(ctx, filepath.Join(f.Dir, viewerFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && len(text) > maxViewer:
		err = fmt.Errorf("%s: found %d bytes, expected at most %d MiB", filepath.Join(f.Dir, viewerFile), len(text), maxViewer>>20)
	}
	return text, err
}
