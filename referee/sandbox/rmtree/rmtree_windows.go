package rmtree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Remove removes a folder and everything in it, or a file. What is gone already
// is no error. It asks for each file by its path, which Wine can do, too.
func Remove(path string) error {
	err := os.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	list, _ := os.ReadDir(path)
	if len(list) == 0 {
		return err
	}
	for _, entry := range list {
		if err := Remove(filepath.Join(path, entry.Name())); err != nil {
			return err
		}
	}
	return os.Remove(path)
}
