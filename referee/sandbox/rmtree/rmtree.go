//go:build linux

// Package rmtree removes folders that somebody else has filled: locked up,
// nested deeper than a path can name, or deeper than files can be open. It
// knows nothing of what lies in them.
package rmtree

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Remove removes a folder and everything in it, or a file. It follows no link.
// What is gone already is no error. Nothing may be writing there meanwhile.
func Remove(path string) error {
	if err := os.Remove(path); err == nil || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := empty(path); err != nil {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return os.Remove(path)
}

// empty empties a folder. Each folder in it hands its own folders up, so that
// none is ever more than one level deep: neither paths nor open files grow
// with the depth.
func empty(path string) error {
	if err := unix.Fchmodat(unix.AT_FDCWD, path, 0o700, unix.AT_SYMLINK_NOFOLLOW); err != nil && err != unix.EOPNOTSUPP {
		return err
	}
	top, err := open(unix.AT_FDCWD, path)
	if err != nil {
		return err
	}
	defer top.Close()
	e := emptier{top: top}
	for {
		// What was handed up stands anywhere in the list: read it again until
		// there is nothing.
		left, err := e.each(top, func(name string) error { return e.open(name) })
		if err != nil || !left {
			return err
		}
		if _, err := top.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
}

// emptier is the emptying of one folder.
type emptier struct {
	top   *os.File
	moved uint64 // folders that were handed up
}

// each removes all files of a folder, and calls a function for each folder in
// it. It reports whether there was anything.
func (e *emptier) each(dir *os.File, folder func(name string) error) (found bool, err error) {
	fd := int(dir.Fd())
	for {
		names, err := dir.Readdirnames(1024)
		for _, name := range names {
			found = true
			err := unix.Unlinkat(fd, name, 0)
			if err == unix.EISDIR || err == unix.EPERM {
				err = folder(name)
			}
			if err != nil && err != unix.ENOENT {
				return found, err
			}
		}
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
	}
}

// open removes a folder of the top one, whose own folders it hands up.
func (e *emptier) open(name string) error {
	top := int(e.top.Fd())
	err := unix.Unlinkat(top, name, unix.AT_REMOVEDIR)
	if err != unix.ENOTEMPTY && err != unix.EEXIST && err != unix.EACCES {
		return err
	}
	dir, err := open(top, name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := e.each(dir, func(inner string) error { return e.handUp(dir, inner) }); err != nil {
		return err
	}
	return unix.Unlinkat(top, name, unix.AT_REMOVEDIR)
}

// handUp moves a folder into the top one, or removes it if it is empty.
func (e *emptier) handUp(dir *os.File, name string) error {
	from := int(dir.Fd())
	if err := unix.Unlinkat(from, name, unix.AT_REMOVEDIR); err == nil {
		return nil
	}
	// To be moved, a folder must be writable itself.
	_ = unix.Fchmodat(from, name, 0o700, 0)
	for {
		e.moved++
		to := "umpire-" + strconv.FormatUint(e.moved, 10)
		err := unix.Renameat2(from, name, int(e.top.Fd()), to, unix.RENAME_NOREPLACE)
		if err == unix.EINVAL { // not of every file system
			err = unix.Renameat(from, name, int(e.top.Fd()), to)
		}
		if err != unix.EEXIST && err != unix.ENOTEMPTY {
			return err
		}
	}
}

// OpenFolder opens a folder. If it can't be read, or its owner has not all of the rights in
// need, it is unlocked for the owner.
func OpenFolder(at int, name string, need uint32) (int, error) {
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(at, name, flags, 0)
	if err == unix.EACCES {
		_ = unix.Fchmodat(at, name, 0o700, 0)
		fd, err = unix.Openat(at, name, flags, 0)
	}
	if err != nil {
		return -1, err
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) == nil && st.Mode&need != need {
		_ = unix.Fchmod(fd, 0o700)
	}
	return fd, nil
}

// open opens a folder to empty it.
func open(at int, name string) (*os.File, error) {
	fd, err := OpenFolder(at, name, 0o700)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: syscall.Errno(err.(unix.Errno))}
	}
	return os.NewFile(uintptr(fd), name), nil
}
