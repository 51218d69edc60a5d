package vmukni

import (
	"cmp"
	"math"
	"slices"
)

// View holds everything a player knows before a move.
type View struct {
	Board    Board
	Visible  []int // the face-up tiles, the front one first
	Moves    int   // moves left, of both players together
	Pictures int   // P
	Alone    bool  // the opponent has failed: each of its moves is way 6
}

// maxDepth is the largest number of moves a search looks ahead.
const maxDepth = 16

// search looks ahead: the mover takes the way to the best difference of points,
// and so does the opponent in its turn. A tile that is not visible yet may be
// any picture, with equal chances.
type search struct {
	*View
	inserted, limit int // tiles inserted so far, and their maximum

	options [maxDepth][Ways]option // by move from now
}

// option is a way to insert a tile and its effect.
type option struct {
	way   int
	gain  int
	board Board
	value float64 // value by the search so far, for the player who moves now
}

// Best chooses a way after about limit insertions. It looks one move ahead, then
// two and so on, and keeps the result of the last depth it has finished.
func (v *View) Best(limit int) (way int) {
	s := &search{View: v, limit: limit}
	options := s.list(v.Board, v.Visible[0], 0)
	best := options[0].way
	for depth := 2; depth <= min(v.Moves, maxDepth); depth++ {
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
func (s *search) list(b Board, tile, t int) []option {
	out := s.options[t][:0]
	for way, last := s.ways(t); way <= last; way++ {
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
	s.inserted += Ways
	return out
}

// ways is the first and the last of the ways of move t from now.
func (s *search) ways(t int) (first, last int) {
	if s.forced(t) {
		return failedWay, failedWay
	}
	return 1, Ways
}

// forced reports whether move t from now is the referee's, for a seat that failed.
func (s *search) forced(t int) bool { return s.Alone && t%Seats == 1 }

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
func (s *search) turn(b Board, t, depth int, low, high float64) float64 {
	if t == depth || s.inserted >= s.limit {
		return 0
	}
	if t < len(s.Visible) {
		return s.best(b, s.Visible[t], t, depth, low, high)
	}
	sum := 0.0
	for tile := 1; tile <= s.Pictures; tile++ {
		sum += s.best(b, tile, t, depth, math.Inf(-1), math.Inf(1))
	}
	return sum / float64(s.Pictures)
}

// best is the value of a board for the mover whose tile is known.
func (s *search) best(b Board, tile, t, depth int, low, high float64) float64 {
	if t == depth-1 {
		return float64(s.most(b, tile, t))
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

// most is the most points a tile can gain in move t from now.
func (s *search) most(b Board, tile, t int) int {
	most := 0
	for way, last := s.ways(t); way <= last; way++ {
		board := b
		most = max(most, board.Gain(way, tile))
	}
	s.inserted += Ways
	return most
}
