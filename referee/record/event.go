package record

import (
	"fmt"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// EventOf makes an event of a match that is going on, under limits.
func EventOf(e referee.Event, l Limits) Event { return newEvent(e, l.Clock == clock(true), referee.OK) }

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
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	out := referee.Event{Seat: e.Seat, Wall: us(e.WallUS), CPU: us(e.CPUUS), Wait: us(e.WaitUS), Stall: us(e.StallUS)}
	set := 0
	for _, there := range []bool{e.Reply != nil, e.ReplyB64 != nil, e.ReplyGzip != nil, e.Fail != ""} {
		if there {
			set++
		}
	}
	if set != 1 {
		return out, fmt.Errorf("found %d of reply, reply_b64, reply_gzip and fail, expected exactly one", set)
	}
	if e.Fail != "" {
		if !failureKind(e.Fail) {
			return out, fmt.Errorf("fail: found %q, expected time, idle, crash, memory, output, security or compile", e.Fail)
		}
		out.Fail = &protocols.Failure{Kind: protocols.Kind(e.Fail), Detail: e.Detail}
	}
	var err error
	out.Reply, out.Cut, err = e.reply()
	return out, err
}
