package strength

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
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
		f := Finish{Bots: rng.Perm(bots)[:2+rng.IntN(4)], Times: 1}
		for range f.Bots {
			f.Places = append(f.Places, byte(1+rng.IntN(3)))
		}
		m := newPlackettLuce(bots, []Finish{f})
		for i := range m.strength {
			m.strength[i] = rng.NormFloat64()
		}
		place := make(map[int]byte)
		for i, n := range f.Bots {
			place[n] = f.Places[i]
		}
		likelihood := func() float64 {
			sum, n := 0.0, 0.0
			orders(f.Bots, place, func(order []int) {
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
				t.Fatalf("%v in places %v, bot %d: found the slope %v, expected %v", f.Bots, f.Places, i, m.slope[i], want)
			}
		}
	}
}

// TestPlackettLuceOfTwo: for two seats the estimate is that of the Bradley-Terry model.
func TestPlackettLuceOfTwo(t *testing.T) {
	const bots = 20
	pairs := field(bots, 4)
	var list []Finish
	for p, d := range pairs {
		for i := range d.Observations {
			places := []byte{1, 2}
			if int64(4*i) >= d.Quarters {
				places = []byte{2, 1}
			}
			list = append(list, Finish{[]int{p.A, p.B}, places, 1})
		}
	}
	want, got := BradleyTerry(bots, pairs), PlackettLuce(bots, list)
	for i := range bots {
		if math.Abs(want.Strength[i]-got.Strength[i]) > 1e-8 || math.Abs(want.Cov[i][i]-got.Cov[i][i]) > 1e-8 {
			t.Errorf("bot %d: found %v ±%v, expected %v ±%v", i, got.Strength[i], got.Cov[i][i], want.Strength[i], want.Cov[i][i])
		}
	}
}

// TestManyShareAPlace: a match in which many share a place says nothing, and takes no
// time.
func TestManyShareAPlace(t *testing.T) {
	f := Finish{Places: slices.Repeat([]byte{1}, 16), Times: 10_000}
	for i := range 16 {
		f.Bots = append(f.Bots, i)
	}
	f.Places[0] = 2
	for i, s := range PlackettLuce(16, []Finish{f}).Strength {
		if s != 0 {
			t.Errorf("bot %d: found %v", i, s)
		}
	}
}
