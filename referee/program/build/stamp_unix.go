//go:build unix

package build

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// stampOf returns the stamp of a file, or of what a link leads to.
func stampOf(path string, follow bool) (stamp, error) {
	stat := unix.Lstat
	if follow {
		stat = unix.Stat
	}
	var st unix.Stat_t
	if err := stat(path, &st); err != nil {
		return stamp{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	kind := fs.ModeIrregular
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		kind = 0
	case unix.S_IFDIR:
		kind = fs.ModeDir
	}
	return stamp{uint64(st.Dev), st.Ino, uint64(st.Mode), kind, st.Size, st.Mtim.Nano(), st.Ctim.Nano()}, nil
}

// dontWait opens a FIFO that nobody writes to, which is refused then.
const dontWait = unix.O_NONBLOCK

// own makes umpire the owner of a file or folder.
func own(path string) error { return os.Chown(path, os.Geteuid(), -1) }
