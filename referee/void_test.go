package referee

import (
	"errors"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
)

// TestRule has a row for each way in which a match can be void again.
func TestRule(t *testing.T) {
	late := &protocols.Failure{Kind: protocols.KindTime, Detail: "took too long"}
	stall := &VoidError{Cause: CauseStall, Seat: 1, Failure: late, Err: errors.New("umpire slept")}
	machine := &VoidError{Cause: CauseMachine, Seat: 1, Failure: late, Err: errors.New("overloaded")}
	memory := &VoidError{Cause: CauseMemory, Seat: 1, Err: errors.New("no memory")}
	helper1 := &VoidError{Cause: CauseHelper, Seat: 1, Kind: protocols.KindCrash, Err: errors.New("helper killed")}
	helper2 := &VoidError{Cause: CauseHelper, Seat: 2, Kind: protocols.KindCrash, Err: errors.New("helper killed")}
	freeze1 := &VoidError{Cause: CauseFreeze, Seat: 1, Kind: protocols.KindTime, Failure: late, Err: errors.New("computed")}
	type voids = []*VoidError
	for _, test := range []struct {
		name   string
		before voids
		now    *VoidError
		want   Ruling
		kind   protocols.Kind // of the failure by which the match goes on
		says   string
	}{
		{"the first stall", nil, stall, PlayAgain, "", ""},
		{"the second stall", voids{stall}, stall, PlayAgain, "", ""},
		{"the third stall", voids{stall, stall}, stall, ResultHolds, protocols.KindTime, "took too long; this counts"},
		{"the machine after a stall and a helper", voids{stall, helper1}, machine, ResultHolds, protocols.KindTime, "void 2 times"},
		{"the first helper", nil, helper1, PlayAgain, "", ""},
		{"the same seat's helper again", voids{helper1}, helper1, SeatLoses, protocols.KindCrash, "first played"},
		{"another seat's helper", voids{helper1}, helper2, PlayAgain, "", ""},
		{"the same seat's helper, another cause between", voids{helper1, memory}, helper1, SeatLoses, protocols.KindCrash, "helper killed"},
		{"the same seat's helper, another cause before", voids{memory, helper1}, helper1, SeatLoses, protocols.KindCrash, "for this seat before"},
		{"the same seat, in another way", voids{freeze1}, helper1, SeatLoses, protocols.KindCrash, "computed"},
		{"a seat is not to blame for the machine", voids{machine}, helper1, PlayAgain, "", ""},
		{"nor for a stall, or memory", voids{stall, memory}, helper1, CannotPlay, "", ""},
		{"memory, for the third time", voids{memory, memory}, memory, CannotPlay, "", ""},
		{"the seat computed for the first time, and the opponent's result is all there is", voids{stall, machine}, freeze1, ResultHolds, protocols.KindTime, ""},
	} {
		got := test.now.Rule(test.before)
		failure, _ := test.now.failure(test.before).(*protocols.Failure)
		switch {
		case got != test.want || (failure != nil) != (test.kind != ""):
			t.Errorf("%s: found ruling %d and failure %v, expected ruling %d", test.name, got, failure, test.want)
		case failure != nil && (failure.Kind != test.kind || !strings.Contains(failure.Detail, test.says)):
			t.Errorf("%s: found %v, expected %s: %q", test.name, failure, test.kind, test.says)
		}
	}
}

// stopping is umpire that stops once, at a seat's first look around.
type stopping struct {
	held  bool
	while func()
}

func (*stopping) Total() time.Duration { return 0 }
func (*stopping) Look() time.Duration  { return 0 }
func (s *stopping) Held() bool         { return s.held }

func (s *stopping) AwaitRelease() {
	s.while()
	s.held = false
}

// TestHold: while umpire is stopped all its contestants are, the one that is
// asked and the others; then all go on, but for one that was stopped before.
func TestHold(t *testing.T) {
	a := &thinker{scripted: scripted{replies: replies(4, 10*ms, 0)}}
	b := &thinker{scripted: scripted{replies: replies(4, 10*ms, 0)}}
	stops := 0
	stalls := &stopping{while: func() {
		stops++
		if a.frozen-a.thawed != 1 || b.frozen-b.thawed != 1 {
			t.Errorf("stopped: %d and %d times more than let go on, expected once", a.frozen-a.thawed, b.frozen-b.thawed)
		}
	}}
	a.meanwhile = []func(Ask){func(ask Ask) {
		stalls.held = true
		ask.Meanwhile()
	}}
	lines := Lines{Match: &rally{}, Stalls: stalls}
	played, err := lines.Conduct(t.Context(), []Contestant{a, b}, protocols.Limits{Time: time.Second}, Watcher{})
	if err != nil || len(played.Events) < 4 {
		t.Errorf("%d events, %v, expected that the match went on", len(played.Events), err)
	}
	if stops != 1 || a.frozen != 1 || a.thawed != 1 || b.frozen != 1 || b.thawed != 1 {
		t.Errorf("stopped %d times, contestants %d, %d, and let go on %d, %d times", stops, a.frozen, b.frozen, a.thawed, b.thawed)
	}
}

// TestEarlierWaits: what a seat waited for a CPU, and what it was charged in
// doubt, counts for its later replies where they share a budget, and only if it
// was charged.
func TestEarlierWaits(t *testing.T) {
	for _, test := range []struct {
		limits protocols.Limits
		free   time.Duration // of the wait
		waited time.Duration
		doubt  time.Duration
		left   time.Duration // for the next reply
	}{
		{protocols.Limits{Time: time.Second}, 0, 30 * ms, 5 * ms, 960 * ms},
		{protocols.Limits{Time: time.Second}, 20 * ms, 10 * ms, 5 * ms, 980 * ms},
		{protocols.Limits{Time: time.Second}, 30 * ms, 0, 5 * ms, 990 * ms},
		{protocols.Limits{Time: time.Second, Startup: 20 * ms}, 0, 20 * ms, 5 * ms, 980 * ms},
		{protocols.Limits{Time: time.Second, PerMove: 990 * ms}, 0, 30 * ms, 5 * ms, 960 * ms},
		{protocols.Limits{Time: time.Second, PerMove: 500 * ms}, 0, 0, 0, 500 * ms},
		{protocols.Limits{PerMove: time.Second}, 0, 0, 0, time.Second},
	} {
		var asks []Ask
		note := func(ask Ask) { asks = append(asks, ask) }
		a := &thinker{scripted: scripted{replies: replies(4, 10*ms, 0)}, meanwhile: []func(Ask){note, note}}
		a.replies[0] = Reply{Text: "x", Wall: 40 * ms, Wait: 30 * ms, Free: test.free, Doubt: 5 * ms}
		b := &thinker{scripted: scripted{replies: replies(4, 10*ms, 0)}}
		if _, err := (Lines{Match: &rally{}}).Conduct(t.Context(), []Contestant{a, b}, test.limits, Watcher{}); err != nil || len(asks) != 2 {
			t.Fatalf("%+v: asked %d times, error %v", test.limits, len(asks), err)
		}
		if asks[0].Waited != 0 || asks[0].Doubt != 0 || asks[1].Waited != test.waited || asks[1].Doubt != test.doubt {
			t.Errorf("%+v: found %v and %v of earlier replies, expected %v and %v", test.limits, asks[1].Waited, asks[1].Doubt, test.waited, test.doubt)
		}
		if asks[1].Limit != test.left {
			t.Errorf("%+v, %v of the wait free: found %v for the next reply, expected %v", test.limits, test.free, asks[1].Limit, test.left)
		}
	}
}
