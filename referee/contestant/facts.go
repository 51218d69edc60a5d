package contestant

import (
	"bytes"
	"cmp"
	"fmt"
	"syscall"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// facts holds what has been observed of a contestant since it was asked.
type facts struct {
	seat        int
	replied     bool          // to an earlier request
	whole       bool          // the whole output is asked for
	limit       time.Duration // negative: no limit
	cpuClock    bool          // limit is CPU time
	wallLimit   time.Duration // limit of wall time, where limit is CPU time; negative: no limit
	memoryLimit int64         // bytes; 0: no limit
	diskLimit   int64         // bytes
	level       referee.Level // at which it plays
	cpuMost     time.Duration // beyond which the kernel ends its process; 0: it does not

	wall, cpu  time.Duration
	wait       time.Duration // the machine's part of wall, in which it was ready to run but had no CPU; known once it is late
	stall      time.Duration // part of wall in which umpire did not run
	doubt      time.Duration // part of stall that counts, since it computed then
	doubtful   time.Duration // doubt of earlier replies
	waited     time.Duration // the machine's part of earlier replies that was charged
	quiet      time.Duration // how long it has used almost no CPU time, as of the last look
	excused    time.Duration // part of wall taken by contestants that owed no reply
	line       int           // bytes of an unfinished or refused line, including blank lines before it
	output     int           // bytes of output, where the whole output is asked for
	stderr     int64         // bytes of standard error since the start
	memory     int64         // peak, bytes
	blank      bool          // only blank lines came
	blankBytes int
	parked     bool // certainly blocked reading its input
	stopped    bool // stopped by a signal
	eof        bool // its output is closed
	leaving    bool // its output is closed and its process is exiting
	exited     bool
	rest       []byte // beginning of a line that it has not ended
	status     syscall.WaitStatus
	used       time.Duration // CPU time since its start, once it has exited
	oom        bool          // it was found beyond its memory limit
	filled     bool          // it wrote more files than it may
	crowded    bool          // it started more processes than it may
}

// facts returns the facts that do not depend on the request.
func (c *Contestant) facts() facts {
	return facts{
		seat: c.seat, replied: c.replies > 0, memoryLimit: c.limits.Memory, diskLimit: cmp.Or(c.limits.Disk, sandbox.DefaultDisk),
		level: c.level, cpuMost: c.limits.CPU,
	}
}

// end adds the facts known from how the contestant ended.
func (f *facts) end(exit *sandbox.Exit) {
	f.exited, f.status, f.used = true, exit.Status, exit.CPU
	f.memory, f.oom, f.filled, f.crowded = exit.Memory, exit.OutOfMemory, exit.OutOfDisk, exit.OutOfProcesses
}

// given returns the wall time that is not charged.
func (f *facts) given() time.Duration { return f.excused + f.stall - f.doubt }

// taken returns the wall time that the contestant itself has taken.
func (f *facts) taken() time.Duration { return f.wall - f.given() }

// free returns how much of the machine's part of wall is not charged: no more than would leave the
// CPU time that the contestant has used charged, since on several CPUs one of its threads may wait
// while others compute, and below strict, where CPU time can be hidden, no more than half.
func (f *facts) free() time.Duration {
	if f.cpuClock {
		return 0
	}
	free := min(f.wait, f.taken()-f.cpu)
	if f.level != referee.LevelStrict {
		free = min(free, f.taken()/2)
	}
	return max(0, free)
}

// overtime reports whether the contestant has passed its limit although so much
// of its wall time, and of all its time, is not held against it.
func (f *facts) overtime(wait, doubt time.Duration) bool {
	switch {
	case f.limit < 0:
		return false
	case f.cpuClock: // where a bound of wall time allows for waits
		return f.cpu-doubt > f.limit || f.wallLimit >= 0 && f.taken()-f.wait-doubt > f.wallLimit
	}
	return f.taken()-wait-doubt > f.limit
}

// untimely returns why a reply makes the match void: it has passed the limit, also
// without what is free, but only because the contestant had no CPU, or umpire did
// not run; otherwise nil.
func (f *facts) untimely() *referee.VoidError {
	doubt := f.doubt + f.doubtful
	if !f.overtime(f.free(), 0) || f.overtime(f.wait+f.waited, doubt) {
		return nil
	}
	why := f.describeLate()
	v := &referee.VoidError{Cause: referee.CauseMachine, Seat: f.seat, Failure: why, Err: fmt.Errorf("seat %d %s", f.seat, why.Detail)}
	if !f.overtime(f.free(), doubt) {
		v.Cause = referee.CauseStall
		v.Err = fmt.Errorf("umpire did not run for %s, for which seat %d was charged", referee.Seconds(doubt), f.seat)
	}
	return v
}

// verdict returns why there will be no reply, or nil while a reply may still
// come. The rules are in causal order: an earlier one would have caused the
// later ones.
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
		return fail(protocols.KindCrash, "closed its standard output before answering%s", f.unended("; "))
	case f.stopped:
		return fail(protocols.KindIdle, "stopped by a signal before answering")
	case f.parked:
		return fail(protocols.KindIdle, "blocked reading standard input before answering; %s", f.silence(""))
	}
	return f.late()
}

