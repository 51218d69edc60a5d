package patolli

import (
	"iter"

	"umpire/protocols"
)

// match is a batch task: the whole input goes out, the whole output comes back.
type match struct {
	protocols.Batch
	c *Case
}

func newMatch(c *Case) *match { return &match{protocols.NewBatch(c, c.judge), c} }

// wrongLine is the first wrong line of the output, from 1; 0 if there is none.
func (m *match) wrongLine() int {
	if mistake := m.Mistake(); mistake != nil {
		return mistake.Line
	}
	return 0
}

// state is a position as it is written to JSON.
type state struct {
	Line    int   `json:"line"`          // from 1
	Roll    int   `json:"roll"`          // number of the roll, from 1; 0 at the start of line 1
	Die     int   `json:"die,omitempty"` // the number rolled; none at the start
	Markers []int `json:"markers"`       // the player's markers, ascending

	drawn *drawing // nil if the match itself draws
}

// State is the start and, once there is an answer, the end of the last line.
func (m *match) State() any {
	if !m.Answered {
		return m.start()
	}
	n := len(m.c.lines)
	l := &m.c.lines[n-1]
	end := l.Play()
	s := state{Line: n, Roll: len(l.Rolls), Markers: end.Locations()}
	if s.Roll > 0 {
		s.Die = int(l.Rolls[s.Roll-1])
	}
	return s
}

func (m *match) start() state {
	l := &m.c.lines[0]
	return state{Line: 1, Markers: l.Start.Locations(), drawn: &drawing{line: l, lines: len(m.c.lines), at: l.Start}}
}

// Trace yields the start of line 1, then the position after every roll of every
// line, void rolls included.
func (m *match) Trace() iter.Seq[any] {
	return func(yield func(any) bool) {
		if !yield(m.start()) {
			return
		}
		for i := range m.c.lines {
			p := m.c.lines[i].Start
			for j, roll := range m.c.lines[i].Rolls {
				move := p.Roll(int(roll))
				drawn := &drawing{&m.c.lines[i], len(m.c.lines), p, move}
				if !yield(state{i + 1, j + 1, int(roll), p.Locations(), drawn}) {
					return
				}
			}
		}
	}
}
