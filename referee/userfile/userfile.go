// Package userfile changes files of a user that several umpires may read and write at
// the same time.
package userfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"umpire/referee/filelock"
)

// Replace gives a file new contents, and the permissions of perm that the umask leaves.
// Whoever opens it finds the old or the new contents, never a part, also after a crash. What
// is no file, as a device, is not replaced.
func Replace(name string, contents []byte, perm fs.FileMode) error {
	return ReplaceBy(name, perm, func(w io.Writer) error {
		_, err := w.Write(contents)
		return err
	})
}

// ReplaceBy is Replace with the contents that write writes.
func ReplaceBy(name string, perm fs.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "replace", Path: name, Err: errors.New("it is not a file")}
	}
	return Swap(name, func(temp string) error {
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Sync(), f.Close())
	})
}

// Swap puts in the place of a file, or of a link, what create makes with a temporary name beside it.
func Swap(name string, create func(temp string) error) error {
	temp := filepath.Join(filepath.Dir(name), ".umpire-"+rand.Text())
	err := create(temp)
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

// TryWrite returns why nothing can be written to a folder, which is made if it is not there: as much as
// programs and their files may need.
func TryWrite(dir string) error {
	const enough = 1 << 20 // bytes
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "try-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, enough))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// Lock keeps other umpires from changing a file until unlock is called, as what they have
// written since it was read would be lost. Its folder is locked, since the file itself is
// replaced. Not every file system has locks; where there are none, it does nothing.
func Lock(name string) (unlock func(), err error) {
	f, err := openFolder(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(f); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.ENOLCK) {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return func() { f.Close() }, nil
}
