package referee

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// broken is a match one of whose functions panics.
type broken struct {
	protocols.Match
	in string
}

func (b broken) panicIn(name string) {
	if b.in == name {
		panic("index out of range")
	}
}

func (b broken) Next() protocols.Step            { b.panicIn("Next"); return b.Match.Next() }
func (b broken) Result() []protocols.Outcome     { b.panicIn("Result"); return b.Match.Result() }
func (b broken) Fail(n int, f protocols.Failure) { b.panicIn("Fail"); b.Match.Fail(n, f) }
func (b broken) Reply(n int, s string) *protocols.Foul {
	b.panicIn("Reply")
	return b.Match.Reply(n, s)
}

// A defect anywhere in a game is an error that names the place, and everybody
// is stopped.
func TestDefectOfAGame(t *testing.T) {
	for _, in := range []string{"Next", "Reply", "Fail", "Result"} {
		c := parsed(t, protocoltest.Morra(), "1 1")
		a, b := &scripted{replies: []any{"2"}}, &scripted{replies: []any{"9"}}
		played, err := Lines{Match: broken{c.Start(2), in}}.Conduct(t.Context(), []Contestant{a, b}, protocols.Limits{}, Watcher{})
		if err == nil || !strings.HasPrefix(err.Error(), "defect of umpire: index out of range\n") ||
			!strings.Contains(err.Error(), "broken."+in+" (defect_test.go:") {
			t.Errorf("%s: found error %v, expected the defect and its place", in, err)
		}
		if err != nil && strings.Count(err.Error(), "\n") > 8 {
			t.Errorf("%s: a stack of %d lines", in, strings.Count(err.Error(), "\n"))
		}
		if a.stopped != 1 || b.stopped != 1 {
			t.Errorf("%s: stopped %d and %d times, expected once each", in, a.stopped, b.stopped)
		}
		if len(played.Seats) != 2 || played.Seats[0].Verdict != "" {
			t.Errorf("%s: found seats %+v, expected two without a verdict", in, played.Seats)
		}
	}
}

// short is a match that gives one result for two seats.
type short struct{ protocols.Match }

func (s short) Result() []protocols.Outcome { return s.Match.Result()[:1] }

func TestTooFewResults(t *testing.T) {
	c := parsed(t, protocoltest.Morra(), "1 1")
	seats := []Contestant{&scripted{replies: []any{"2"}}, &scripted{replies: []any{"2"}}}
	if _, err := (Lines{Match: short{c.Start(2)}}).Conduct(t.Context(), seats, protocols.Limits{}, Watcher{}); err == nil {
		t.Error("found no error")
	}
}

// patient is a contestant that thinks until it is told to stop waiting.
type patient struct{ scripted }

func (*patient) Receive(ctx context.Context, _ Ask) (Reply, error) {
	<-ctx.Done()
	return Reply{}, ctx.Err()
}

// explosive is a contestant whose reception panics.
type explosive struct{ scripted }

func (*explosive) Receive(context.Context, Ask) (Reply, error) {
	panic("no such pipe")
}

// Where one of several seats that think at the same time can't be asked, nobody
// waits for the others, and the error is that seat's.
func TestErrorEndsTheWaitingForOtherSeats(t *testing.T) {
	for want, failing := range map[string]Contestant{
		"seat 2: out of pipes":                   &scripted{replies: []any{errors.New("out of pipes")}},
		"seat 2: defect of umpire: no such pipe": &explosive{},
	} {
		c := parsed(t, protocoltest.Morra(), "1 1")
		waiting := &patient{}
		_, err := Lines{Match: c.Start(2)}.Conduct(t.Context(), []Contestant{waiting, failing}, protocols.Limits{Time: time.Hour}, Watcher{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("found error %v, expected %s", err, want)
		}
		if waiting.stopped != 1 {
			t.Errorf("seat 1 was stopped %d times", waiting.stopped)
		}
	}
}
