package dispatch

import (
	"math"
	"slices"
	"time"

	"umpire/referee/record"
)

// Workers are measured by matches of built-in bots, the same for all, which count for nothing
// else: how much CPU time these bots need, compared with this machine or, where that does not
// play, with the middle one of the first workers that were measured: one of them may say what it
// likes. A worker plays such matches in several of its slots at once, as it will play the others.
const (
	maxMeasured = 6    // matches
	maxCompared = 3    // workers
	leastOften  = 4    // times that a worker plays all of them, and
	mostOften   = 16   // where it has more slots
	alike       = 0.05 // below that, a difference counts as none
)

// measure holds the times that a worker has needed for each of the matches, in microseconds; 0 where
// umpire failed to play it.
type measure [][]float64

// isUnmeasured reports whether a worker is to be measured, before it plays anything else.
func (m *member) isUnmeasured(d *Dispatcher) bool { return len(d.calibration) > 0 && m.scale == 0 }

// isMeasured reports whether a worker has played all matches as often as it is to, or does so
// when it has played some jobs.
func (m *member) isMeasured(jobs int) bool {
	if len(m.needed) > 0 {
		jobs += len(slices.MinFunc(m.needed, func(a, b []float64) int { return len(a) - len(b) }))
	}
	return jobs >= min(mostOften, max(leastOften, m.slots))
}

// measuring returns the matches by which a worker is measured.
func (d *Dispatcher) measuring() (list []*Match) {
	for i, f := range d.calibration {
		e := NewMatch(0, f)
		e.control = true
		e.aside = func(from *member, r record.Record, _ time.Time) {
			if from != nil {
				d.measured(from, i, &r)
			}
		}
		list = append(list, e)
	}
	return list
}

// measured notes what a worker needed for the i-th match, and gives those workers their scale that
// have been measured and can be compared.
func (d *Dispatcher) measured(m *member, i int, r *record.Record) {
	if m.needed == nil {
		m.needed = make(measure, len(d.calibration))
	}
	cpu := 0.0
	for _, seat := range r.Seats {
		if r.Error == "" {
			cpu += float64(seat.CPUUS)
		}
	}
	m.needed[i] = append(m.needed[i], cpu)
	if !m.isMeasured(0) {
		return
	}
	isNew := d.compared[m] == nil && (m.own || !d.config.OwnPlays && m.needed.over(m.needed) > 0 && len(d.compared) < maxCompared)
	if isNew {
		d.compared[m] = m.needed
		if len(d.compared) == 1 && !m.own {
			d.note("umpire: the limits are for processors like those of the middle one of the first %d workers, of two the faster: those of others are scaled\n", maxCompared)
		}
	}
	if d.config.OwnPlays && len(d.compared) == 0 {
		return
	}
	d.asked = 0
	for _, m := range d.order {
		if !m.isMeasured(0) || m.scale != 0 && (!isNew || m.needed.over(m.needed) == 0) {
			continue
		}
		var ratios []float64
		for _, needed := range d.compared {
			ratios = append(ratios, m.needed.over(needed))
		}
		before, found := m.scale, 0.0
		if slices.Sort(ratios); len(ratios) > 0 { // of two workers, the limits are for the faster
			found = ratios[len(ratios)/2]
		}
		if found == 0 {
			m.scale = 1
			d.note("umpire: worker %s can't be compared, as umpire failed to play the matches for that: its budgets are those of the limits\n", m.name)
			continue
		}
		m.scale = math.Round(100*min(record.MaxScale, max(record.MinScale, found))) / 100
		if math.Abs(found-1) < alike {
			m.scale = 1
		}
		if m.scale == before || m.own {
			continue
		}
		unequal := ""
		switch {
		case found > record.MaxScale:
			unequal = ", the most there is: its bots get less than others"
		case found < record.MinScale:
			unequal = ", the least there is: its bots get more than others"
		}
		d.note("umpire: worker %s needs %.2f times the CPU time, and its budgets are multiplied by %v%s\n", m.name, found, m.scale, unequal)
	}
}

// over returns how many times as much a worker needs as another, in the middle of the matches;
// 0 where nothing can be compared.
func (m measure) over(reference measure) float64 {
	var ratios []float64
	for i, times := range m {
		if mine, theirs := middle(times), middle(reference[i]); mine > 0 && theirs > 0 {
			ratios = append(ratios, mine/theirs)
		}
	}
	return middle(ratios)
}

// middle returns the median of what is not 0; 0 if there is none.
func middle(list []float64) float64 {
	list = slices.DeleteFunc(slices.Sorted(slices.Values(list)), func(x float64) bool { return x == 0 })
	if len(list) == 0 {
		return 0
	}
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}