// excess judges whether the contestant has exceeded a limit, whatever it
// replied.
func (f *facts) excess() *protocols.Failure {
	switch {
	case f.oom && f.memoryLimit == 0:
		return fail(protocols.KindMemory, "used more memory than was available")
	case f.oom, f.memoryLimit > 0 && f.memory > f.memoryLimit:
		return fail(protocols.KindMemory, "used more than %s of memory", referee.Size(f.memoryLimit))
	case f.filled:
		return fail(protocols.KindOutput, "wrote more than %s to files, or more than %d files", referee.Size(f.diskLimit), sandbox.MaxFiles)
	case f.crowded:
		return fail(protocols.KindSecurity, "started more than %d processes and threads", sandbox.DefaultProcesses)
	}
	return nil
}

// ended judges a contestant that has exited without a reply.
func (f *facts) ended() *protocols.Failure {
	if failure := f.killed(); failure != nil {
		return failure
	}
	code := f.status.ExitStatus()
	switch {
	case f.whole && code == 0:
		return nil
	case f.whole:
		return fail(protocols.KindCrash, "exit status %d", code)
	}
	return fail(protocols.KindCrash, "it ended (exit status %d) before answering%s", code, f.unended("; "))
}

// late judges the time alone.
func (f *facts) late() *protocols.Failure {
	if !f.overtime(f.wait+f.waited, f.doubt+f.doubtful) {
		return nil
	}
	return f.describeLate()
}

// describeLate says how a contestant is late, that is.
func (f *facts) describeLate() *protocols.Failure {
	taken := f.taken()
	own := taken - f.wait
	switch {
	case f.cpuClock && f.cpu > f.limit:
		return fail(protocols.KindTime, "no reply within the %s of CPU time left: it used %s", referee.Seconds(f.limit), referee.Seconds(f.cpu))
	case f.cpuClock:
		return fail(protocols.KindTime, "no reply within the %s of wall time left; it used only %s of CPU time: %s",
			referee.Seconds(f.wallLimit), referee.Seconds(f.cpu), f.silence(asleep))
	case f.waited > 0 && own-f.waited <= f.limit:
		return fail(protocols.KindTime, "no reply within the %s left; during %s of all its replies it was ready and had no CPU: "+
			"is the machine overloaded?", referee.Seconds(f.limit), referee.Seconds(f.waited+f.wait))
	case f.wait > 0 && own <= f.limit:
		return fail(protocols.KindTime, "no reply within the %s left; it was ready and had no CPU for %s of %s: "+
			"is the machine overloaded?", referee.Seconds(f.limit), referee.Seconds(min(f.wait, taken)), referee.Seconds(taken))
	case (f.cpu < own/10 || f.quiet-f.wait > own/2) && taken > tick:
		return fail(protocols.KindTime, "no reply within the %s left; it used only %s of CPU time: %s",
			referee.Seconds(f.limit), referee.Seconds(f.cpu), f.silence(asleep))
	case f.whole && f.output > 0:
		return fail(protocols.KindTime, "no reply within the %s left; it used %s of CPU time: its output counts only once it has ended",
			referee.Seconds(f.limit), referee.Seconds(f.cpu))
	case len(f.rest) == 0 && f.cpu > own/2 && taken > tick:
		return fail(protocols.KindTime, "no reply within the %s left; it used %s of CPU time: too slow, or an endless loop?",
			referee.Seconds(f.limit), referee.Seconds(f.cpu))
	}
	return fail(protocols.KindTime, "no reply within the %s left%s", referee.Seconds(f.limit), f.unended("; "))
}

// asleep says what else a contestant may do that is not certain to read.
const asleep = "slept, or waits for a lock or a process, or "

// silence says what may keep a contestant that waits from answering; or is asleep if it is not
// certain to read. One that has answered before knows how to flush.
func (f *facts) silence(or string) string {
	switch {
	case len(f.rest) > 0:
		return f.unended("")
	case f.whole:
		return "its output counts only once it has ended"
	case f.replied:
		return fmt.Sprintf("it %sdid not flush this reply, or waits for a line that is not sent: it is seat %d's turn", or, f.seat)
	}
	return fmt.Sprintf("is the output flushed? Or it %swaits for a line that is not sent: it is seat %d's turn", or, f.seat)
}

// keepLine keeps the beginning of the line that the contestant has not ended with text.
func (f *facts) keepLine(text []byte) {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		f.rest, text = f.rest[:0], text[i+1:]
	}
	if f.rest = append(f.rest, text[:min(len(text), mostShown-len(f.rest))]...); isBlank(f.rest) {
		f.rest = f.rest[:0]
	}
}

// unended shows, after sep, the line that the contestant has not ended; "" if
// there is none.
func (f *facts) unended(sep string) string {
	if len(f.rest) == 0 {
		return ""
	}
	return sep + "it wrote " + protocols.Quote(string(f.rest)) + " without a newline"
}

func fail(kind protocols.Kind, format string, args ...any) *protocols.Failure {
	return &protocols.Failure{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}
