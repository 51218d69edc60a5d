package referee

import (
	"context"
	"time"

	"umpire/protocols"
)

// Contestant occupies a seat in one match: a process, a remote player, or the
// recorded replies of an earlier match.
type Contestant interface {
	// Send hands over one or more lines, joined by newlines, without a trailing
	// newline. It never blocks the match.
	Send(text string)
	// CloseInput tells the contestant that no more lines will come.
	CloseInput()
	// Receive waits for a reply. An error of type *protocols.Failure is the
	// contestant's fault; any other is umpire's. The reply's times are set in
	// either case.
	Receive(ctx context.Context, ask Ask) (Reply, error)
	// Stop ends the contestant. It is called once.
	Stop() Usage
}

// Watched is a Contestant that can use CPU time and memory while it owes no
// reply, which can be seen and stopped: a process on this machine.
type Watched interface {
	// Watch checks the contestant's memory and disk use, and returns how long that
	// took. An excess is reported as a failure when the contestant is next asked, or
	// stopped.
	Watch() (took time.Duration)
	// Pondered returns the CPU time used since the last reply, or since
	// Pondered was last called. A close look, which takes some 10 µs per
	// process, counts all the contestant's processes, and reports whether any
	// of them is computing now, and how long it took.
	Pondered(closely bool) (cpu time.Duration, computes bool, took time.Duration)
	// Freeze stops the contestant until it is asked for a reply.
	Freeze()
	// Thaw lets a stopped contestant go on.
	Thaw()
	// FreezeHolds reports whether a frozen contestant certainly executes
	// nothing.
	FreezeHolds() bool
}

// Pondering is the policy for a contestant that thinks while it owes no reply.
type Pondering string

const (
	PonderAllow  Pondering = "allow"  // allowed, at no cost
	PonderCharge Pondering = "charge" // its CPU time is charged to its own budget instead of its opponent's
	PonderFreeze Pondering = "freeze" // charged, and it is stopped when it is seen computing
)

// Ask is one request for a reply.
type Ask struct {
	// Told is set if lines were sent for this reply: the clock runs from the
	// moment the last of them was handed over, and otherwise from now.
	Told bool
	// Limit is how long the reply may take; negative: no limit.
	Limit time.Duration
	CPU   bool // Limit is CPU time
	// Wall is how long the reply may take in wall time where Limit is CPU time;
	// negative: no limit.
	Wall     time.Duration
	UntilEOF bool // the reply is the whole output, up to a successful exit
	// Last, if not nil, is called with each line of a reply that has several, blank
	// ones included, and reports whether it is the last one. The Reply then has no
	// text. Only a process can be asked so.
	Last func(line []byte) bool
	// Alone is set if no other seat is asked at the same time, so that the asking
	// goroutine is the one that leads the match, and that seated the contestant.
	Alone bool
	// Stalls, if not nil, knows for how long umpire has not run. That is taken off
	// the reply's time, but for the CPU time that the contestant used meanwhile; if
	// Lenient, all of it.
	Stalls  Stalls
	Stalled time.Duration // Stalls.Total before lines were sent for this reply
	Lenient bool
	// Doubt is what was charged for earlier replies, although it may have been
	// used after them, while umpire did not run, and Waited is the part of that
	// which was the machine's: a match that is lost by these is void. Both are 0
	// where Limit is that of each reply.
	Doubt, Waited time.Duration
	// Meanwhile, if not nil, is called now and then while the reply takes long.
	Meanwhile func()
	// Others, if not nil, returns the time that contestants owing no reply have
	// taken since this contestant was asked: CPU time, and looks at them. Missing is how much of the
	// time since then this contestant has not used itself; waiting is set while
	// it has not replied yet. Others is called when the reply arrives, and now
	// and then before.
	Others func(missing time.Duration, waiting bool) time.Duration
}

// Reply is a contestant's answer to one request.
type Reply struct {
	Text    string        // a line without its newline, or the whole output
	Wall    time.Duration // wall time from the hand-over of the step to the reply's newline
	CPU     time.Duration // CPU time used meanwhile, or since the previous reply unless Pondered was called
	Wait    time.Duration // part of Wall in which it, or umpire, was ready to run but had no CPU; only for slow replies
	Free    time.Duration // part of Wait that is not charged
	Excused time.Duration // other part of Wall that is not charged: taken by contestants that owed no reply, or granted
	Stall   time.Duration // part of Wall in which umpire did not run
	Doubt   time.Duration // part of Stall that is charged
}

// Usage is a contestant's total resource usage.
type Usage struct {
	CPU    time.Duration
	Memory int64 // peak, bytes
	// Stderr is what was written to standard error before the match was over
	// for the contestant: all, or StderrKept bytes with a line in the middle
	// that says how much was left out. StderrAfter is the same of what was
	// written then, while the contestant was being stopped.
	Stderr, StderrAfter []byte
	StderrBytes         int64 // length of both if something was left out; otherwise 0
	// Early is the number of replies that were written before they were asked
	// for, and Unasked that of the lines left over when the contestant was
	// stopped.
	Early, Unasked int
	// Failure is a failure found only at the end, after the last reply; nil if
	// there was none.
	Failure *protocols.Failure
}
