//go:build unix

package session

import (
	"os"
	"path/filepath"
)

// makeLink makes a link that leads to a file, which is named as seen from the link.
func makeLink(name, to string) error { return os.Symlink(to, name) }

// followLink returns what a link leads to.
func followLink(name string) (string, error) { return filepath.EvalSymlinks(name) }
