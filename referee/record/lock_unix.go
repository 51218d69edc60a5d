//go:build unix

package record

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks the file until it is closed. It reports false if another process
// has locked it.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}
