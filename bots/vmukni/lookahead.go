package vmukni

import (
	"cmp"
	"math"
	"slices"
	"time"

	"umpire/protocols/vmukni"
)

// newLookahead tries about 100,000 insertions per move, some 15 ms, and fewer
// if the machine turns out to be slow: a player has 200 ms per move.
func newLookahead(*position) chooser {
	const (
		most = 100_000
		slow = 100 * time.Millisecond
	)
	limit := most
	return func(p *position) int {
		begun := time.Now()
		way := lookAhead(p, limit)
		if time.Since(begun) > slow {
			limit /= 2
		} else {
			limit = min(2*limit, most)
		}
		return way
	}
}

// maxDepth is the largest number of moves a search looks ahead.
const maxDepth = 16

// search looks ahead: the mover takes the way to the best difference of points,
// and so does the opponent in its turn. A tile that is not visible yet may be
// any picture, with equal chances.
type search struct {
	*position
	inserted, limit int // tiles inserted so far, and their maximum

	options [maxDepth][vmukni.Ways]option // by move from now
}

// option is a way to insert a tile and its effect.
type option struct {
	way   int
	gain  int
	board vmukni.Board
	value float64 // value by the search so far, for the player who moves now
}

// lookAhead chooses a way after about limit insertions. It looks one move
// ahead, then two and so on, and keeps the result of the last depth it has
// finished.
func lookAhead(p *position, limit int) int {
	s := &search{position: p, limit: limit}
	options := s.list(p.board, p.visible[0], 0)
	best := options[0].way
	for depth := 2; depth <= min(p.moves, maxDepth); depth++ {
		s.weigh(options, depth)
		if s.inserted >= s.limit {
			break
		}
		slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(b.value, a.value) })
		best = options[0].way
	}
	return best
}

// list returns the ways that lead to different boards, those that gain more
// first, for move t from now.
func (s *search) list(b vmukni.Board, tile, t int) []option {
	out := s.options[t][:0]
	for way := 1; way <= vmukni.Ways; way++ {
		o := option{way: way, board: b}
		o.gain = o.board.Gain(way, tile)
		if slices.ContainsFunc(out, func(p option) bool { return p.board == o.board && p.gain >= o.gain }) {
			continue
		}
		out = append(out, o)
		for i := len(out) - 1; i > 0 && out[i].gain > out[i-1].gain; i-- {
			out[i], out[i-1] = out[i-1], out[i]
		}
	}
	s.inserted += vmukni.Ways
	return out
}

// weigh gives the first moves their values. A move that is no better than the
// best one before it may get too high a value, but never a higher one than that
// best one.
func (s *search) weigh(options []option, depth int) {
	best := math.Inf(-1)
	for i := range options {
		o := &options[i]
		gain := float64(o.gain)
		o.value = gain - s.turn(o.board, 1, depth, math.Inf(-1), gain-best)
		best = max(best, o.value)
	}
}

// turn is the value of a board for the mover of move t from now: exact within
// low..high, and beyond them a bound on the same side.
func (s *search) turn(b vmukni.Board, t, depth int, low, high float64) float64 {
	if t == depth || s.inserted >= s.limit {
		return 0
	}
	if t < len(s.visible) {
		return s.best(b, s.visible[t], t, depth, low, high)
	}
	sum := 0.0
	for tile := 1; tile <= s.pictures; tile++ {
		sum += s.best(b, tile, t, depth, math.Inf(-1), math.Inf(1))
	}
	return sum / float64(s.pictures)
}

// best is the value of a board for the mover whose tile is known.
func (s *search) best(b vmukni.Board, tile, t, depth int, low, high float64) float64 {
	if t == depth-1 {
		return float64(s.most(b, tile))
	}
	best := math.Inf(-1)
	for _, o := range s.list(b, tile, t) {
		gain := float64(o.gain)
		best = max(best, gain-s.turn(o.board, t+1, depth, gain-high, gain-max(low, best)))
		if best >= high {
			break
		}
	}
	return best
}

// most is the most points a tile can gain in one move.
func (s *search) most(b vmukni.Board, tile int) int {
	most := 0
	for way := 1; way <= vmukni.Ways; way++ {
		board := b
		most = max(most, board.Gain(way, tile))
	}
	s.inserted += vmukni.Ways
	return most
}
