package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"umpire/referee/strength"
)

// field is a round robin of bots of known strengths, in Elo, the strongest first.
type field struct {
	strength []float64
	pairs    [][]strength.Pentanomial
	rng      *rand.Rand
	played   int // mirrored pairs
}

const twelve = 12

func newField(elos []float64, rng *rand.Rand) *field {
	f := &field{strength: elos, rng: rng}
	for range elos {
		f.pairs = append(f.pairs, make([]strength.Pentanomial, len(elos)))
	}
	return f
}

// play draws a mirrored pair, three of ten matches of which are drawn.
func (f *field) play(a, b int) {
	wins := 1 / (1 + math.Pow(10, (f.strength[b]-f.strength[a])/400))
	drawn := min(0.3, 2*min(wins, 1-wins))
	halves := 0
	for range 2 {
		switch x := f.rng.Float64(); {
		case x < drawn:
			halves++
		case x < drawn+wins-drawn/2:
			halves += 2
		}
	}
	f.pairs[a][b][halves]++
	f.pairs[b][a][4-halves]++
	f.played++
}

func (f *field) order() strength.Order {
	bots := make([]int, len(f.strength))
	for i := range bots {
		bots[i] = i
	}
	return strength.NewOrder(bots, func(a, b int) strength.Pentanomial { return f.pairs[a][b] })
}

// round has every two bots play a pair.
func (f *field) round() {
	for a := range f.strength {
		for b := range a {
			f.play(b, a)
		}
	}
}

// further plays where the order is least certain, between two looks, up to a number of
// pairs. It reports whether there was something to play.
func (f *field) further(o strength.Order, u strength.Until, most int) bool {
	shares := o.Allocate(u, min(most-f.played, strength.Batch(len(f.strength), f.played)), func(strength.Pair) int { return most })
	for _, s := range shares {
		for range s.N {
			f.play(s.A, s.B)
		}
	}
	return len(shares) > 0
}

// wrong counts the pairs of bots in the wrong order.
func wrong(o strength.Order) (n int) {
	for i, a := range o.Bots {
		for _, b := range o.Bots[:i] {
			if b > a {
				n++
			}
		}
	}
	return n
}

// orders compares where the pairs go with equal allocation, after the same number of them.
func orders(tournaments int, spread float64, seed uint64) {
	fmt.Println("| 12 bots | mirrored pairs | equal allocation: pairs of bots in the wrong order | where least certain | runs with a wrong order | where least certain |")
	fmt.Println("|---|---|---|---|---|---|")
	even, close := make([]float64, twelve), make([]float64, twelve) // close: neighbours far and near
	at := spread / 2
	for i := range twelve {
		even[i], close[i] = spread/2-spread*float64(i)/(twelve-1), at
		if i%2 == 0 {
			at -= spread / 66
		} else {
			at -= spread / 6
		}
	}
	for _, kind := range []struct {
		name     string
		strength []float64
	}{{fmt.Sprintf("evenly over %.0f Elo", spread), even}, {fmt.Sprintf("six couples, %.0f Elo apart within", spread/66), close}} {
		for _, rounds := range []int{10, 40, 160} {
			rng := rand.New(rand.NewPCG(seed, uint64(rounds)))
			most := rounds * twelve * (twelve - 1) / 2
			var pairs, runs [2]int
			for range tournaments {
				equal, adaptive := newField(kind.strength, rng), newField(kind.strength, rng)
				for range rounds {
					equal.round()
				}
				adaptive.round()
				for adaptive.played < most {
					adaptive.further(adaptive.order(), strength.Until{Time: 1}, most)
				}
				for i, f := range []*field{equal, adaptive} {
					n := wrong(f.order())
					pairs[i] += n
					runs[i] += min(1, n)
				}
			}
			each := func(n int) float64 { return float64(n) / float64(tournaments) }
			fmt.Printf("| %s | %d | %.2f | %.2f | %.0f %% | %.0f %% |\n", kind.name, most, each(pairs[0]), each(pairs[1]), 100*each(runs[0]), 100*each(runs[1]))
		}
	}
}

// equals counts the runs of equal bots in which any order is declared, by looking after
// every batch.
func equals(tournaments int, seed uint64) {
	const most = 20_000
	rng := rand.New(rand.NewPCG(seed, 12))
	declared := 0
	for range tournaments {
		f := newField(make([]float64, twelve), rng)
		f.round()
		for sure := false; !sure && f.played < most; {
			o := f.order()
			for _, r := range o.Ranks {
				sure = sure || r != [2]int{1, twelve}
			}
			f.further(o, strength.Until{Sure: true}, most)
			if sure {
				declared++
			}
		}
	}
	fmt.Printf("\nTwelve equal bots, %d runs of up to %d pairs: an order is declared of any two in %.1f %%.\n", tournaments, most, 100*float64(declared)/float64(tournaments))
}
