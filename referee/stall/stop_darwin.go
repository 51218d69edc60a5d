package stall

import (
	"os"
	"syscall"
	"time"
)

// armStop returns what stops this process, if it is to, until it is continued.
func armStop() (end func(stop bool)) {
	return func(stop bool) {
		if !stop {
			return
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		// The signal may go to a thread that has to wait for a CPU first.
		time.Sleep(50 * time.Millisecond)
	}
}
