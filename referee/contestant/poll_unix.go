//go:build unix

package contestant

import "golang.org/x/sys/unix"

// pollFD is what pollFor waits for.
type pollFD = unix.PollFd

const (
	toRead  = unix.POLLIN
	toWrite = unix.POLLOUT
)

func closePipe(fd int) { unix.Close(fd) }
