package session

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// replaceLink makes a name that of another file, too: not everybody may make links
// that lead elsewhere here.
func replaceLink(name, to string) error {
	folder := filepath.Dir(name)
	temp := filepath.Join(folder, ".umpire-"+rand.Text())
	if err := os.Link(filepath.Join(folder, to), temp); err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

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
