package session

import (
	"errors"
	"os"
	"path/filepath"
)

// makeLink makes a name that of another file, too: not everybody may make links that lead
// elsewhere here.
func makeLink(name, to string) error { return os.Link(filepath.Join(filepath.Dir(name), to), name) }

// followLink returns the other name, in a test's folder, of a file.
func followLink(name string) (string, error) {
	file, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	records, err := filepath.Glob(filepath.Join(filepath.Dir(name), testsFolder, "*", recordsFile))
	for _, path := range records {
		if other, err := os.Stat(path); err == nil && os.SameFile(file, other) {
			return path, nil
		}
	}
	return "", errors.Join(err, &os.PathError{Op: "follow", Path: name, Err: os.ErrNotExist})
}
