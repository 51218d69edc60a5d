//go:build !linux

package contestant

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func pipe() (fds [2]int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err = unix.Pipe(fds[:]); err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	return fds, err
}

func read(fd int, b []byte) (int, error)  { return unix.Read(fd, b) }
func write(fd int, b []byte) (int, error) { return unix.Write(fd, b) }

func setBlocking(fd int, blocking bool) error { return unix.SetNonblock(fd, !blocking) }

func again(err error) bool { return err == unix.EAGAIN || err == unix.EINTR }

// pollFor waits until one of fds is ready, but not longer than patience, and
// returns how many are.
func pollFor(fds []unix.PollFd, patience time.Duration) int {
	n, err := unix.Poll(fds, int((patience+time.Millisecond-1)/time.Millisecond))
	if err != nil {
		return 0
	}
	return n
}

// blockingReader never blocks: waits for replies have timeouts of their own.
type blockingReader struct{ fd int }

func (r *blockingReader) wait(b []byte, _ time.Duration) (int, error) { return read(r.fd, b) }
func (r *blockingReader) read(b []byte) (int, error)                  { return read(r.fd, b) }
func (*blockingReader) close()                                        {}

// These need Linux: elsewhere only the budget decides.

func exiting(int) bool { return false }
func affinity() int    { return runtime.NumCPU() }

func (*Contestant) isUnreported() bool { return false }

type waits struct{ last []int }

func (*waits) look(*Contestant, bool) {}
func (*waits) total() time.Duration   { return 0 }

type idleWatch struct{}

func (*idleWatch) look(*Contestant, int, int) (parked, stopped bool) { return false, false }
