package vmukni

import (
	"math"
	"slices"
	"strconv"

	"umpire/protocols"
)

// spread is how far an estimated margin is off, in points, for the root of each move left.
// It is fitted to the 5,850 replies of the built-in bots in some 80 matches of the groups small,
// medium and large; go run ./scripts/correlation vmukni fits it again.
const spread = 3.1

// analysis has values in points; a run of three is worth 10.
var analysis = protocols.Analysis{
	Unit: "points",
	Method: "an estimate: the margin after a search of 2 moves ahead, then 4, 6, … as far as 40,000 insertions go; " +
		"tiles face down may be any picture; exact where the search reaches the end",
	Scores:  true,
	Results: "the logistic curve of the value over the root of the number of moves left, fitted to matches of the built-in bots",
}

// maxInserted bounds the search of one move: a deeper one that would insert more
// tiles is given up.
const maxInserted = 40_000

// Values searches each way of the seat to move.
func (m *match) Values(seat int) (values []protocols.Value, exact bool) {
	if !m.owes(seat) {
		return nil, false
	}
	v := View{Board: m.board, Visible: m.visible(), Moves: m.c.Moves() - len(m.ways), Pictures: m.c.pictures, Alone: m.failed[Seats-seat]}
	margin := float64(m.points[seat-1] - m.points[Seats-seat])
	gains, line, exact := v.values(maxInserted)
	off := spread * math.Sqrt(float64(v.Moves-1))
	best := 0
	for i, gain := range gains {
		lead := margin + gain
		values = append(values, protocols.Value{Reply: strconv.Itoa(i + 1), Value: lead, Result: protocols.ExpectedResult(lead, off)})
		if gain > gains[best] {
			best = i
		}
	}
	values[best].Line = line
	return values, exact
}

// values is the value of each way to the mover: the points of the rest of the
// match less the opponent's, as far as the search goes. It looks two moves ahead,
// then four and so on, so that both players have as many, and keeps the result of
// the last depth it has finished. The line is expected to follow the best way,
// the lowest of equal ones.
func (v *View) values(limit int) (values [Ways]float64, line []string, exact bool) {
	depth := 0
	for next := min(2, v.Moves); ; next = min(next+2, v.Moves, maxDepth) {
		s := &search{View: v, limit: limit}
		if depth == 0 {
			s.limit = 1 << 30
		}
		found, then := s.each(next)
		if s.inserted >= s.limit {
			break
		}
		values, line, depth = found, then, next
		if depth == min(v.Moves, maxDepth) {
			break
		}
	}
	return values, line, depth == v.Moves && depth <= len(v.Visible)
}

// each is the value of each way at a depth, and the line of the best one.
func (s *search) each(depth int) (values [Ways]float64, line []string) {
	known := make(map[Board]float64, Ways)
	best, after := math.Inf(-1), Board{}
	for way := range Ways {
		b := s.Board
		gain := float64(b.Gain(way+1, s.Visible[0]))
		rest, ok := known[b]
		if !ok {
			rest = s.turn(b, 1, depth, math.Inf(-1), math.Inf(1))
			known[b] = rest
		}
		if values[way] = gain - rest; values[way] > best {
			best, after = values[way], b
		}
	}
	s.inserted += Ways
	for t := 1; t < min(depth, len(s.Visible)); t++ {
		way := s.reply(after, t, depth)
		after.Gain(way, s.Visible[t])
		if !s.forced(t) {
			line = append(line, strconv.Itoa(way))
		}
	}
	return values, line
}

// reply is the best way of the mover of move t from now, whose tile is visible.
func (s *search) reply(b Board, t, depth int) (way int) {
	best := math.Inf(-1)
	for _, o := range slices.Clone(s.list(b, s.Visible[t], t)) {
		if value := float64(o.gain) - s.turn(o.board, t+1, depth, math.Inf(-1), float64(o.gain)-best); value > best {
			best, way = value, o.way
		}
	}
	return way
}
