//go:build unix

package record

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock reports whether no other process has locked the file; this one has then,
// until it is closed.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}
