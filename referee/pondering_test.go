package referee

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"umpire/protocols"
)

// thinker is a script that also has a CPU clock. In the turn of another it
// computes what the other's script says.
type thinker struct {
	scripted
	spent          time.Duration // and not yet asked for
	hidden         time.Duration // of it, in children
	looks          time.Duration // how long each look at it takes
	frozen, thawed int
	// escapes: it may compute although it is frozen.
	escapes bool
	// meanwhile happens during each of its turns, before its reply.
	meanwhile []func(ask Ask)
}

func (s *thinker) Pondered(closely bool) (cpu time.Duration, computes bool, took time.Duration) {
	cpu, s.spent = s.spent, 0
	if closely {
		computes = s.hidden > 0
		cpu, s.hidden = cpu+s.hidden, 0
	}
	return cpu, computes, 0
}

// lateReply is how much time a reply took that did not come in time.
type lateReply struct{ Reply }

func (lateReply) Error() string { return "late" }

func (s *thinker) Freeze() { s.frozen++ }
func (s *thinker) Thaw()   { s.thawed++ }

// FreezeHolds implements Watched.
func (s *thinker) FreezeHolds() bool { return !s.escapes }

// Watch implements Watched.
func (s *thinker) Watch() time.Duration { return s.looks }

var _ Watched = (*thinker)(nil)

func (s *thinker) Receive(ctx context.Context, ask Ask) (Reply, error) {
	if len(s.meanwhile) > 0 {
		s.meanwhile[0](ask)
		s.meanwhile = s.meanwhile[1:]
	}
	reply, err := s.scripted.Receive(ctx, ask)
	if late, ok := err.(lateReply); ok {
		failure := &protocols.Failure{Kind: protocols.KindTime, Detail: "late"}
		if late.Wall-late.Excused-late.Wait <= ask.Limit {
			return late.Reply, &VoidError{Cause: CauseMachine, Seat: 1, Err: failure, Failure: failure}
		}
		return late.Reply, failure
	}
	if err == nil && ask.Others != nil {
		missing := reply.Wall - reply.CPU
		reply.Excused = min(ask.Others(missing, false), missing)
	}
	return reply, err
}

const ms = time.Millisecond

// rally is a match in which two seats reply in turn, until one fails.
type rally struct {
	turn int
	over bool
}

func (m *rally) Next() protocols.Step {
	if m.over {
		return protocols.Step{}
	}
	return protocols.Step{Await: []int{m.turn + 1}}
}

func (m *rally) Reply(int, string) *protocols.Foul { m.turn = 1 - m.turn; return nil }
func (m *rally) Fail(int, protocols.Failure)       { m.over = true }
func (m *rally) Result() []protocols.Outcome       { return make([]protocols.Outcome, 2) }
func (m *rally) State() any                        { return m.turn }
func (m *rally) String() string                    { return "rally" }

// playRally plays a rally until a script ends.
func playRally(t *testing.T, pondering Pondering, limits protocols.Limits, a, b *thinker) Result {
	t.Helper()
	d := &driver{match: &rally{}, limits: limits, pondering: pondering}
	played, err := d.play(t.Context(), []Contestant{a, b})
	if err != nil {
		t.Fatal(err)
	}
	return played
}

// replies are so many that take the same time, and then a failure.
func replies(n int, wall, cpu time.Duration) (list []any) {
	for range n {
		list = append(list, Reply{Text: "x", Wall: wall, CPU: cpu})
	}
	return append(list, &protocols.Failure{Kind: protocols.KindCrash, Detail: "enough"})
}

func charges(played Result, seat int) (list []time.Duration) {
	for _, e := range played.Events {
		if e.Seat == seat && e.Fail == nil {
			list = append(list, e.Charged)
		}
	}
	return list
}

