//go:build unix

package contestant

import "golang.org/x/sys/unix"

// HasFIFOs reports whether contestants can talk by FIFOs on this system.
const HasFIFOs = true

// makeFIFO makes a FIFO that every user may open.
func makeFIFO(path string) error {
	if err := unix.Mkfifo(path, 0o666); err != nil {
		return err
	}
	return unix.Chmod(path, 0o666) // whatever the umask is
}

// readFIFO opens a FIFO to read, whether or not anybody has opened it to write.
func readFIFO(path string) (int, error) {
	return unix.Open(path, fifoReader|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// writeFIFO opens a FIFO to write, if somebody has opened it to read.
func writeFIFO(path string) (int, error) {
	return unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// hungUp reports whether whoever had opened a FIFO to write has closed it.
func hungUp(fd int) bool {
	fds := []pollFD{{Fd: int32(fd)}}
	return pollFor(fds, 0) > 0 && fds[0].Revents&unix.POLLHUP != 0
}
