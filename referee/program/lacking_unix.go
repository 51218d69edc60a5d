//go:build unix

package program

import (
	"math"

	"golang.org/x/sys/unix"
)

// fileSizeLimit is how many bytes a file may have that umpire writes, or what it starts may
// be given.
func fileSizeLimit(own bool) uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &l) != nil {
		return math.MaxUint64
	}
	if own {
		return l.Cur
	}
	return l.Max
}

// freeSpace is how many bytes more the files below a folder may have; none if there may be no
// more files.
func freeSpace(dir string) (bytes uint64, ok bool) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0, false
	}
	if fs.Files > 0 && fs.Ffree == 0 {
		return 0, true
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
