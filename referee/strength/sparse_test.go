package strength

import (
	"math"
	"math/rand/v2"
	"testing"
)

// field plays rounds in which neighbours by strength meet, as in a Swiss
// tournament, and returns what the pairs have reached.
func field(bots, rounds int) map[Pair]Met {
	rng := rand.New(rand.NewPCG(7, 8))
	pairs := make(map[Pair]Met)
	for round := range rounds {
		for i := range bots {
			a, b := i, (i+1+round*round)%bots
			pair := Pair{min(a, b), max(a, b)}
			met := pairs[pair]
			met.Observations++
			if won := rng.Float64() < logistic(float64(a-b)/float64(bots)*4); won == (a < b) {
				met.Quarters += 4
			}
			pairs[pair] = met
		}
	}
	return pairs
}

// TestSparse: the ratings of large fields are those that the whole matrix
// gives, and the intervals nearly.
func TestSparse(t *testing.T) {
	const bots = 200
	pairs := field(bots, 7)
	want, got := BradleyTerry(bots, pairs).Ratings(), Sparse(bots, pairs)
	sum := 0.0
	for i := range want {
		if d := math.Abs(want[i].Value - got[i].Value); d > 0.11 {
			t.Errorf("bot %d: found %v, expected %v", i, got[i].Value, want[i].Value)
		}
		ratio := (*got[i].High - *got[i].Low) / (*want[i].High - *want[i].Low)
		sum += ratio / float64(len(want))
		if ratio < 0.85 || ratio > 1.15 {
			t.Errorf("bot %d: found an interval of %.2f times the expected", i, ratio)
		}
	}
	if sum < 0.98 || sum > 1.02 {
		t.Errorf("the intervals are %.3f times the expected ones on average", sum)
	}
}
