package stall

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// armStop locks the calling goroutine to its thread and makes a signal pending there
// that stops this process at end, if it is to. A SIGCONT that comes before discards
// it, as the kernel does with all signals that stop: none comes too early to count.
// Where nobody could continue the process, as in an orphaned process group, it does
// not stop.
func armStop() (end func(stop bool)) {
	runtime.LockOSThread()
	var before, with unix.Sigset_t
	with.Val[0] = 1 << (unix.SIGTTOU - 1) // Go's runtime leaves it alone, unlike SIGTSTP
	_ = unix.PthreadSigmask(unix.SIG_BLOCK, &with, &before)
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGTTOU)
	return func(stop bool) {
		if !stop {
			_ = unix.Kill(os.Getpid(), unix.SIGCONT)
		}
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
		runtime.UnlockOSThread()
	}
}
