package contestant

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// pipe makes a pipe that no other process inherits. Its ends are alike, so it does not
// matter which is ours.
func pipe(int) (fds [2]int, err error) {
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

// fifoReader is how a FIFO is opened to read: for writing as well, since its end can't be
// told here from that nobody has opened it yet.
const fifoReader = unix.O_RDWR

func setBlocking(fd int, blocking bool) error { return unix.SetNonblock(fd, !blocking) }

func again(err error) bool { return err == unix.EAGAIN || err == unix.EINTR }

// pollFor waits until one of fds is ready, but not longer than patience, and
// returns how many are.
func pollFor(fds []pollFD, patience time.Duration) int {
	n, err := unix.Poll(fds, int((patience+time.Millisecond-1)/time.Millisecond))
	if err != nil {
		return 0
	}
	return n
}

// exiting is not known on this system.
func exiting(int) bool { return false }

// affinity returns how many CPUs a contestant may use.
func affinity() int { return runtime.NumCPU() }

// idleWatch sees nothing on this system: only the budget decides.
type idleWatch struct{ relay, waits bool }

func (*idleWatch) look(*Contestant, []int, []int) (parked, stopped bool) { return false, false }
func (*idleWatch) alone() bool                                           { return false }
