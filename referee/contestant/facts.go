package contestant

import (
	"cmp"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// facts is what has been observed of a contestant since it was asked.
type facts struct {
	seat        int
	whole       bool          // all the output is asked for
	limit       time.Duration // negative: none
	cpuClock    bool          // limit is CPU time
	wallLimit   time.Duration // of wall time, where limit is CPU time; negative: none
	memoryLimit int64         // bytes; 0: none
	diskLimit   int64         // bytes

	wall, cpu  time.Duration
	wait       time.Duration // of wall, ready to run but without a CPU; known once it is late
	excused    time.Duration // of wall, taken by contestants who owed no reply
	line       int           // bytes of an unfinished or refused line, blank lines before it included
	output     int           // bytes of output, for a whole one
	stderr     int64         // bytes of standard error since the start
	memory     int64         // peak, bytes
	blank      bool          // blank lines came, and nothing else
	blankBytes int
	parked     bool // certainly blocked reading its input
	stopped    bool // stopped by a signal
	eof        bool // its output is closed
	leaving    bool // and its process is ending
	exited     bool
	rest       int // bytes of an unfinished line it left behind
	status     syscall.WaitStatus
	oom        bool // it was found beyond its memory limit
	filled     bool // it wrote more files than it may
	crowded    bool // it started more processes than it may
}

// facts begins a list of facts with those that do not depend on what is asked.
func (c *Contestant) facts() facts {
	return facts{
		seat: c.seat, memoryLimit: c.limits.Memory, diskLimit: cmp.Or(c.limits.Disk, sandbox.DefaultDisk),
	}
}

// end adds what the contestant's end shows.
func (f *facts) end(exit *sandbox.Exit) {
	f.exited, f.status = true, exit.Status
	f.memory, f.oom, f.filled, f.crowded = exit.Memory, exit.OutOfMemory, exit.OutOfDisk, exit.OutOfProcesses
}

// taken is the wall time that is the contestant's own.
func (f *facts) taken() time.Duration { return f.wall - f.excused }

// verdict says why there will be no reply, or nil while there still may be one.
// The order of the rules is the order of causes: what stands first would have
// brought about what stands below.
func (f *facts) verdict() *protocols.Failure {
	if excess := f.excess(); excess != nil {
		return excess
	}
	switch {
	case f.stderr > referee.MaxStderr:
		return fail(protocols.KindOutput, "wrote more than %s to standard error", referee.Size(referee.MaxStderr))
	case f.whole && f.output > referee.MaxOutput:
		return fail(protocols.KindOutput, "wrote more than %s", referee.Size(referee.MaxOutput))
	case !f.whole && f.line > referee.MaxLine:
		return fail(protocols.KindOutput, "wrote %s without an answer: a line may have %s", referee.Size(int64(f.line)), referee.Size(referee.MaxLine))
	case f.exited:
		return f.ended()
	case f.eof && !f.whole && !f.leaving:
		return fail(protocols.KindCrash, "closed its standard output while seat %d owes a reply", f.seat)
	case f.stopped:
		return fail(protocols.KindIdle, "stopped by a signal while seat %d owes a reply", f.seat)
	case f.parked:
		return fail(protocols.KindIdle, "blocked reading standard input while seat %d owes a reply; is the output flushed?", f.seat)
	}
	return f.late()
}

// excess judges whether it has used more than it may, whatever it replied.
func (f *facts) excess() *protocols.Failure {
	switch {
	case f.oom && f.memoryLimit == 0:
		return fail(protocols.KindMemory, "used more memory than there was")
	case f.oom, f.memoryLimit > 0 && f.memory > f.memoryLimit:
		return fail(protocols.KindMemory, "used more than %s of memory", referee.Size(f.memoryLimit))
	case f.filled:
		return fail(protocols.KindOutput, "wrote more than %s to files, or more than %d files", referee.Size(f.diskLimit), sandbox.MaxFiles)
	case f.crowded:
		return fail(protocols.KindSecurity, "started more than %d processes and threads", sandbox.DefaultProcesses)
	}
	return nil
}

// ended judges a contestant that has ended without a reply.
func (f *facts) ended() *protocols.Failure {
	if f.status.Signaled() {
		switch s := f.status.Signal(); s {
		case syscall.SIGSYS:
			return fail(protocols.KindSecurity, "made a forbidden system call")
		case syscall.SIGXCPU:
			return fail(protocols.KindTime, "used up the CPU time that the system allows it")
		case syscall.SIGXFSZ:
			return fail(protocols.KindOutput, "wrote a larger file than it may")
		default:
			return fail(protocols.KindCrash, "killed by %s while seat %d owes a reply", signalName(s), f.seat)
		}
	}
	code := f.status.ExitStatus()
	switch {
	case f.whole && code == 0:
		return nil
	case f.whole:
		return fail(protocols.KindCrash, "exit status %d", code)
	case f.rest > 0:
		return fail(protocols.KindCrash, "exit status %d while seat %d owes a reply; the last line it wrote has no newline", code, f.seat)
	}
	return fail(protocols.KindCrash, "exit status %d while seat %d owes a reply", code, f.seat)
}

// late judges the time alone.
func (f *facts) late() *protocols.Failure {
	taken := f.taken()
	switch {
	case f.limit < 0:
		return nil
	case f.cpuClock && f.cpu > f.limit:
		return fail(protocols.KindTime, "used %s of CPU time for a reply, %s were left", referee.Seconds(f.cpu), referee.Seconds(f.limit))
	case f.cpuClock && f.wallLimit >= 0 && taken-f.wait > f.wallLimit:
		return fail(protocols.KindTime, "took %s and only %s of it CPU time: of wall time %s were left", referee.Seconds(taken), referee.Seconds(f.cpu), referee.Seconds(f.wallLimit))
	case f.cpuClock || taken <= f.limit:
		return nil
	case f.wait > taken/2:
		return fail(protocols.KindTime, "took %s for a reply, %s were left; for %s of that it was ready and had no CPU: "+
			"is the machine overloaded?", referee.Seconds(taken), referee.Seconds(f.limit), referee.Seconds(min(f.wait, taken)))
	case f.cpu < taken/10 && taken > tick:
		return fail(protocols.KindTime, "took %s for a reply, %s were left; it used only %s of CPU time: "+
			"is the output flushed?", referee.Seconds(taken), referee.Seconds(f.limit), referee.Seconds(f.cpu))
	}
	return fail(protocols.KindTime, "took %s for a reply, %s were left", referee.Seconds(taken), referee.Seconds(f.limit))
}

func fail(kind protocols.Kind, format string, args ...any) *protocols.Failure {
	return &protocols.Failure{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// signalName is a signal's name with what it means: "SIGSEGV (segmentation
// fault)".
func signalName(s syscall.Signal) string { return fmt.Sprintf("%s (%s)", unix.SignalName(s), s) }
