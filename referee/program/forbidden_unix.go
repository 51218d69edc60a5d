//go:build unix

package program

import "syscall"

// isForbidden reports whether a process was ended for a forbidden system call.
func isForbidden(status syscall.WaitStatus) bool {
	return status.Signaled() && status.Signal() == syscall.SIGSYS
}
