//go:build unix

package sandbox

import (
	"time"

	"golang.org/x/sys/unix"
)

// AwaitExit waits until a program has ended, but not longer than patience, and reports
// whether it has.
func AwaitExit(p Process, patience time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(p.Exited()), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, int(patience/time.Millisecond))
	return n > 0
}
