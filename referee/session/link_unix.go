//go:build unix

package session

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// replaceLink makes a link lead elsewhere. Whoever follows it gets to the old or
// the new end.
func replaceLink(name, to string) error {
	temp := filepath.Join(filepath.Dir(name), ".umpire-"+rand.Text())
	if err := os.Symlink(to, temp); err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// followLink returns what a link leads to.
func followLink(name string) (string, error) { return filepath.EvalSymlinks(name) }
