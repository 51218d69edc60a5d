package userfile

import (
	"os"
	"path/filepath"
)

// openFolder opens a file that stands for a folder, as folders can't be locked.
func openFolder(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, ".umpire-lock"), os.O_RDWR|os.O_CREATE, 0o600)
}
