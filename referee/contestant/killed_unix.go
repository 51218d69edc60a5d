//go:build unix

package contestant

import (
	"syscall"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee"
)

// killed judges a contestant that a signal has ended without a reply; nil if none has.
func (f *facts) killed() *protocols.Failure {
	if !f.status.Signaled() {
		return nil
	}
	if failure := f.pretended(f.unended("; ")); failure != nil {
		return failure
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

// pretended judges a contestant that has ended by a signal which the kernel sends to those who do
// what they may not, though nothing was forbidden to it, or it has used less than its limit; nil
// if by no such signal.
func (f *facts) pretended(more string) *protocols.Failure {
	name := endSignal(f.status)
	if name == "SIGSYS" && f.level == referee.LevelNone || name == "SIGXCPU" && (f.cpuMost == 0 || f.used < f.cpuMost) {
		return fail(protocols.KindCrash, "killed by %s, which no limit of umpire's has caused%s", name, more)
	}
	return nil
}

// endSignal returns the name of the signal that has ended a process; "" if none has.
func endSignal(status syscall.WaitStatus) string {
	if !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}
