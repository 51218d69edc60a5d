package standings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
)

// repeatedMatch is one match of a and b: on a case, in a repetition, in one of the
// two orders of seats, played in a way that play names. Seat 1 wins.
func repeatedMatch(n, where, repetition, first int, play uint64) *record.Summary {
	text := "a 1, b 0"
	if first == 1 {
		text = "b 1, a 0"
	}
	b := played(n, text)
	b.PairingKey, b.Repetition, b.Play = uint64(where), repetition, play
	return b
}

// TestRepeatedGames: repetitions that are all alike are one observation; if any
// differs, each is one. The order of the records does not matter.
func TestRepeatedGames(t *testing.T) {
	for _, c := range []struct {
		name                   string
		play                   func(where, repetition, first int) uint64
		cases, repetitions     int
		observations, repeated int
	}{
		{"deterministic bots", func(where, _, first int) uint64 { return uint64(10*where + first) }, 25, 10, 25, 450},
		{"bots that draw lots", func(where, repetition, first int) uint64 { return uint64(1000*where + 10*repetition + first) }, 25, 10, 250, 0},
		{"each case once", func(where, _, first int) uint64 { return uint64(10*where + first) }, 25, 1, 25, 0},
		{"one repetition differs, on the first case", func(where, repetition, first int) uint64 {
			if where == 1 && repetition == 7 && first == 0 {
				return 77
			}
			return uint64(10*where + first)
		}, 25, 10, 24 + 10, 24 * 18},
	} {
		var list []*record.Summary
		for where := 1; where <= c.cases; where++ {
			for repetition := 1; repetition <= c.repetitions; repetition++ {
				for first := range 2 {
					list = append(list, repeatedMatch(len(list), where, repetition, first, c.play(where, repetition, first)))
				}
			}
		}
		for seed := range uint64(5) {
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			tl := NewTally(protocols.ByWins)
			for _, b := range list {
				tl.Add(b)
			}
			s := tl.Standings(nil)
			if s.Matches != len(list) || s.Pairs[0].Played != len(list) || s.Pairs[0].Observations != c.observations || s.Pairs[0].Cases != c.cases || s.Repeated != c.repeated {
				t.Errorf("%s: %d cases, %d matches, %d played, %d observations, %d repeated; expected %d, %d, %d, %d, %d", c.name,
					s.Pairs[0].Cases, s.Matches, s.Pairs[0].Played, s.Pairs[0].Observations, s.Repeated, c.cases, len(list), len(list), c.observations, c.repeated)
			}
		}
	}
}

// TestRepeatedDeals: each deal of a judge is a case, once deals differ.
func TestRepeatedDeals(t *testing.T) {
	for _, c := range []struct {
		deals                         []uint64
		observations, cases, repeated int
	}{
		{[]uint64{10, 10, 10}, 1, 1, 4},
		{[]uint64{10, 20, 10, 10, 20}, 5, 5, 0},
		{[]uint64{10, 10, 10, 10, 20}, 5, 5, 0},
	} {
		tl := NewTally(protocols.ByWins)
		for n, deal := range c.deals {
			for first := range 2 {
				b := repeatedMatch(2*n+first, 1, n+1, first, deal+uint64(first))
				b.Seed = uint64(n + 1)
				tl.Add(b)
			}
		}
		if s := tl.Standings(nil); s.Pairs[0].Observations != c.observations || s.Pairs[0].Cases != c.cases || s.Repeated != c.repeated {
			t.Errorf("%v: %d observations of %d deals, %d repeated, expected %d, %d, %d", c.deals,
				s.Pairs[0].Observations, s.Pairs[0].Cases, s.Repeated, c.observations, c.cases, c.repeated)
		}
	}
}

// TestRepeatedSoFar: a run that is still being played counts what is there.
func TestRepeatedSoFar(t *testing.T) {
	type match struct {
		repetition, first int
		play              uint64
	}
	for _, c := range []struct {
		name                   string
		matches                []match
		observations, repeated int
	}{
		{"one order, three times alike", []match{{1, 0, 5}, {2, 0, 5}, {3, 0, 5}}, 1, 2},
		{"one order, one differs", []match{{1, 0, 5}, {2, 0, 5}, {3, 0, 6}}, 3, 0},
		{"a second repetition has begun alike", []match{{1, 0, 5}, {1, 1, 6}, {2, 0, 5}}, 1, 1},
		{"it has begun otherwise", []match{{1, 0, 5}, {1, 1, 6}, {2, 0, 7}}, 2, 0},
		{"the third has begun otherwise", []match{{1, 0, 5}, {1, 1, 6}, {2, 0, 5}, {2, 1, 6}, {3, 1, 7}}, 3, 0},
		{"of three that are complete two are alike, the fourth has begun like them", []match{
			{1, 0, 5}, {1, 1, 6}, {2, 0, 7}, {2, 1, 6}, {3, 0, 5}, {3, 1, 6}, {4, 1, 6},
		}, 4, 0},
	} {
		for seed := range uint64(5) {
			list := slices.Clone(c.matches)
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			tl := NewTally(protocols.ByWins)
			for _, m := range list {
				tl.Add(repeatedMatch(10*m.repetition+m.first, 1, m.repetition, m.first, m.play))
			}
			if s := tl.Standings(nil); s.Pairs[0].Observations != c.observations || s.Repeated != c.repeated {
				t.Errorf("%s: %d observations, %d repeated, expected %d, %d", c.name, s.Pairs[0].Observations, s.Repeated, c.observations, c.repeated)
			}
		}
	}
}

// TestRepeatedTables: with more seats, of which not all orders are played, repeated
// tables do not narrow the interval of the mean either.
func TestRepeatedTables(t *testing.T) {
	width := func(repetitions int, same bool) string {
		tl := NewTally(protocols.ByPlaces)
		for where := range 3 {
			for repetition := range repetitions {
				for first := range 3 {
					b := played(100*where+10*repetition+first, []string{"a 3, b 2, c 1", "b 2, c 1, a 3", "c 4, a 5, b 0"}[first])
					b.Seats[first].Score = b.Seats[first].Score.Plus(protocols.Points(where))
					b.PairingKey, b.Repetition, b.Play = uint64(where), repetition+1, uint64(first)
					if !same {
						b.Play = uint64(10*repetition + first)
					}
					tl.Add(b)
				}
			}
		}
		m := tl.Standings(nil).Rows[0].Mean
		return fmt.Sprint(m.Value, *m.Low, *m.High)
	}
	if once, again := width(1, true), width(5, true); once != again {
		t.Errorf("once %s, five times alike %s", once, again)
	}
	if once, again := width(1, true), width(5, false); once == again {
		t.Errorf("five different repetitions: %s, as if played once", again)
	}
}
