//go:build unix

package contestant

import (
	"syscall"

	"golang.org/x/sys/unix"

	"umpire/protocols"
)

// killed judges a contestant that a signal has ended without a reply; nil if none has.
func (f *facts) killed() *protocols.Failure {
	if !f.status.Signaled() {
		return nil
	}
	switch s := f.status.Signal(); s {
	case syscall.SIGSYS:
		return fail(protocols.KindSecurity, "made a forbidden system call")
	case syscall.SIGXCPU:
		return fail(protocols.KindTime, "exceeded the CPU time limit of its process")
	case syscall.SIGXFSZ:
		return fail(protocols.KindOutput, "wrote a file larger than allowed")
	default:
		return fail(protocols.KindCrash, "killed by %s (%s) before answering%s", unix.SignalName(s), s, f.unended("; "))
	}
}

// endSignal returns the name of the signal that has ended a process; "" if none has.
func endSignal(status syscall.WaitStatus) string {
	if !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
