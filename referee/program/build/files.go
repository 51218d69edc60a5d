package build

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// File is a file that a bot is made of.
type File struct {
	Name string      `json:"name"` // relative to its folder, with slashes
	Mode fs.FileMode `json:"mode"`
	Data []byte      `json:"data"`
}

// ReadFiles reads the file or the folder that a bot is made of. The sum is Program.Source
// of a program made of it. Keep, if not nil, says what of a folder is read, by its name,
// which for a folder ends in a slash.
func ReadFiles(ctx context.Context, path string, keep func(name string) bool) (list []File, folder bool, sum string, err error) {
	s, err := Await(ctx, func() (source, error) { return readSource(ctx, path, keep) })
	return s.files, !s.isFile, s.digest(), err
}

// WriteFiles writes files below a folder, which it makes. No process is forked meanwhile: a
// file that a child holds open for writing could not be executed.
func WriteFiles(dir string, files []File) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		name := filepath.FromSlash(f.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, f.Data, 0o644|f.Mode&0o111); err != nil {
			return err
		}
	}
	return nil
}
