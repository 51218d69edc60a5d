//go:build unix

package contestant

import "golang.org/x/sys/unix"

// pollFD is a descriptor that pollFor watches.
type pollFD = unix.PollFd

const (
	toRead  = unix.POLLIN
	toWrite = unix.POLLOUT
)

func closePipe(fd int) { unix.Close(fd) }
