package contestant

import (
	"slices"
	"time"
)

// spans are times, by clock, in which something was so.
type spans struct {
	list  []span // in order and apart from each other
	total time.Duration
}

type span struct{ from, to time.Duration }

// add adds a span that ends no earlier than those before it. What it has in common
// with them counts once.
func (s *spans) add(from, to time.Duration) {
	n := len(s.list)
	for ; n > 0 && s.list[n-1].to >= from; n-- {
		last := s.list[n-1]
		s.total -= last.to - last.from
		from = min(from, last.from)
	}
	s.list = append(s.list[:n], span{from, to})
	s.total += to - from
}

// clone returns a copy, with the last few spans: later ones have nothing in common with others.
func (s *spans) clone() spans { return spans{slices.Clone(s.list[max(0, len(s.list)-16):]), s.total} }
