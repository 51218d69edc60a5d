package build

import (
	"hash/fnv"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// lockEntry locks the byte of a file that stands for an entry of the cache, until
// the file is closed. It reports false if others hold a lock against it. One file
// has the locks of any number of entries.
func lockEntry(file *os.File, entry string, shared bool) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(filepath.Base(entry)))
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: int64(h.Sum64() >> 2), Len: 1}
	if shared {
		l.Type = unix.F_RDLCK
	}
	for {
		switch unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, &l) {
		case unix.EINTR:
		case unix.EAGAIN, unix.EACCES:
			return false
		default: // not every file system has locks
			return true
		}
	}
}
