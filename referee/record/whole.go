package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"umpire/referee/filelock"
)

// openAlone opens a file to which no other process may write meanwhile.
func openAlone(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|flag, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("%s: found a device or a pipe, expected a file", path)
	}
	if locked, err := filelock.Try(f); !locked && err == nil || !isAt(f, path) {
		f.Close()
		return nil, fmt.Errorf("%s: another umpire is writing to it", path)
	}
	return f, nil
}

// closeBeforeChange closes a file from openAlone whose path is about to be removed or to
// get another file, where that needs it: Windows removes and replaces no open file, and so
// none that another process has opened in between. Elsewhere the file stays open, and with it
// the lock, until that is done.
func closeBeforeChange(f *os.File) error {
	if runtime.GOOS == "windows" {
		return f.Close()
	}
	return nil
}

// isAt reports whether a path still leads to an open file: it does not if another
// process has replaced the file before it was locked.
func isAt(f *os.File, path string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(here, there)
}

// partOf returns where writeWhole makes a file.
func partOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
}

// writeWhole makes a file that appears when it is whole. What an earlier attempt
// has left, which was killed, is overwritten.
func writeWhole(path string, mode fs.FileMode, write func(*os.File) error) error {
	part := partOf(path)
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
	}
	return err
}
