package dispatch

import (
	"math"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// Workers are measured by matches of built-in bots, the same for all, which count for nothing
// else: how much CPU time these bots need, compared with this machine or, where that does not
// play, with the worker that was measured first. A worker plays such matches in several of its
// slots at once, as it will play the others.
const (
	maxMeasured = 6    // matches
	leastOften  = 4    // times that a worker plays all of them, and
	mostOften   = 16   // where it has more slots
	alike       = 0.05 // below that, a difference counts as none
)

// calibration says how fast workers are.
type calibration struct {
	fixtures []arena.Fixture // the matches; none: budgets are those of the limits
	here     bool            // others are compared with the coordinator's own worker
	// reference holds the time that the matches need there, in microseconds; nil: not known yet.
	reference []int64
}

// measures reports whether a worker is to be measured, before it plays anything else.
func (c *calibration) measures(m *member) bool { return len(c.fixtures) > 0 && m.scale == 0 }

// next returns the matches by which a worker is measured, beside the jobs that it holds; none
// if it plays them as often as it is to.
func (c *calibration) next(m *member) (list []*Match) {
	under := 0
	for j := range m.holds {
		if j.isMeasure() {
			under++
		}
	}
	if m.measures+under >= m.toMeasure() {
		return nil
	}
	for i, f := range c.fixtures {
		e := NewMatch(0, f)
		e.control, e.measures = true, i+1
		list = append(list, e)
	}
	return list
}

// add notes what a worker needed for a match that is over.
func (c *calibration) add(e *Match, m *member, r *record.Record) {
	if m.needed == nil {
		m.needed = make(measure, len(c.fixtures))
	}
	if r.Error == "" {
		var cpu int64
		for _, seat := range r.Seats {
			cpu += seat.CPUUS
		}
		m.needed[e.measures-1] = append(m.needed[e.measures-1], cpu)
	}
	if len(e.job.open()) == 0 {
		m.measures++
	}
}

// settle gives those workers their scale that have been measured.
func (c *calibration) settle(crew *crew) {
	for _, m := range crew.there() {
		switch {
		case m.scale != 0 || m.measures < m.toMeasure(), c.reference == nil && c.here && !m.own:
		case c.reference == nil:
			m.scale, c.reference = 1, m.needed.medians()
			if !m.own {
				crew.note("umpire: the limits are for the processors of worker %s: those of others are scaled\n", m.name)
			}
			c.settle(crew) // now those before it can be compared
			return
		default:
			found := m.needed.over(c.reference)
			m.scale = math.Round(100*min(record.MaxScale, max(record.MinScale, found))) / 100
			if math.Abs(found-1) < alike {
				m.scale = 1
			}
			crew.note("umpire: worker %s needs %.2f of the CPU time, and its budgets are multiplied by %v\n", m.name, found, m.scale)
		}
	}
}

// toMeasure is how often a worker plays all matches by which it is measured.
func (m *member) toMeasure() int { return min(mostOften, max(leastOften, m.slots)) }
