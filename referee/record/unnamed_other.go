//go:build !windows

package record

import (
	"errors"
	"os"
)

// unnamedFile makes a file in a folder of which nothing is left when it is closed.
func unnamedFile(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "spool-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
