package tournament

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"umpire/protocols"
	"umpire/referee/standings"
	"umpire/referee/strength"
	"umpire/referee/testlevel"
)

// TestSwissAtScale plays a Swiss tournament of 10,001 bots (in short 2,001) whose strengths are
// known: no pair meets twice, each round has one bye and no bot a second, and
// the order is near that of the strengths. `go run ./scripts/scale swiss` has the
// figures of each number of rounds.
func TestSwissAtScale(t *testing.T) {
	const rounds = 14
	bots := testlevel.Times(2_001, 10_001, 10_001)
	rng := rand.New(rand.NewPCG(1, 2))
	elos := make([]float64, bots)
	for i := range elos {
		elos[i] = 200 * rng.NormFloat64()
	}
	p := plan(Swiss, bots, 2, 1)
	p.Rounds = rounds
	done := finish(p, func(pair strength.Pair) standings.Meeting {
		e := standings.Meeting{Pair: pair}
		for range 2 {
			if rng.Float64() < 1/(1+math.Pow(10, (elos[pair.B]-elos[pair.A])/400)) {
				e.Wins[0] += 2
			} else {
				e.Wins[1] += 2
			}
		}
		e.Scores = [2]protocols.Score{protocols.Points(e.Wins[0]), protocols.Points(e.Wins[1])}
		return e
	})
	met, byes := make(map[strength.Pair]bool), make(map[int]bool)
	for n, round := range done {
		if len(round) != bots/2+1 {
			t.Errorf("round %d has %d encounters", n+1, len(round))
		}
		for _, e := range round {
			switch pair := inOrder(e.Pair); {
			case e.B == standings.Bye && byes[e.A]:
				t.Errorf("bot %d has a second bye", e.A)
			case e.B == standings.Bye:
				byes[e.A] = true
			case met[pair]:
				t.Errorf("%v meet again in round %d", pair, n+1)
			default:
				met[pair] = true
			}
		}
	}
	if len(done) != rounds || len(byes) != rounds {
		t.Errorf("%d rounds, %d byes, expected %d", len(done), len(byes), rounds)
	}
	order := SwissFigures(bots, p.Rank, done)
	if tau := kendall(elos, order); tau < 0.7 {
		t.Errorf("Kendall's tau is %.3f, expected at least 0.7", tau)
	}
}

// kendall returns Kendall's tau of strengths and an order; ties count as neither.
func kendall(elos []float64, order []standings.RoundFigures) float64 {
	sum := 0
	for i := range elos {
		for j := range i {
			a, b := order[i], order[j]
			switch c := cmp.Or(cmp.Compare(a.Reached, b.Reached), cmp.Compare(a.Buchholz, b.Buchholz)); {
			case c != 0 && (c > 0) == (elos[i] > elos[j]):
				sum++
			case c != 0:
				sum--
			}
		}
	}
	return float64(2*sum) / float64(len(elos)*(len(elos)-1))
}

// TestScheduleIsDrawn: the millions of matches of a schedule are made as they are
// drawn, not beforehand.
func TestScheduleIsDrawn(t *testing.T) {
	for _, format := range []Format{RoundRobin, Gauntlet} {
		p := plan(format, 3000, 2, 1)
		p.Challengers = 1500
		must(t, p.Check())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		round, _ := p.Next(nil)
		drawn := 0
		for range round.Matches {
			if drawn++; drawn == 1000 {
				break
			}
		}
		runtime.ReadMemStats(&after)
		if most, took := uint64(1<<20), after.TotalAlloc-before.TotalAlloc; took > most || round.Len < 4_000_000 {
			t.Errorf("%s: %d bytes for the first 1000 of %d matches, expected at most %d", format, took, round.Len, most)
		}
	}
}
