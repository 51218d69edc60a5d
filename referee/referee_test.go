package referee

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// scripted is a contestant that replies from a list, and notes what happens to
// it.
type scripted struct {
	replies []any // contestant.Reply, string, or error
	asks    []Ask
	got     []string
	closed  bool
	stopped int
}

func (s *scripted) Send(text string) { s.got = append(s.got, strings.Split(text, "\n")...) }
func (s *scripted) CloseInput()      { s.closed = true }
func (s *scripted) Stop() (u Usage)  { s.stopped++; return u }

func (s *scripted) Receive(_ context.Context, ask Ask) (Reply, error) {
	s.asks = append(s.asks, ask)
	if len(s.replies) == 0 {
		return Reply{}, errors.New("asked too often")
	}
	next := s.replies[0]
	s.replies = s.replies[1:]
	switch r := next.(type) {
	case string:
		return Reply{Text: r}, nil
	case Reply:
		return r, nil
	default:
		return Reply{}, r.(error)
	}
}

// parsed reads a case of a toy game.
func parsed(t *testing.T, g protocols.Game, text string) protocols.Case {
	t.Helper()
	c, err := g.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// play plays a toy game's case between scripts.
func play(t *testing.T, g protocols.Game, text string, limits protocols.Limits, scripts ...*scripted) (Result, error) {
	t.Helper()
	c := parsed(t, g, text)
	seats := make([]Contestant, len(scripts))
	for i, s := range scripts {
		seats[i] = s
	}
	played, err := Lines{Match: c.Start(len(seats))}.Conduct(t.Context(), seats, limits, Watcher{})
	for i, s := range scripts {
		if s.stopped != 1 {
			t.Errorf("seat %d was stopped %d times, want once", i+1, s.stopped)
		}
	}
	return played, err
}

func verdicts(p Result) (out []Verdict) {
	for _, s := range p.Seats {
		out = append(out, s.Verdict)
	}
	return out
}

func TestSimultaneousRepliesAreAppliedInSeatOrder(t *testing.T) {
	a := &scripted{replies: []any{"1", "2"}}
	b := &scripted{replies: []any{"2", "4"}}
	played, err := play(t, protocoltest.Morra(), "2 2", protocols.Limits{}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	var seats []int
	for _, e := range played.Events {
		seats = append(seats, e.Seat)
	}
	if want := []int{1, 2, 1, 2}; !slices.Equal(seats, want) {
		t.Errorf("events are of seats %v, want %v", seats, want)
	}
	// 1+2 is odd: to seat 1. 2+4 is even: to seat 2, which takes the even sums.
	if played.Seats[0].Score != protocols.Points(3) || played.Seats[1].Score != protocols.Points(6) {
		t.Errorf("scores %v and %v, want 3 and 6", played.Seats[0].Score, played.Seats[1].Score)
	}
	if want := []string{"2 2", "2", "4"}; !slices.Equal(a.got, want) {
		t.Errorf("seat 1 was sent %q, want %q", a.got, want)
	}
}

func TestTwoBrokenContestantsAtOnce(t *testing.T) {
	a := &scripted{replies: []any{&protocols.Failure{Kind: protocols.KindCrash, Detail: "x"}}}
	b := &scripted{replies: []any{"9"}}
	played, err := play(t, protocoltest.Morra(), "2 2", protocols.Limits{}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Verdict{"crash", "foul"}; !slices.Equal(verdicts(played), want) {
		t.Errorf("verdicts %q, want %q", verdicts(played), want)
	}
	if played.Events[1].Fail != nil || played.Events[1].Reply != "9" {
		t.Errorf("a foul is recorded as %+v, want its reply alone", played.Events[1])
	}
}

func TestFailedSeatIsStoppedAndSentNothing(t *testing.T) {
	a := &scripted{replies: []any{"rool"}}
	b := &scripted{replies: []any{"hold", "roll", "hold"}}
	c := &scripted{replies: []any{&protocols.Failure{Kind: protocols.KindTime, Detail: "x"}}}
	played, err := play(t, protocoltest.Relay(), "100\n7", protocols.Limits{}, a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Verdict{"foul", "ok", "time"}; !slices.Equal(verdicts(played), want) {
		t.Errorf("verdicts %q, want %q", verdicts(played), want)
	}
	if got := a.got[len(a.got)-1]; got != "turn" {
		t.Errorf("seat 1 was sent %q after its foul", got)
	}
	if !b.closed {
		t.Error("the winner's input was not closed")
	}
	if places := []int{played.Seats[0].Place, played.Seats[1].Place, played.Seats[2].Place}; !slices.Equal(places, []int{3, 1, 2}) {
		t.Errorf("places %v, want [3 1 2]", places)
	}
}

func TestWholeOutput(t *testing.T) {
	s := &scripted{replies: []any{"6\n"}}
	played, err := play(t, protocoltest.Sum(), "3\n1 2 3", protocols.Limits{Time: time.Second}, s)
	if err != nil || played.Seats[0].Verdict != OK {
		t.Fatalf("verdict %q, error %v", played.Seats[0].Verdict, err)
	}
	if !s.closed || !s.asks[0].UntilEOF {
		t.Error("the input was not closed, or not the whole output asked for")
	}
	s = &scripted{replies: []any{"7\n"}}
	played, _ = play(t, protocoltest.Sum(), "3\n1 2 3", protocols.Limits{}, s)
	if played.Seats[0].Verdict != Wrong || played.Seats[0].Detail == "" {
		t.Errorf("verdict %q, detail %q, want wrong with a reason", played.Seats[0].Verdict, played.Seats[0].Detail)
	}
}

// TestBudgets checks what contestants are allowed and charged, from the limits
// and what their replies took.
func TestBudgets(t *testing.T) {
	ms := time.Millisecond
	for _, test := range []struct {
		name    string
		limits  protocols.Limits
		took    []Reply
		allowed []time.Duration
		charged time.Duration
	}{
		{
			"none", protocols.Limits{},
			[]Reply{{Wall: 5 * ms}, {Wall: 7 * ms}},
			[]time.Duration{-1, -1}, 12 * ms,
		}, {
			"whole match", protocols.Limits{Time: 100 * ms},
			[]Reply{{Wall: 30 * ms}, {Wall: 30 * ms}, {Wall: 40 * ms}, {}},
			[]time.Duration{100 * ms, 70 * ms, 40 * ms, 0}, 100 * ms,
		}, {
			"each move", protocols.Limits{PerMove: 50 * ms},
			[]Reply{{Wall: 30 * ms}, {Wall: 50 * ms}},
			[]time.Duration{50 * ms, 50 * ms}, 80 * ms,
		}, {
			"both", protocols.Limits{Time: 100 * ms, PerMove: 60 * ms},
			[]Reply{{Wall: 60 * ms}, {Wall: 10 * ms}},
			[]time.Duration{60 * ms, 40 * ms}, 70 * ms,
		}, {
			"start-up, used in part", protocols.Limits{Time: 100 * ms, Startup: 50 * ms},
			[]Reply{{Wall: 20 * ms}, {Wall: 10 * ms}},
			[]time.Duration{150 * ms, 100 * ms}, 10 * ms,
		}, {
			"start-up, exceeded", protocols.Limits{Time: 100 * ms, Startup: 50 * ms},
			[]Reply{{Wall: 80 * ms}, {Wall: 10 * ms}},
			[]time.Duration{150 * ms, 70 * ms}, 40 * ms,
		}, {
			"CPU time", protocols.Limits{Time: 100 * ms, CPU: true},
			[]Reply{{Wall: 80 * ms, CPU: 3 * ms}, {Wall: 80 * ms, CPU: 4 * ms}},
			[]time.Duration{100 * ms, 97 * ms}, 7 * ms,
		}, {
			"others took a part", protocols.Limits{Time: 100 * ms},
			[]Reply{{Wall: 90 * ms, Excused: 80 * ms}, {Wall: 30 * ms}, {}},
			[]time.Duration{100 * ms, 90 * ms, 60 * ms}, 40 * ms,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{}
			for _, r := range test.took {
				r.Text = "1"
				s.replies = append(s.replies, r)
			}
			other := &scripted{replies: make([]any, len(test.took))}
			for i := range other.replies {
				other.replies[i] = "1"
			}
			rounds := string(rune('0' + len(test.took)))
			played, err := play(t, protocoltest.Morra(), rounds+" 1", test.limits, s, other)
			if err != nil {
				t.Fatal(err)
			}
			var allowed []time.Duration
			for _, ask := range s.asks {
				allowed = append(allowed, ask.Limit)
			}
			if diff := cmp.Diff(test.allowed, allowed); diff != "" {
				t.Errorf("allowed (-want +got):\n%s", diff)
			}
			if got := played.Seats[0].Charged; got != test.charged {
				t.Errorf("charged %v, want %v", got, test.charged)
			}
		})
	}
}

func TestUmpiresOwnErrorIsNoVerdict(t *testing.T) {
	broken := errors.New("disk on fire")
	played, err := play(t, protocoltest.Morra(), "2 2", protocols.Limits{}, &scripted{replies: []any{"1"}}, &scripted{replies: []any{broken}})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	for i, s := range played.Seats {
		if s.Verdict != "" || s.Place != 0 {
			t.Errorf("seat %d got verdict %q", i+1, s.Verdict)
		}
	}
}

func TestReplay(t *testing.T) {
	c := parsed(t, protocoltest.Relay(), "100\n7")
	scripts := []Contestant{
		&scripted{replies: []any{"rool"}},
		&scripted{replies: []any{"hold", "roll", "hold"}},
		&scripted{replies: []any{&protocols.Failure{Kind: protocols.KindTime, Detail: "x"}}},
	}
	played, err := Lines{Match: c.Start(3)}.Conduct(t.Context(), scripts, protocols.Limits{}, Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Setup{Case: c, Seats: 3}.Replay(played.Events, Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(played, again); diff != "" {
		t.Errorf("played again (-first +again):\n%s", diff)
	}
	change := func(f func(e []Event) []Event) []Event { return f(slices.Clone(played.Events)) }
	for name, events := range map[string][]Event{
		"events: end after 4, before the match is over":    change(func(e []Event) []Event { return e[:4] }),
		"events[5]: comes after the end of the match":      change(func(e []Event) []Event { return append(e, e[0]) }),
		"events[1]: is of seat 3, but seat 2 owed a reply": change(func(e []Event) []Event { e[1].Seat = 3; return e }),
		"events[0]: seat 4, expected 1 to 3":               change(func(e []Event) []Event { e[0].Seat = 4; return e }),
		"events[4]: is of seat 1, which owed no reply":     change(func(e []Event) []Event { e[4].Seat = 1; return e }),
		"events: end after 0, before the match is over":    nil,
	} {
		if _, err := (Setup{Case: c, Seats: 3}).Replay(events, Watcher{}); err == nil || err.Error() != name {
			t.Errorf("got error %v, want %s", err, name)
		}
	}
}

// starved is a contestant that is late since it waited for a CPU.
type starved struct{ scripted }

func (*starved) Receive(context.Context, Ask) (Reply, error) {
	return Reply{Wall: time.Hour, Wait: time.Hour}, &protocols.Failure{Kind: protocols.KindTime}
}

// Seats that think at the same time and are late for want of a CPU fail, each by
// itself: what is known of one is not read while the other's is written, as the
// race detector sees.
func TestLateTogether(t *testing.T) {
	c := parsed(t, protocoltest.Morra(), "1 1")
	played, err := Lines{Match: c.Start(2)}.Conduct(t.Context(), []Contestant{&starved{}, &starved{}}, protocols.Limits{Time: time.Second}, Watcher{})
	if got := verdicts(played); err != nil || got[0] != Verdict(protocols.KindTime) || got[1] != got[0] {
		t.Errorf("found verdicts %v, error %v", got, err)
	}
}
