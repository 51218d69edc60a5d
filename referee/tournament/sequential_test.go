package tournament

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// sequentialOf begins a test of two bots on so many cases, each so often.
func sequentialOf(t *testing.T, cases, times int) *Run {
	t.Helper()
	texts := make([]string, cases)
	for i := range texts {
		texts[i] = string(rune('a' + i))
	}
	n := cases * times
	plan, err := Config{SPRT: "elo0=0,elo1=100", CasesPerPair: &n}.Plan(2, 2, texts, protocols.ByWins)
	must(t, err)
	return NewRun(plan, nil, nil)
}

// match is the n-th match of the schedule, won by the second bot or the first; play
// says how it went.
func match(s *Sequential, n int, second bool, play uint64) *record.Summary {
	seats := []record.SummarySeat{{Bot: "old", Verdict: "ok", Place: 1}, {Bot: "new", Verdict: "ok", Place: 1}}
	if second {
		seats[0].Place = 2
	} else {
		seats[1].Place = 2
	}
	if n%2 == 1 {
		seats[0], seats[1] = seats[1], seats[0]
	}
	return &record.Summary{Key: uint64(n + 1), PairingKey: uint64(n % s.pass / 2), Repetition: 1 + n/s.pass, Play: play, Seats: seats}
}

// TestSequentialOrder: a test decides by the pairs in the order of the schedule,
// whatever the order in which they end, and whatever ends after those that decide.
func TestSequentialOrder(t *testing.T) {
	const matches = 2 * 25 * 8
	rng := rand.New(rand.NewPCG(3, 5))
	list := make([]*record.Summary, matches)
	for n := range list {
		list[n] = match(sequentialOf(t, 25, 8).Sequential, n, rng.IntN(100) < 62, rng.Uint64())
	}
	inOrder := sequentialOf(t, 25, 8).Sequential
	for n, b := range list {
		inOrder.add(n, b)
	}
	if inOrder.Decision != strength.AcceptH1 || inOrder.Pairs.Pairs() == matches/2 {
		t.Fatalf("found %+v, expected it to accept H1 before the end", inOrder)
	}
	for range 20 {
		mixed := sequentialOf(t, 25, 8).Sequential
		for _, n := range rng.Perm(matches) {
			if rng.IntN(4) == 0 {
				mixed.add(n, &record.Summary{Failed: true}) // played again later
			}
			mixed.add(n, list[n])
		}
		if mixed.Decision != inOrder.Decision || mixed.Pairs != inOrder.Pairs {
			t.Errorf("found %s after %v, in order %s after %v", mixed.Decision, mixed.Pairs, inOrder.Decision, inOrder.Pairs)
		}
	}
}

// TestSequentialEnds: a test is undecided when all has been played, or when the bots
// play the same again on all cases, unless the judge draws other deals.
func TestSequentialEnds(t *testing.T) {
	for _, test := range []struct {
		name    string
		play    func(n, pass int) uint64
		seed    uint64
		last    int // match after which it ends
		repeats bool
	}{
		{"all differ", func(n, _ int) uint64 { return uint64(n) }, 0, 2 * 4 * 3, false},
		{"all alike", func(n, pass int) uint64 { return uint64(n % pass) }, 0, 2 * 4 * 2, true},
		{"all alike so far", func(n, pass int) uint64 { return uint64(n % pass) }, 7, 2 * 4 * 3, false},
		{"another one differs each time", func(n, pass int) uint64 {
			if time, where := n/pass, n%pass/2; time > 0 && time+where == 2 {
				return uint64(1000 + n)
			}
			return uint64(n % pass)
		}, 0, 2 * 4 * 3, false},
		{"one differs", func(n, pass int) uint64 { return uint64(n%pass + n/pass*100*(1-min(1, n%pass))) }, 0, 2 * 4 * 3, false},
	} {
		s := sequentialOf(t, 4, 3).Sequential
		for n := range s.matches {
			if s.decided() != (n >= test.last) {
				t.Fatalf("%s: decided is %v after %d matches, expected the end after %d", test.name, s.decided(), n, test.last)
			}
			b := match(s, n, n%2 == 0, test.play(n, s.pass))
			b.Seed = test.seed
			s.add(n, b)
		}
		if s.Decision != strength.Undecided || s.Repeats != test.repeats {
			t.Errorf("%s: found %q, repeats %v", test.name, s.Decision, s.Repeats)
		}
	}
}
