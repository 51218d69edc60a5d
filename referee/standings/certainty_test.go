package standings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// drawFinish draws the places of bots one after the other by their strengths.
func drawFinish(rng *rand.Rand, table []int, strength []float64) string {
	left, text := slices.Clone(table), make(map[int]string)
	for place := 1; len(left) > 0; place++ {
		sum := 0.0
		for _, n := range left {
			sum += math.Exp(strength[n])
		}
		at, i := rng.Float64()*sum, 0
		for at -= math.Exp(strength[left[0]]); at > 0 && i+1 < len(left); at -= math.Exp(strength[left[i]]) {
			i++
		}
		text[left[i]] = fmt.Sprintf("b%d %d", left[i], 10-place)
		left = slices.Delete(left, i, i+1)
	}
	var all []string
	for _, n := range table {
		all = append(all, text[n])
	}
	return strings.Join(all, ", ")
}

// TestRecoversStrengths: of matches drawn by known strengths, 95 % intervals hold the
// strengths, their ranks and the best bot as often as they say, within what 40
// tournaments of six bots show.
func TestRecoversStrengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const bots, tournaments = 6, 40
	strength := []float64{1, 0.6, 0.2, -0.2, -0.6, -1}
	const elo = 400 / math.Ln10
	held, ranked, best, off := 0, 0, 0.0, 0.0
	for range tournaments {
		tl := NewTally(protocols.ByPlaces)
		for i := range 300 {
			tl.Add(played(i, drawFinish(rng, rng.Perm(bots)[:4], strength)))
		}
		for _, row := range tl.Standings(nil).Rows {
			n := int(row.Bot[1] - '0')
			want := 1500 + elo*strength[n]
			off += (row.Rating.Value - want) / tournaments / bots
			if *row.Rating.Low <= want && want <= *row.Rating.High {
				held++
			}
			if c := row.Certainty; c.Ranks[0] <= n+1 && n+1 <= c.Ranks[1] {
				ranked++
			}
			if n == 0 {
				best += row.Certainty.Best / tournaments
			}
			if math.Abs(row.Rating.Value-want) > 150 {
				t.Errorf("%s: found %v, expected %.0f", row.Bot, row.Rating.Value, want)
			}
		}
	}
	if share := float64(held) / tournaments / bots; share < 0.9 || share > 0.99 {
		t.Errorf("%.3f of the intervals hold the strength", share)
	}
	if share := float64(ranked) / tournaments / bots; share < 0.95 {
		t.Errorf("%.3f of the intervals hold the rank", share)
	}
	if best < 0.9 || math.Abs(off) > 5 {
		t.Errorf("the best bot is the best with %.3f; all are off by %.1f", best, off)
	}
}

// TestCertainty: of two bots as strong as each other nobody is the best for sure.
func TestCertainty(t *testing.T) {
	s := tally(protocols.ByWins, "a 1, b 0", "a 0, b 1", "b 1, c 0", "a 1, c 0", "b 1, c 0", "a 1, c 0").Standings(nil)
	a, b, c := s.Rows[0].Certainty, s.Rows[1].Certainty, s.Rows[2].Certainty
	if math.Abs(a.Best-b.Best) > 0.03 || a.Best+b.Best+c.Best < 0.999 || c.Best > a.Best/2 || *a.Next != 1 || c.Next != nil {
		t.Errorf("found %+v, %+v, %+v", a, b, c)
	}
	if a.Ranks[0] != 1 || c.Ranks[1] != 3 {
		t.Errorf("found the ranks %v and %v", a.Ranks, c.Ranks)
	}
}
