package contestant

import (
	"bytes"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// The pipes are non-blocking and read by the match's own thread, so system
// calls that can't block bypass Go's scheduler.

func pipe() (fds [2]int, err error) {
	err = unix.Pipe2(fds[:], unix.O_CLOEXEC)
	return fds, err
}

func read(fd int, b []byte) (int, error) {
	n, _, e := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

func write(fd int, b []byte) (int, error) {
	n, _, e := unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}

// setBlocking makes calls for a pipe wait, or not. It has no other flags that
// could be set.
func setBlocking(fd int, blocking bool) error {
	flags := unix.O_NONBLOCK
	if blocking {
		flags = 0
	}
	_, _, e := unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_SETFL, uintptr(flags))
	if e != 0 {
		return e
	}
	return nil
}

func again(err error) bool { return err == unix.EAGAIN || err == unix.EINTR }

// pollFor waits until one of fds is ready, but not longer than patience, and
// returns how many are.
func pollFor(fds []unix.PollFd, patience time.Duration) int {
	ts := unix.NsecToTimespec(int64(patience))
	n, _, e := unix.Syscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	if e != 0 {
		return 0
	}
	return int(n)
}

// exiting reports whether a process is on its way out: its descriptors close
// before its end can be seen.
func exiting(pid int) bool {
	const flagExiting = 0x4 // PF_EXITING
	// State, parent, group, session, terminal, its group, flags.
	fields := procfs.StatFields(pid)
	if len(fields) < 7 {
		return true
	}
	flags, _ := strconv.ParseUint(fields[6], 10, 64)
	return flags&flagExiting != 0 || fields[0][0] == 'Z'
}

// treeDelay returns the sum of the run delays of a process and all its
// descendants.
func treeDelay(pid int) (sum time.Duration) {
	for _, p := range tree(pid) {
		sum += runDelay(p)
	}
	return sum
}

// runDelay returns the total time that a process's main thread was ready to run
// but had no CPU.
func runDelay(pid int) time.Duration {
	var buf [128]byte
	_, delay, _ := bytes.Cut(procfs.Read(procfs.Dir(pid)+"/schedstat", buf[:]), []byte(" "))
	return time.Duration(procfs.Number(delay))
}
