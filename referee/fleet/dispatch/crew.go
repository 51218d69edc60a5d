package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
	"umpire/referee/report"
)

const (
	maxStrikes = 6    // of a worker: see strike
	maxSeen    = 4096 // workers that are remembered
)

func (d *Dispatcher) note(format string, args ...any) {
	d.out.Notes = append(d.out.Notes, fmt.Sprintf(format, args...))
}

// there returns the workers that are there, as they came first.
func (d *Dispatcher) there() []*member {
	if d.present == nil {
		d.present = slices.DeleteFunc(slices.Clone(d.order), func(m *member) bool { return !m.isThere() })
	}
	return d.present
}

// sweep parts with the workers that are silent, and answers slots that have waited
// long enough.
func (d *Dispatcher) sweep(now time.Time) {
	wasAway := now.Sub(d.swept) > d.config.Silence/2
	d.swept = now
	for _, m := range d.there() {
		if wasAway { // nobody could be heard
			m.seen = now
		}
		if now.Sub(m.seen) <= d.config.Silence {
			continue
		}
		if m.heard {
			d.counts.Silent++
			if !m.own {
				d.note("umpire: worker %s is gone\n", m.name)
			}
		}
		d.part(m, status.Silent, "", !m.own, now) // which is silent when this machine has too much to do
	}
	d.idle = slices.DeleteFunc(d.idle, func(t *taker) bool {
		if !t.over && now.Sub(t.since) > fleet.TakeHold {
			t.over = true
			d.out.Gives = append(d.out.Gives, Give{Reply: t.reply})
		}
		return t.over
	})
}

// part notes that a worker is no longer there, and why. Counted means that it ought to
// have finished what it holds.
func (d *Dispatcher) part(m *member, state, why string, counted bool, now time.Time) {
	m.state, m.why, d.present = state, why, nil
	for _, t := range m.takers {
		t.over = true
	}
	for _, j := range inOrder(maps.Keys(m.holds)) {
		d.work.lose(j, m, counted, now)
	}
}

// drop ends a worker's part in the run: it gets no more work, and nothing that it
// gives counts.
func (d *Dispatcher) drop(m *member, why string, now time.Time) {
	if m.dropped != "" || m.own {
		return
	}
	m.dropped = fleet.Tidy(why, fleet.MaxWhy)
	d.counts.Refused++
	d.note("umpire: worker %s is dropped, and what it was to play is given to others: %s\n", m.name, m.dropped)
	d.part(m, status.Refused, m.dropped, false, now)
}

// exclude drops a worker that has been proven wrong, or whose key was revoked: the records
// that it has given do not count, either.
func (d *Dispatcher) exclude(m *member, why string, now time.Time) {
	if m.own || m.dropped != "" {
		return
	}
	d.drop(m, why, now)
	if given := m.rate.count; given > 0 || d.config.Resumed {
		d.out.Excluded = append(d.out.Excluded, m.name)
		d.note("umpire: worker %s is excluded, and what it has played is played again: %s\n", m.name, report.Plural(int(given), "match"))
	}
}

// strike notes that a worker did not finish what it was given, and how. One that has given
// no record meanwhile is dropped when that happens too often.
func (d *Dispatcher) strike(m *member, how string, now time.Time) {
	if m.strikes++; m.strikes >= maxStrikes {
		d.drop(m, fmt.Sprintf("it has not finished what it was given %d times in a row; the last time it %s", m.strikes, how), now)
	}
}

// count counts a record that a worker has given.
func (d *Dispatcher) count(from *member, r *record.Record, now time.Time) {
	d.rate.add(now)
	from.rate.add(now)
	if r.Error != "" {
		d.counts.Errors++
	}
}
