package referee

import (
	"context"
	"time"

	"umpire/protocols"
)

// Contestant is what takes a seat: a process, a remote player, or a record of
// what was once replied.
type Contestant interface {
	// Send hands over one or more lines, joined by newlines and without a last
	// one. It never blocks the match.
	Send(text string)
	// CloseInput tells that no more lines will come.
	CloseInput()
	// Receive waits for a reply. An error of type *protocols.Failure is the
	// contestant's fault; any other is umpire's.
	Receive(ctx context.Context, ask Ask) (Reply, error)
	// Stop ends the contestant. It is called once.
	Stop() Usage
}

// Watched is a Contestant that can use CPU time and memory while it owes no
// reply, which can be seen and stopped: a process on this machine.
type Watched interface {
	// Watch looks at its memory and disk. What it finds is a failure when the
	// contestant is asked next, or stopped.
	Watch()
	// Pondered is the CPU time it has used since its last reply, or since
	// Pondered was last called. A close look, which takes some 10 µs for each of
	// its processes, counts all of them, and finds out whether any computes now.
	Pondered(closely bool) (cpu time.Duration, computes bool)
	// Freeze stops it until it is asked for a reply.
	Freeze()
	// FreezeHolds reports whether what is frozen certainly executes nothing.
	FreezeHolds() bool
}

// Pondering says what becomes of a contestant that thinks while it owes no
// reply.
type Pondering string

const (
	PonderAllow  Pondering = "allow"  // it may, at no cost
	PonderCharge Pondering = "charge" // the CPU time it uses is taken off the other's time and put on its own
	PonderFreeze Pondering = "freeze" // so it is, and it is stopped when it is seen computing
)

// Ask is one request for a reply.
type Ask struct {
	// Told says that lines were sent for this reply: the clock runs from the
	// moment the last of them was handed over, and from now otherwise.
	Told bool
	// Limit is how long the reply may take; negative: as long as it likes.
	Limit time.Duration
	CPU   bool // Limit is CPU time
	// Wall is how long the reply may take in wall time where Limit is CPU time;
	// negative: as long as it likes.
	Wall     time.Duration
	UntilEOF bool // the reply is all the output, up to a successful end
	// Meanwhile, if not nil, is called now and then while the reply takes long.
	Meanwhile func()
	// Others, if not nil, gives the CPU time that contestants who owe no reply
	// have used since this one was asked. Missing is how much of the time since
	// then this one has not used itself; waiting says that it has not replied
	// yet. It is called when there is a reply, and now and then before.
	Others func(missing time.Duration, waiting bool) time.Duration
}

// Reply is what a contestant answered.
type Reply struct {
	Text    string        // a line without its end, or the whole output
	Wall    time.Duration // from the hand-over of the step to the reply's newline
	CPU     time.Duration // used in that time, or since the reply before unless it was asked for Pondered
	Wait    time.Duration // of that time, ready to run but without a CPU; only for slow replies
	Excused time.Duration // of that time, taken by contestants who owed no reply
}

// Usage is what a contestant has used in all.
type Usage struct {
	CPU    time.Duration
	Memory int64  // peak, bytes
	Stderr []byte // the last StderrEnd bytes of standard error
	// Failure is what came to light only in the end, after the last reply; nil
	// if nothing did.
	Failure *protocols.Failure
}