// TestPonderingIsChargedToWhoeverPonders checks both accounts for each policy.
func TestPonderingIsChargedToWhoeverPonders(t *testing.T) {
	for _, test := range []struct {
		policy Pondering
		limits protocols.Limits
		a, b   []time.Duration
	}{
		// Seat 2 computes 30 ms in each turn of seat 1, which takes 50 ms of which
		// 15 ms are its own; seat 2 takes 5 ms.
		{PonderAllow, protocols.Limits{Time: time.Second}, []time.Duration{50 * ms, 50 * ms}, []time.Duration{5 * ms, 5 * ms}},
		{PonderCharge, protocols.Limits{Time: time.Second}, []time.Duration{20 * ms, 20 * ms}, []time.Duration{35 * ms, 35 * ms}},
		{PonderFreeze, protocols.Limits{Time: time.Second}, []time.Duration{20 * ms, 20 * ms}, []time.Duration{35 * ms, 35 * ms}},
		// What it computes before its first reply is its start.
		{
			PonderCharge, protocols.Limits{Time: time.Second, Startup: 100 * ms},
			[]time.Duration{0, 20 * ms}, []time.Duration{0, 35 * ms},
		},
		// The bound of CPU time is of that alone.
		{
			PonderCharge, protocols.Limits{Time: time.Second, CPU: true},
			[]time.Duration{15 * ms, 15 * ms}, []time.Duration{34 * ms, 34 * ms},
		},
	} {
		a := &thinker{scripted: scripted{replies: replies(2, 50*ms, 15*ms)}}
		b := &thinker{scripted: scripted{replies: replies(2, 5*ms, 4*ms)}}
		computes := func(Ask) { b.spent += 30 * ms }
		a.meanwhile = []func(Ask){computes, computes}
		played := playRally(t, test.policy, test.limits, a, b)
		if got := charges(played, 1); !slices.Equal(got, test.a) {
			t.Errorf("%s: seat 1 was charged %v, expected %v", test.policy, got, test.a)
		}
		if got := charges(played, 2); !slices.Equal(got, test.b) {
			t.Errorf("%s: seat 2 was charged %v, expected %v", test.policy, got, test.b)
		}
	}
}

// TestLooksAreChargedToNobody lets umpire look at seat 2 twice in each turn of seat 1.
func TestLooksAreChargedToNobody(t *testing.T) {
	for policy, want := range map[Pondering]time.Duration{PonderAllow: 50 * ms, PonderCharge: 30 * ms, PonderFreeze: 30 * ms} {
		a := &thinker{scripted: scripted{replies: replies(2, 50*ms, 15*ms)}}
		b := &thinker{scripted: scripted{replies: replies(2, 5*ms, 4*ms)}, looks: 10 * ms}
		turn := func(ask Ask) {
			ask.Meanwhile()
			ask.Meanwhile()
		}
		a.meanwhile = []func(Ask){turn, turn}
		played := playRally(t, policy, protocols.Limits{Time: time.Second}, a, b)
		if got := charges(played, 1); !slices.Equal(got, []time.Duration{want, want}) {
			t.Errorf("%s: seat 1 was charged %v, expected %v for each reply", policy, got, want)
		}
		if got := charges(played, 2); !slices.Equal(got, []time.Duration{5 * ms, 5 * ms}) {
			t.Errorf("%s: seat 2 was charged %v, expected its own 5 ms for each reply", policy, got)
		}
	}
}

// TestPonderingUsesUpTheBudget lets a seat compute more than it has left, with a
// start-up allowance that it has not used: it is late, and charged for what it
// computed.
func TestPonderingUsesUpTheBudget(t *testing.T) {
	a := &thinker{scripted: scripted{replies: replies(3, 10*ms, 10*ms)}}
	b := &thinker{scripted: scripted{replies: replies(3, 10*ms, 10*ms)}}
	a.meanwhile = []func(Ask){
		func(Ask) { b.spent += 250 * ms },
		func(Ask) { b.spent += 41 * ms },
	}
	played := playRally(t, PonderCharge, protocols.Limits{Time: 200 * ms, Startup: 100 * ms}, a, b)
	if got := b.asks[0].Limit; got != 50*ms {
		t.Errorf("for its first reply seat 2 had %v, expected 50ms", got)
	}
	s := played.Seats[1]
	if s.Verdict != "time" || s.Charged != 201*ms || s.Detail != "computed for 0.041 s while it was not its turn, 0.040 s were left" {
		t.Errorf("%s (%s), charged %v, expected time and 201ms", s.Verdict, s.Detail, s.Charged)
	}
}

// TestPonderingAfterWaits: a seat that has computed away its budget in another's
// turn, but would have enough of it had it not waited for a CPU in its own, makes
// the match void, unless it would be late all the same.
func TestPonderingAfterWaits(t *testing.T) {
	for _, test := range []struct {
		limits   protocols.Limits
		pondered time.Duration
		void     bool
	}{
		{protocols.Limits{Time: 200 * ms}, 90 * ms, false}, // 100 ms were left
		{protocols.Limits{Time: 200 * ms}, 101 * ms, true},
		{protocols.Limits{Time: 200 * ms}, 160 * ms, true},
		{protocols.Limits{Time: 200 * ms}, 161 * ms, false},
		{protocols.Limits{Time: 200 * ms, PerMove: 50 * ms}, 60 * ms, false}, // what it waited was of other replies
	} {
		a := &thinker{scripted: scripted{replies: replies(3, ms, ms)}}
		b := &thinker{scripted: scripted{replies: replies(3, ms, ms)}}
		b.replies[0] = Reply{Text: "x", Wall: 100 * ms, CPU: 40 * ms, Wait: 60 * ms}
		a.meanwhile = []func(Ask){func(Ask) {}, func(Ask) { b.spent += test.pondered }}
		lines := Lines{Match: &rally{}, Pondering: PonderCharge}
		_, err := lines.Conduct(t.Context(), []Contestant{a, b}, test.limits, Watcher{})
		void, ok := errors.AsType[*VoidError](err)
		if ok != test.void || ok && (void.Cause != CauseMachine || void.Seat != 2) {
			t.Errorf("%+v, %v pondered: found %v, expected a void match: %v", test.limits, test.pondered, err, test.void)
		}
	}
}

