package patolli

import (
	"iter"

	"umpire/protocols"
)

// match is a batch task: the whole input goes out, the whole output comes back.
type match struct {
	c        *Case
	answered bool           // the contestant has answered or failed
	failed   protocols.Kind // "" if it has not
	output   string
	judged   judgement
}

// Next sends the input once.
func (m *match) Next() protocols.Step {
	if m.answered {
		return protocols.Step{}
	}
	return protocols.Step{
		Send:  []protocols.Line{{Seat: 1, Text: m.c.text}},
		Await: []int{1},
		Whole: true,
	}
}

// Reply judges the output. No output is a foul: it is right or wrong, line by
// line.
func (m *match) Reply(_ int, text string) *protocols.Foul {
	m.answered = true
	m.output = text
	m.judged = m.c.judge(text)
	return nil
}

// Fail costs all points.
func (m *match) Fail(_ int, why protocols.Failure) {
	m.answered = true
	m.failed = why.Kind
}

// Result is the number of lines that are right, and the first that is not.
func (m *match) Result() []protocols.Outcome {
	return []protocols.Outcome{{Score: m.judged.right, Place: 1, Wrong: m.judged.wrong}}
}

// state is a position as the records' readers get it.
type state struct {
	Line    int   `json:"line"`          // from 1
	Roll    int   `json:"roll"`          // its ordinal from 1; 0 at the start of line 1
	Die     int   `json:"die,omitempty"` // what was rolled; none at the start
	Markers []int `json:"markers"`       // the player's, ascending
}

// State is the start, and once there is an answer the end of the last line.
func (m *match) State() any {
	if !m.answered {
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
	return state{Line: 1, Markers: m.c.lines[0].Start.Locations()}
}

// Trace gives the start of line 1, then the position after every roll of every
// line, void rolls included.
func (m *match) Trace() iter.Seq[any] {
	return func(yield func(any) bool) {
		if !yield(m.start()) {
			return
		}
		for i := range m.c.lines {
			p := m.c.lines[i].Start
			for j, roll := range m.c.lines[i].Rolls {
				p.Roll(int(roll))
				if !yield(state{i + 1, j + 1, int(roll), p.Locations()}) {
					return
				}
			}
		}
	}
}
