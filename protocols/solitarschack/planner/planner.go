// Package planner plans removals in Solitärschack. It searches the sequences of
// removals that use only pieces in sight, and evaluates the position at the end
// of such a plan with a function fitted to many matches of its own. The piece
// that will appear under a removed piece is unknown to a plan, so a plan ends
// at the latest when it removes such a piece; its value is then the mean over
// the types.
//
// It knows nothing of lines, clocks or the pieces still to come.
package planner

import (
	"cmp"
	"slices"

	rules "umpire/protocols/solitarschack/board"
)

// Depth is the number of removals a plan looks ahead. More does not help: by
// then most of the board is unknown.
const Depth = 16

// Planner plans for boards of certain types. It is not safe for concurrent use.
type Planner struct {
	types   []rules.Piece // types that may appear
	weights *Weights
	points  *points

	beam, next []node
	order      []int32 // indices in next, the best first
	features   []Feature
}

// New makes a planner for boards whose hidden pieces are drawn from types.
func New(types []rules.Piece, w *Weights) *Planner {
	return &Planner{types: types, weights: w, points: newPoints()}
}

// node is a position in a plan.
type node struct {
	State
	value  int32               // expected final score
	path   [Depth]rules.Square // the plan's removals
	length int                 // how many
}

// with is the plan with one more removal.
func (n node) with(q rules.Square) node {
	n.path[n.length] = q
	n.length++
	return n
}

// Plan is the result of a search.
type Plan struct {
	First rules.Square   // the square to play now
	Then  []rules.Square // the squares planned after it, up to the first piece that is not known
	Value float64        // expected final score, in points
}

// Plan searches for the best plan from s, which must have a reachable square.
// It keeps the best plans of every length, width of them.
func (p *Planner) Plan(s *State, width int) Plan {
	return p.plan(node{State: *s}, node{value: -1}, width)
}

// Each returns the best plan that begins with each reachable square of s, the
// lowest square first. It keeps width plans of every length for each.
func (p *Planner) Each(s *State, width int) []Plan {
	var plans []Plan
	for reachable := s.Reachable(); reachable != 0; reachable &= reachable - 1 {
		q := reachable.First()
		begun := node{State: *s}.with(q)
		if s.Hidden.Has(q) {
			begun.value = p.gamble(s, q)
			plans = append(plans, begun.plan())
			continue
		}
		begun.hide(q, p.points)
		if begun.Reachable() == 0 {
			begun.value = begun.Score * Unit
			plans = append(plans, begun.plan())
			continue
		}
		plans = append(plans, p.plan(begun, node{value: -1}, width))
	}
	return plans
}

// plan goes on from a plan that has begun, and returns the best one or, if it is
// no worse, the given one.
func (p *Planner) plan(begun, best node, width int) Plan {
	p.beam = append(p.beam[:0], begun)
	for depth := begun.length + 1; depth <= Depth && len(p.beam) > 0; depth++ {
		p.next = p.next[:0]
		for i := range p.beam {
			p.extend(&p.beam[i], &best)
		}
		p.keep(width)
	}
	for _, n := range p.beam {
		best = better(best, n)
	}
	return best.plan()
}

// plan is the finished search's result.
func (n *node) plan() Plan {
	return Plan{n.path[0], append([]rules.Square(nil), n.path[1:n.length]...), float64(n.value) / Unit}
}

func better(a, b node) node {
	if b.value > a.value {
		return b
	}
	return a
}

// extend adds n's successors to next. A plan that ends here competes with best.
func (p *Planner) extend(n *node, best *node) {
	reachable := n.Reachable()
	for hidden := reachable & n.Hidden; hidden != 0; hidden &= hidden - 1 {
		end := n.with(hidden.First())
		end.value = p.gamble(&n.State, hidden.First())
		*best = better(*best, end)
	}
	for visible := reachable &^ n.Hidden; visible != 0; visible &= visible - 1 {
		q := visible.First()
		child := n.with(q)
		child.hide(q, p.points)
		if child.Reachable() == 0 {
			child.value = child.Score * Unit
			*best = better(*best, child)
			continue
		}
		child.value = child.Score*Unit + p.rest(&child.State)
		p.next = append(p.next, child)
	}
}

// keep makes the best nodes of next the beam.
func (p *Planner) keep(width int) {
	p.order = p.order[:0]
	for i := range p.next {
		p.order = append(p.order, int32(i))
	}
	if len(p.order) > width {
		slices.SortFunc(p.order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(p.next[b].value, p.next[a].value), cmp.Compare(a, b))
		})
		p.order = p.order[:width]
	}
	p.beam = p.beam[:0]
	for _, i := range p.order {
		p.beam = append(p.beam, p.next[i])
	}
}

// rest returns the points still to be expected from s, in units.
func (p *Planner) rest(s *State) int32 {
	w := p.weights.at(s.Moves)
	p.features = s.last(s.board(p.features[:0]))
	return w.sum(p.features)
}

// gamble returns the expected final score, in units, if the hidden piece on q
// is removed.
func (p *Planner) gamble(s *State, q rules.Square) int32 {
	after := *s
	after.take(q)
	w := p.weights.at(after.Moves)
	p.features = after.board(p.features[:0])
	board := w.sum(p.features)
	var sum int32
	for _, piece := range p.types {
		after.Score, after.Sequence = s.Score, s.Sequence
		after.count(piece, p.points)
		sum += after.Score * Unit
		if after.Reachable() != 0 {
			p.features = after.last(p.features[:0])
			sum += board + w.sum(p.features)
		}
	}
	return sum / int32(len(p.types))
}
