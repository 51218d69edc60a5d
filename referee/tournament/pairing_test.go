package tournament

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"umpire/referee/strength"
)

// firstPairs finds the pairs that pairing promises by trying all there are: the top meets the
// next below that it may meet such that all find an opponent.
func firstPairs(p *pairing, line []int) ([]strength.Pair, bool) {
	if len(line) == 0 {
		return nil, true
	}
	for i := 1; i < len(line); i++ {
		if !p.mayMeet(line[0], line[i]) {
			continue
		}
		if pairs, ok := firstPairs(p, slices.Delete(slices.Clone(line[1:]), i-1, i)); ok {
			return append([]strength.Pair{{A: line[0], B: line[i]}}, pairs...), true
		}
	}
	return nil, false
}

// TestPairing: whoever has met, the pairs are the first ones possible.
func TestPairing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	impossible, whole := 0, 0
	for n := range 4000 {
		bots := 2 * (1 + rng.IntN(6))
		p := &pairing{score: make([]swiss, bots), line: rng.Perm(bots), most: rng.IntN(2)}
		meet := func(a, b int) {
			p.score[a].opponents, p.score[b].opponents = append(p.score[a].opponents, b), append(p.score[b].opponents, a)
		}
		for range rng.IntN(3 * bots) {
			if pair := rng.Perm(bots); n%3 > 0 {
				meet(pair[0], pair[1])
			} else { // some have met many
				meet(pair[0]/3, (pair[0]/3+1+pair[1]%(bots-1))%bots)
			}
		}
		want, possible := firstPairs(p, p.line)
		if got := p.pair(); got != possible || got && fmt.Sprint(p.pairs) != fmt.Sprint(want) {
			t.Fatalf("line %v, who have met %v, at most %d times: found %v %v, expected %v %v", p.line, p.score, p.most, got, p.pairs, possible, want)
		}
		if !possible {
			impossible++
		} else if p.critical() < bots {
			whole++
		}
	}
	if impossible < 100 || whole < 100 {
		t.Errorf("%d of the lines were impossible to pair, %d long", impossible, whole)
	}
}
