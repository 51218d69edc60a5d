package tournament

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
)

// Tables yields the seatings of a round robin on one case, and returns how many
// they are: every bot meets every other equally often and sits in every seat
// equally often, and no seating is repeated. For two seats they are all pairs,
// each in both orders. For more seats they are a balanced selection of all
// seatings, if one is found.
func Tables(bots, seats int) (tables iter.Seq[[]int], n int) {
	if seats == 2 {
		return ordered(bots), bots * (bots - 1)
	}
	blocks := [][]int{{0}}
	if seats > 2 {
		blocks = family(bots, seats)
	}
	return func(yield func([]int) bool) {
		for _, block := range blocks {
			// Shifting a block through all bots brings each into each seat once.
			for shift := range bots {
				table := make([]int, seats)
				for seat, n := range block {
					table[seat] = (n + shift) % bots
				}
				if !yield(table) {
					return
				}
			}
		}
	}, len(blocks) * bots
}

func ordered(bots int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for i := range bots {
			for j := i + 1; j < bots; j++ {
				if !yield([]int{i, j}) || !yield([]int{j, i}) {
					return
				}
			}
		}
	}
}

// family finds blocks of seats numbers modulo bots, each beginning with 0, in
// which every difference but 0 comes equally often: shifted through all bots,
// every pair then shares equally many tables (a cyclic difference family). It
// tries small families first, each with a search that takes bounded time and
// always goes the same way.
func family(bots, seats int) [][]int {
	smallest := 1 // in which the differences can come equally often
	for smallest*seats*(seats-1)%(bots-1) != 0 {
		smallest++
	}
	for n := smallest; n <= 6*smallest; n += smallest {
		s := newSearch(bots, seats, n)
		if s.run() && distinguish(s.blocks) {
			return s.blocks
		}
	}
	return allBlocks(bots, seats)
}

// search is simulated annealing over families of n blocks.
type search struct {
	bots   int
	blocks [][]int
	count  []int // by difference
	want   int
	cost   int // sum of squared deviations from want
	rng    *rand.Rand
}

func newSearch(bots, seats, n int) *search {
	s := &search{
		bots: bots, count: make([]int, bots), want: n * seats * (seats - 1) / (bots - 1),
		rng: rand.New(rand.NewPCG(uint64(bots), uint64(seats))),
	}
	s.cost = (bots - 1) * s.want * s.want
	for i := range n {
		block := make([]int, seats)
		for j, d := range s.rng.Perm(bots - 1)[:seats-1] {
			block[j+1] = d + 1
		}
		if i == 0 { // often sufficient, and the one that people expect
			for j := range block {
				block[j] = j
			}
		}
		s.blocks = append(s.blocks, block)
		s.add(block, 1)
	}
	return s
}

// add adds or removes a block's differences and updates the cost.
func (s *search) add(block []int, sign int) {
	for _, a := range block {
		for _, b := range block {
			if a == b {
				continue
			}
			d := (b - a + s.bots) % s.bots
			off := s.count[d] - s.want
			s.count[d] += sign
			s.cost += 2*sign*off + 1
		}
	}
}

// run searches, and reports whether it has found a family.
func (s *search) run() bool {
	steps := 20_000 * max(10, s.bots)
	seats := len(s.blocks[0])
	if seats == s.bots {
		return s.cost == 0
	}
	for step := 0; s.cost > 0 && step < steps; step++ {
		block := s.blocks[s.rng.IntN(len(s.blocks))]
		at, to := 1+s.rng.IntN(seats-1), 1+s.rng.IntN(s.bots-1)
		if slices.Contains(block, to) {
			continue
		}
		before, from := s.cost, block[at]
		s.add(block, -1)
		block[at] = to
		s.add(block, 1)
		heat := 4 * (1 - float64(step)/float64(steps))
		if worse := s.cost - before; worse > 0 && s.rng.Float64() >= math.Exp(-float64(worse)/heat) {
			s.add(block, -1)
			block[at] = from
			s.add(block, 1)
		}
	}
	return s.cost == 0
}

// distinguish reorders equal blocks so that all seatings differ, which keeps
// their differences. It reports whether it succeeded.
func distinguish(blocks [][]int) bool {
	for i, block := range blocks {
		same := func(b []int) bool { return slices.Equal(b, block) }
		slices.Sort(block[1:])
		for slices.ContainsFunc(blocks[:i], same) {
			if !nextOrder(block[1:]) {
				return false
			}
		}
	}
	return true
}

// nextOrder permutes s into the next lexicographic order; false after the last.
func nextOrder(s []int) bool {
	i := len(s) - 2
	for i >= 0 && s[i] >= s[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(s) - 1
	for s[j] <= s[i] {
		j--
	}
	s[i], s[j] = s[j], s[i]
	slices.Reverse(s[i+1:])
	return true
}

// allBlocks returns all blocks with ascending numbers: shifted, they seat every
// choice of bots at a table in every rotation.
func allBlocks(bots, seats int) [][]int {
	blocks := combin.Combinations(bots-1, seats-1)
	for i, others := range blocks {
		for j := range others {
			others[j]++
		}
		blocks[i] = slices.Insert(others, 0, 0)
	}
	return blocks
}
