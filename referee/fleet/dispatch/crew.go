package dispatch

import (
	"fmt"
	"slices"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
	"umpire/referee/report"
)

const (
	maxStrikes = 6    // of a worker: see crew.strike
	maxSeen    = 4096 // workers that are remembered
)

// crew are the workers of a coordinator, and what they wait for. It is a state
// machine like Schedule.
type crew struct {
	config *Config
	swept  time.Time // when silent workers were looked for last
	out    Decisions
	// parted takes back what a worker holds that is there no more.
	parted   func(m *member, counted bool, now time.Time)
	members  map[string]*member // all that are known, by id
	order    []*member          // as they came first
	called   map[string]bool    // their names
	idle     []*taker           // slots that wait for jobs, the first first
	keyed    map[string]*member // those with keys of their own, by the keys' names
	replaced map[string]bool    // ids of workers that others with their keys have replaced, or see joined
	trusts   bool               // the user has been told why workers without keys are trusted
	ended    bool
	drains   bool      // no more matches are to begin
	all      credit    // of all workers
	present  []*member // see there; nil: it is to be made anew
	counts   status.Counts
}

func (c *crew) note(format string, args ...any) {
	c.out.Notes = append(c.out.Notes, fmt.Sprintf(format, args...))
}

// there returns the workers that are there, as they came first.
func (c *crew) there() []*member {
	if c.present == nil {
		c.present = slices.DeleteFunc(slices.Clone(c.order), func(m *member) bool { return !m.isThere() })
	}
	return c.present
}

// slots counts the matches that all workers can play concurrently, at least 1.
func (c *crew) slots() int {
	n := 0
	for _, m := range c.there() {
		n += m.slots
	}
	return max(1, n)
}

// sweep parts with the workers that are silent, and answers slots that have waited
// long enough.
func (c *crew) sweep(now time.Time) {
	wasAway := now.Sub(c.swept) > c.config.Silence/2
	c.swept = now
	for _, m := range c.there() {
		if wasAway { // nobody could be heard
			m.seen = now
		}
		if now.Sub(m.seen) <= c.config.Silence {
			continue
		}
		if m.heard {
			c.counts.Silent++
			if !m.own {
				c.note("umpire: worker %s is gone\n", m.name)
			}
		}
		c.part(m, status.Silent, "", !m.own, now) // which is silent when this machine has too much to do
	}
	for _, t := range c.idle {
		if !t.over && now.Sub(t.since) > fleet.TakeHold {
			t.end()
			c.out.Gives = append(c.out.Gives, Give{Reply: t.reply})
		}
	}
	c.idle = slices.DeleteFunc(c.idle, func(t *taker) bool { return t.over })
}

// part notes that a worker is no longer there, and why. Counted means that it ought to
// have finished what it holds.
func (c *crew) part(m *member, state, why string, counted bool, now time.Time) {
	m.state, m.why, c.present = state, why, nil
	for _, t := range m.takers {
		t.end()
	}
	c.parted(m, counted, now)
}

// drop ends a worker's part in the run: it gets no more work, and nothing that it
// gives counts.
func (c *crew) drop(m *member, why string, now time.Time) {
	if m.dropped != "" || m.own {
		return
	}
	m.dropped = fleet.Tidy(why, fleet.MaxWhy)
	c.counts.Refused++
	c.note("umpire: worker %s is dropped, and what it was to play is given to others: %s\n", m.name, m.dropped)
	c.part(m, status.Refused, m.dropped, false, now)
}

// exclude drops a worker that has been proven wrong, or whose key was revoked: the records
// that it has given do not count, either.
func (c *crew) exclude(m *member, why string, now time.Time) {
	if m.own || m.excluded {
		return
	}
	c.drop(m, why, now)
	m.excluded = true
	if given := m.credit.matches; given > 0 || c.config.Resumed {
		c.out.Excluded = append(c.out.Excluded, m.name)
		c.note("umpire: worker %s is excluded, and what it has played is played again: %s\n", m.name, report.Plural(int(given), "match"))
	}
}

// strike notes that a worker did not finish what it was given, and how. One that has given
// no record meanwhile is dropped when that happens too often.
func (c *crew) strike(m *member, how string, now time.Time) {
	if m.strikes++; m.strikes >= maxStrikes {
		c.drop(m, fmt.Sprintf("it has not finished what it was given %d times in a row; the last time it %s", m.strikes, how), now)
	}
}

// credit counts a record that a worker has given.
func (c *crew) credit(from *member, r *record.Record, now time.Time) {
	c.all.add(now)
	from.credit.add(now)
	if r.Error != "" {
		c.counts.Errors++
	}
}