// TestFreeze checks when a seat that computes in another's turn is stopped: when
// that keeps us waiting, and from then on after each of its replies.
func TestFreeze(t *testing.T) {
	for _, test := range []struct {
		policy Pondering
		want   int
	}{{PonderAllow, 0}, {PonderCharge, 0}, {PonderFreeze, 3}} {
		a := &thinker{scripted: scripted{replies: replies(4, 10*ms, 1*ms)}}
		b := &thinker{scripted: scripted{replies: replies(4, 1*ms, 1*ms)}}
		quick := func(Ask) {}
		slow := func(ask Ask) {
			b.hidden += 5 * ms
			if ask.Others != nil {
				if got := ask.Others(9*ms, true); got != 5*ms {
					t.Errorf("%s: others have used %v, expected 5ms", test.policy, got)
				}
			}
		}
		// Stopped in the third turn of seat 1, and after its own third and fourth.
		a.meanwhile = []func(Ask){quick, quick, slow, quick}
		playRally(t, test.policy, protocols.Limits{Time: time.Second}, a, b)
		if a.frozen != 0 || b.frozen != test.want {
			t.Errorf("%s: stopped %d and %d times, expected 0 and %d", test.policy, a.frozen, b.frozen, test.want)
		}
	}
}

// TestEscapeIsVoid lets a seat compute although it is stopped, at a level where
// that can be, so that its opponent is late. The match is void; the second time
// whoever has done so fails when it next owes a reply, and the other does not.
func TestEscapeIsVoid(t *testing.T) {
	limits := protocols.Limits{Time: 100 * ms}
	play := func(escapes, waiting bool, before []*VoidError, wait time.Duration) (Result, error) {
		a := &thinker{scripted: scripted{replies: replies(1, 10*ms, 10*ms)}}
		b := &thinker{scripted: scripted{replies: replies(2, 10*ms, 10*ms)}, escapes: escapes}
		late := func(ask Ask) {
			b.hidden = 5 * ms
			ask.Others(20*ms, true)
			b.hidden = 5 * ms
			if excused := ask.Others(140*ms, waiting); 150*ms-excused > 90*ms { // what nobody saw was taken, too
				a.replies = []any{lateReply{Reply{Wall: 150 * ms, Wait: wait, Excused: 10 * ms}}}
			}
		}
		a.meanwhile = []func(Ask){func(Ask) {}, late}
		a.replies = append([]any{Reply{Text: "x"}}, a.replies...)
		lines := Lines{Match: &rally{}, Pondering: PonderFreeze, Voids: before}
		return lines.Conduct(t.Context(), []Contestant{a, b}, limits, Watcher{})
	}
	for name, test := range map[string]struct {
		escapes bool
		wait    time.Duration
		cause   Cause
	}{
		"caused by it":                 {true, 60 * ms, CauseFreeze},
		"not: it did not wait so long": {true, 20 * ms, ""},
		"a level that is exact":        {false, 60 * ms, CauseMachine},
	} {
		played, err := play(test.escapes, true, nil, test.wait)
		void, ok := errors.AsType[*VoidError](err)
		if ok != (test.cause != "") || ok && void.Cause != test.cause {
			t.Errorf("%s: %v, expected the cause %q", name, err, test.cause)
		}
		if !ok && played.Seats[0].Verdict != "time" {
			t.Errorf("%s: %s, expected time", name, played.Seats[0].Verdict)
		}
	}
	// The second time it is found at the last look before its opponent is late, or
	// once the late reply is there.
	before := &VoidError{Cause: CauseFreeze, Seat: 2, Kind: protocols.KindTime}
	for _, voids := range [][]*VoidError{{before}, {before, {Cause: CauseMachine, Seat: 1}}} {
		for _, waiting := range []bool{true, false} {
			played, err := play(true, waiting, voids, 60*ms)
			if err != nil || played.Seats[0].Verdict != OK || played.Seats[1].Verdict != "time" {
				t.Errorf("after %d voids, waiting %v: %v, %v", len(voids), waiting, err, verdicts(played))
			}
		}
	}
	// The first time it was not that which voided the match.
	if played, err := play(true, true, []*VoidError{{Cause: CauseMemory}}, 60*ms); err == nil {
		t.Errorf("the first such time: %v, expected it to be void", verdicts(played))
	}
}
