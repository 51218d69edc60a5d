package strength

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// draw adds a mirrored pair of matches that a bot wins with a probability.
func (p *Pentanomial) draw(wins float64, rng *rand.Rand) {
	result := 0
	for range 2 {
		if rng.Float64() < wins {
			result += 2
		}
	}
	p[result]++
}

// TestAnytime: whoever looks after each pair finds bounds without the truth in them in no
// more runs than alpha.
func TestAnytime(t *testing.T) {
	const runs, looks, alpha = 150, 150, 0.1
	for _, wins := range []float64{0.5, 0.7, 0.97} {
		rng := rand.New(rand.NewPCG(7, uint64(100*wins)))
		left := 0
		for range runs {
			var p Pentanomial
			for range looks {
				p.draw(wins, rng)
				if max(p.capital(wins), p.Swapped().capital(1-wins)) >= 2.9957 { // the logarithm of 2/alpha
					left++
					break
				}
			}
		}
		if left > alpha*runs {
			t.Errorf("share %v: outside of the bounds in %d of %d runs, expected at most %v", wins, left, runs, alpha*runs)
		}
	}
	p := Pentanomial{5, 20, 50, 30, 15}
	low, high := p.anytime(0.05)
	e := NewElo(p)
	if !(low < p.Mean() && p.Mean() < high) || *eloOf(low) >= *e.Low || *eloOf(high) <= *e.High {
		t.Errorf("found bounds %v to %v, expected them around the interval of one look, %v to %v Elo", low, high, *e.Low, *e.High)
	}
	if (Pentanomial{0, 0, 0, 0, 20}).leans(0.05) != 1 || (Pentanomial{20, 0, 0, 0, 0}).leans(0.05) != -1 || (Pentanomial{10, 0, 5, 0, 10}).leans(0.05) != 0 {
		t.Error("twenty pairs won, or lost, decide; as many won as lost do not")
	}
}

func TestParseUntil(t *testing.T) {
	for text, want := range map[string]Until{
		"sure": {Sure: true}, "10elo": {Elo: 10}, "2.5 Elo": {Elo: 2.5}, "20m": {Time: 20 * time.Minute}, "1h30m": {Time: 90 * time.Minute},
	} {
		u, err := ParseUntil(text)
		again, _ := ParseUntil(u.String())
		if err != nil || u != want || again != want {
			t.Errorf("%s: found %v, then %v, expected %v (%v)", text, u, again, want, err)
		}
	}
	for _, text := range []string{"", "elo", "0elo", "-5elo", "NaNelo", "10", "0s", "-1m", "certain"} {
		if u, err := ParseUntil(text); err == nil {
			t.Errorf("%q: found %v, expected an error", text, u)
		}
	}
}

// TestOrderOfNeighbours: four bots of which the second and the third are alike. What is decided
// bounds the ranks, also of those that have not met.
func TestOrderOfNeighbours(t *testing.T) {
	all := Pentanomial{0, 0, 0, 0, 30}
	met := map[Pair]Pentanomial{
		{0, 1}: all, {0, 2}: all, {1, 2}: {4, 0, 10, 0, 6}, {1, 3}: all, {2, 3}: all,
	}
	o := NewOrder([]int{0, 1, 2, 3}, func(a, b int) Pentanomial {
		if a > b {
			return met[Pair{b, a}].Swapped()
		}
		return met[Pair{a, b}]
	})
	if !slices.Equal(o.Bots, []int{0, 1, 2, 3}) || !slices.Equal(o.Ranks, [][2]int{{1, 1}, {2, 3}, {2, 3}, {4, 4}}) {
		t.Errorf("found %v with ranks %v", o.Bots, o.Ranks)
	}
	if tied := o.Tied(); len(tied) != 1 || !slices.Equal(tied[0], []int{1, 2}) {
		t.Errorf("tied: found %v, expected the second and the third", tied)
	}
	room := func(Pair) int { return 7 }
	if shares := o.Allocate(Until{Sure: true}, 100, room); len(shares) != 1 || shares[0] != (Share{Pair{1, 2}, 7}) {
		t.Errorf("found %v, expected the two that are tied to play as much as they can", shares)
	}
	for _, n := range o.Next {
		if n.Decided != 0 && n.Open(Until{Elo: 10}) == (*n.Low >= far) {
			t.Errorf("%v: from %v Elo, expected it to be open unless it is far", n.Bots, *n.Low)
		}
	}
}
