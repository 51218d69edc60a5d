package coordinator

import (
	"math"
	"slices"

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

// next returns the matches by which a worker is measured; none if it plays them as often as
// it is to.
func (c *calibration) next(m *member) (list []*match) {
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
		e := newMatch(0, f)
		e.control, e.measures = true, i+1
		list = append(list, e)
	}
	return list
}

// isMeasure reports whether a worker is measured by a job.
func (j *job) isMeasure() bool { return j.list[0].measures > 0 }

// add notes what a worker needed for a match that is over.
func (c *calibration) add(e *match, m *member, r *record.Record) {
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

// measure holds the times that a worker has needed for each of the matches, in microseconds.
type measure [][]int64

// medians returns the middle of what was needed for each match; 0 if umpire failed to play it.
func (m measure) medians() []int64 {
	list := make([]int64, len(m))
	for i, times := range m {
		if slices.Sort(times); len(times) > 0 {
			list[i] = times[len(times)/2]
		}
	}
	return list
}

// over returns how many times as much a worker needs as another, in the middle of the matches;
// 1 where nothing can be compared.
func (m measure) over(reference []int64) float64 {
	var ratios []float64
	for i, mine := range m.medians() {
		if mine > 0 && reference[i] > 0 {
			ratios = append(ratios, float64(mine)/float64(reference[i]))
		}
	}
	if len(ratios) == 0 {
		return 1
	}
	slices.Sort(ratios)
	return (ratios[len(ratios)/2] + ratios[(len(ratios)-1)/2]) / 2
}
