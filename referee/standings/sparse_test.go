package standings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"umpire/protocols"
)

// field plays rounds in which neighbours by strength meet, as in a Swiss
// tournament, and returns the bots and pairs of the tally.
func field(bots, rounds int) *Tally {
	rng := rand.New(rand.NewPCG(7, 8))
	tl := NewTally(protocols.ByWins)
	for round := range rounds {
		for i := range bots {
			a, b := i, (i+1+round*round)%bots
			won := 0
			if rng.Float64() < logistic(float64(a-b)/float64(bots)*4) {
				won = 1
			}
			m := played(round*bots+i, fmt.Sprintf("b%d %d, b%d %d", a, won, b, 1-won))
			m.Key = uint64(round*bots + i + 1)
			tl.Add(m)
		}
	}
	return tl
}

// TestSparseElo: the ratings of large fields are those that the whole matrix
// gives, and the intervals nearly.
func TestSparseElo(t *testing.T) {
	pairs, bots, _, _ := field(200, 7).snapshot()
	want, got := elo(len(bots), pairs).ratings(), sparseElo(bots, pairs)
	sum := 0.0
	for i := range want {
		if d := math.Abs(want[i].Value - got[i].Value); d > 0.11 {
			t.Errorf("%s: found %v, expected %v", bots[i].Name, got[i].Value, want[i].Value)
		}
		ratio := (*got[i].High - *got[i].Low) / (*want[i].High - *want[i].Low)
		sum += ratio / float64(len(want))
		if ratio < 0.85 || ratio > 1.15 {
			t.Errorf("%s: found an interval of %.2f times the expected", bots[i].Name, ratio)
		}
	}
	if sum < 0.98 || sum > 1.02 {
		t.Errorf("the intervals are %.3f times the expected ones on average", sum)
	}
}
