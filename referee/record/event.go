package record

import (
	"fmt"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// EventOf makes an event of a match that is going on, under limits.
func EventOf(e referee.Event, l Limits) Event { return newEvent(e, l.cpu(), referee.OK) }

// newEvent makes an event of a seat with the given verdict; cpu reports whether
// CPU time is charged.
func newEvent(e referee.Event, cpu bool, verdict referee.Verdict) Event {
	out := Event{
		Seat: e.Seat, WallUS: e.Wall.Microseconds(), CPUUS: e.CPU.Microseconds(), WaitUS: e.Wait.Microseconds(),
		StallUS: e.Stall.Microseconds(),
	}
	if e.Fail != nil {
		out.Fail, out.Detail = string(e.Fail.Kind), text(e.Fail.Detail)
	} else {
		out.setReply(e.Reply, mayCut(verdict))
	}
	time := e.Wall
	if cpu {
		time = e.CPU
	}
	if e.Charged != time {
		charged := e.Charged.Microseconds()
		out.ChargedUS = &charged
	}
	return out
}

// event returns the event in the driver's form. The error says what is wrong
// with the event.
func (e Event) event() (referee.Event, error) {
	out := referee.Event{Seat: e.Seat, Wall: micros(e.WallUS), CPU: micros(e.CPUUS), Wait: micros(e.WaitUS), Stall: micros(e.StallUS)}
	if set := count(e.Reply != nil, e.ReplyB64 != nil, e.ReplyGzip != nil, e.Fail != ""); set != 1 {
		return out, fmt.Errorf("found %d of reply, reply_b64, reply_gzip and fail, expected exactly one", set)
	}
	var err error
	if out.Fail, err = failure(e.Fail, e.Detail); err != nil {
		return out, err
	}
	out.Reply, out.Cut, err = e.reply()
	return out, err
}

// micros is so many microseconds.
func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// count counts the facts that are so.
func count(facts ...bool) (n int) {
	for _, so := range facts {
		if so {
			n++
		}
	}
	return n
}

// failure returns the failure of a kind; nil for "". A foul is recorded as its reply.
func failure(kind, detail string) (*protocols.Failure, error) {
	f := &protocols.Failure{Kind: protocols.Kind(kind), Detail: detail}
	switch {
	case kind == "":
		return nil, nil
	case !slices.Contains(protocols.Kinds, f.Kind) || f.Kind == protocols.KindFoul:
		return f, fmt.Errorf("fail: found %q, expected time, idle, crash, memory, output, security or compile", kind)
	}
	return f, nil
}
