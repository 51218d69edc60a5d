package problem

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"umpire/referee/program"
	"umpire/referee/program/build"
)

// maxIncluded is how many bytes the files may have that are put beside a source.
const maxIncluded = 16 << 20

// MakeWith has submissions, also those that the problem brings along, made with what it puts
// beside their sources. None may read its folder by chance.
func (p *Problem) MakeWith(ctx context.Context, r *program.Resolver) (err error) {
	r.Own, r.Private = p.Bots(), append(slices.Clone(r.Private), p.Dir)
	r.Stub, r.FileName, r.Suffixes = p.Stub, p.FileName, p.Suffixes
	r.Include, err = p.readIncluded(ctx)
	return err
}

// readIncluded reads the files that are put beside the sources of submissions, by the
// suffix of their language.
func (p *Problem) readIncluded(ctx context.Context) (map[string][]build.File, error) {
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files := make(map[string][]build.File)
	left := int64(maxIncluded)
	for suffix, list := range p.Include {
		for _, one := range list {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			text, mode, err := readIn(root, one.File, &left)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(p.Dir, filepath.FromSlash(one.File)), err)
			}
			files[suffix] = append(files[suffix], build.File{Name: one.Name, Mode: mode, Data: text})
		}
	}
	return files, nil
}

// readIn reads a regular file of at most left bytes.
func readIn(root *os.Root, name string, left *int64) ([]byte, fs.FileMode, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > *left {
		return nil, 0, fmt.Errorf("expected a file, and at most %d MiB of all together", maxIncluded>>20)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, *left))
	*left -= int64(len(text))
	return text, 0o644 | info.Mode()&0o111, err
}
