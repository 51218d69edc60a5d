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

// orders calls do with every order of the bots in which those with a better place come
// first.
func orders(bots []int, place map[int]byte, do func([]int)) {
	var extend func(begun []int)
	extend = func(begun []int) {
		if len(begun) == len(bots) {
			do(begun)
		}
		for _, n := range bots {
			ahead := func(o int) bool { return place[o] < place[n] && !slices.Contains(begun, o) }
			if !slices.Contains(begun, n) && !slices.ContainsFunc(bots, ahead) {
				extend(append(slices.Clone(begun), n))
			}
		}
	}
	extend(nil)
}

// TestSlopeByOrders: the slope is that of the mean log likelihood of all orders in which
// those that share places can have come, one bot drawn after the other.
func TestSlopeByOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const bots = 5
	for range 30 {
		f := finish{bots: rng.Perm(bots)[:2+rng.IntN(4)], times: 1}
		for range f.bots {
			f.places = append(f.places, byte(1+rng.IntN(3)))
		}
		m := newPlackettLuce(bots, []finish{f})
		for i := range m.strength {
			m.strength[i] = rng.NormFloat64()
		}
		place := make(map[int]byte)
		for i, n := range f.bots {
			place[n] = f.places[i]
		}
		likelihood := func() float64 {
			sum, n := 0.0, 0.0
			orders(f.bots, place, func(order []int) {
				n++
				for i := range order {
					all := 0.0
					for _, o := range order[i:] {
						all += math.Exp(m.strength[o])
					}
					sum += m.strength[order[i]] - math.Log(all)
				}
			})
			prior := 0.0
			for _, s := range m.strength {
				prior += (math.Log(logistic(s)) + math.Log(logistic(-s))) / 2
			}
			return sum/n + prior
		}
		m.inform()
		for i := range bots {
			const step = 1e-5
			m.strength[i] += step
			up := likelihood()
			m.strength[i] -= 2 * step
			want := (up - likelihood()) / (2 * step)
			m.strength[i] += step
			if math.Abs(m.slope[i]-want) > 1e-6 {
				t.Fatalf("%v in places %v, bot %d: found the slope %v, expected %v", f.bots, f.places, i, m.slope[i], want)
			}
		}
	}
}

// TestPlackettLuceOfTwo: for two seats the estimate is that of the Bradley-Terry model.
func TestPlackettLuceOfTwo(t *testing.T) {
	pairs, bots, _, _ := field(20, 4).snapshot()
	var list []finish
	for key, d := range pairs {
		for i := range d.observations {
			places := []byte{1, 2}
			if int64(4*i) >= d.quarters {
				places = []byte{2, 1}
			}
			list = append(list, finish{slices.Clone(key[:]), places, 1})
		}
	}
	want, got := elo(len(bots), pairs), newPlackettLuce(len(bots), list).fit()
	for i := range want.strength {
		if math.Abs(want.strength[i]-got.strength[i]) > 1e-8 || math.Abs(want.cov[i][i]-got.cov[i][i]) > 1e-8 {
			t.Errorf("%s: found %v ±%v, expected %v ±%v", bots[i].Name, got.strength[i], got.cov[i][i], want.strength[i], want.cov[i][i])
		}
	}
}

// TestManyShareAPlace: a match in which many share a place says nothing, and takes no
// time.
func TestManyShareAPlace(t *testing.T) {
	f := finish{places: slices.Repeat([]byte{1}, 16), times: 10_000}
	for i := range 16 {
		f.bots = append(f.bots, i)
	}
	f.places[0] = 2
	for i, s := range newPlackettLuce(16, []finish{f}).fit().strength {
		if s != 0 {
			t.Errorf("bot %d: found %v", i, s)
		}
	}
}

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
