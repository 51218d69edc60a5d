package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
	"umpire/referee/report"
)

const (
	maxStrikes = 6    // of a worker: see strike
	maxSeen    = 4096 // workers that are remembered
	newsBurst  = 100  // lines of news about workers, as when many join, and then:
	newsRate   = 1    // a second: see news
	maxHeld    = 8    // jobs that a worker may hold for each of its slots: it may be told late that it has let go
)

// member is one worker.
type member struct {
	id, name, version, isolation, cpu string

	key          string    // name of its key, or user of an existing server; "": it has the token
	start        string    // see fleet.Hello
	host         string    // from which it comes; "" if that is not known
	first        time.Time // see fleet.Origin
	slots        int
	abilities    map[string]bool // keys
	own          bool            // it is the coordinator's
	joined, seen time.Time
	heard        bool // it has sent a beat: before that it may have chosen another run of the same server
	beat         fleet.Beat
	takers       map[int]*taker // the last one of each slot
	holds        map[*job]*hold // the jobs of the Run that it has
	alone        []*job         // that wait, and that nobody else may play
	playing      time.Time      // when it named a job last that it may still finish
	rate         meter          // of its records
	proven       bool           // it has given a good record, and
	failures     int            // matches that umpire failed to play there since then: not too many
	scale        float64        // of its budgets; 0: it has not been measured
	needed       measure        // while it is being measured
	strikes      int            // jobs that it did not finish since its last good record: see Dispatcher.strike
	excused      int            // likewise, as it paused, left or began anew
	state, why   string         // where it is if it is not there, and why; "": it is there
	dropped      string         // why it may not play any more; "" if it may
	droppedAt    time.Time
}

// isThere reports whether a worker takes part.
func (m *member) isThere() bool { return m.state == "" }

// isOlder reports whether who has begun as another has taken the place of who says something.
func (m *member) isOlder(start string) bool { return m.key != "" && m.start != start }

// isBarred reports whether a worker is to play nothing that others did not finish. Such jobs
// go to several workers: one of them may kill who plays it.
func (m *member) isBarred() bool {
	for j := range m.holds {
		if slices.ContainsFunc(j.list, func(e *Match) bool { return j.isOpen(e) && e.isLost() }) {
			return true
		}
	}
	return !m.proven
}

// isApart reports whether two workers have different keys, if they have any, and are not at one
// address. All may be behind this machine's: there both need keys.
func (m *member) isApart(other *member) bool {
	areOne := m.key != "" && m.key == other.key
	return !areOne && (m.host != other.host || m.host == "" || fleet.IsLoopback(m.host) && m.key != "" && other.key != "")
}

// maxNamed is how many workers a line names.
const maxNamed = 5

// namesOf names workers, or counts them if they are many.
func namesOf(list []*member) string {
	var names []string
	for _, m := range list {
		names = append(names, m.name)
	}
	switch n := len(names); {
	case n == 1:
		return "worker " + names[0]
	case n <= maxNamed:
		return "workers " + strings.Join(names, ", ")
	}
	return report.Plural(len(names), "worker")
}

// taker is a slot that waits for a job.
type taker struct {
	member *member
	reply  string // subject for the answer
	over   bool   // it waits no more
	given  *job   // the last one that the slot was given; nil if there is none
}

func (d *Dispatcher) note(format string, args ...any) {
	d.out.Notes = append(d.out.Notes, fmt.Sprintf(format, args...))
}

// dropped is who news is about when workers are dropped that have no key and gave no record. No key
// has that name.
const dropped = " "

// news notes something about a worker with a key, or one of the others. Of each, and of all others
// together, there are only so many lines, and the number of more: otherwise one worker could hide
// what else is said.
func (d *Dispatcher) news(key string, now time.Time, format string, args ...any) {
	if d.config.TrustsAll && key != dropped { // keys may be made up
		key = ""
	}
	if d.said[key] == nil {
		d.said[key] = rate.NewLimiter(newsRate, newsBurst)
	}
	if d.said[key].AllowN(now, 1) {
		d.note(format, args...)
	} else {
		d.unsaid++
	}
}

// there returns the workers that are there, as they came first.
func (d *Dispatcher) there() []*member {
	if d.present == nil {
		d.present = slices.DeleteFunc(slices.Clone(d.order), func(m *member) bool { return !m.isThere() })
	}
	return d.present
}

// sweep parts with the workers that are silent.
func (d *Dispatcher) sweep(now time.Time) {
	if d.unsaid > 0 {
		d.note("umpire: and %s more about workers\n", report.Plural(d.unsaid, "line"))
		d.unsaid = 0
	}
	d.wake(now)
	for _, m := range d.there() {
		if now.Sub(m.seen) <= d.config.Silence {
			continue
		}
		if m.heard {
			d.counts.Silent++
			if !m.own {
				d.news(m.key, now, "umpire: worker %s is gone\n", m.name)
			}
		}
		d.part(m, status.Silent, "", !m.own, now) // which is silent when this machine has too much to do
	}
	d.idle, d.asked = slices.DeleteFunc(d.idle, func(t *taker) bool { return t.over }), 0
}

// wake notes that something is done. Where nothing was for a time, as the coordinator was stopped, nobody
// could be heard, and no time has passed for what workers have.
func (d *Dispatcher) wake(now time.Time) {
	gap := now.Sub(d.awake)
	if d.awake = now; gap <= d.config.Silence/2 {
		return
	}
	d.asked = 0
	for _, m := range d.there() {
		m.seen = now
		for _, h := range m.holds {
			h.since = h.since.Add(gap)
			if !h.gone.IsZero() {
				h.gone = h.gone.Add(gap)
			}
		}
	}
}

// part notes that a worker is no longer there, and why. Counted means that it ought to
// have finished what it holds.
func (d *Dispatcher) part(m *member, state, why string, counted bool, now time.Time) {
	m.state, m.why, d.present, d.asked = state, why, nil, 0
	for _, t := range m.takers {
		t.getsNone(d)
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
	m.dropped, m.droppedAt = fleet.Tidy(why, fleet.MaxWhy), now
	d.counts.Refused++
	note := d.note
	if m.key == "" && m.rate.count == 0 { // there may be any number of them
		note = func(format string, args ...any) { d.news(dropped, now, format, args...) }
	}
	note("umpire: worker %s is dropped, and what it was to play is given to others: %s\n", m.name, m.dropped)
	d.part(m, status.Refused, m.dropped, false, now)
}

// bar drops who stores records and has never said hello. An honest worker does not, so that its
// connection ends.
func (d *Dispatcher) bar(from *Giver, now time.Time) *member {
	m := &member{id: from.ID, key: from.Key, state: status.Refused, joined: now, seen: now, dropped: "it stores records and has never joined", droppedAt: now}
	m.why = m.dropped
	d.remember(m, "stranger#1")
	d.counts.Refused++
	d.out.Kicks = append(d.out.Kicks, m.id)
	d.news(dropped, now, "umpire: worker %s is refused: %s\n", m.name, m.dropped)
	return m
}

// exclude drops a worker that has been proven wrong, or whose key was revoked: the records
// that it has given do not count, either.
func (d *Dispatcher) exclude(m *member, why string, now time.Time) {
	if m.own || d.isExcluded(m.name) {
		return
	}
	d.drop(m, why, now)
	d.config.Excluded = append(d.config.Excluded, m.name)
	if given := report.Plural(int(m.rate.count), "match"); m.key != "" || m.rate.count > 0 || d.config.Resumed { // which is kept
		if d.config.Resumed { // it may have played more before
			given += " since the run was resumed, and all before"
		}
		d.out.Excluded = append(d.out.Excluded, m.name)
		d.note("umpire: worker %s is excluded, and what it has played is played again after the others: %s\n", m.name, given)
	}
}

// isExcluded reports whether the records of the worker with a name do not count.
func (d *Dispatcher) isExcluded(name string) bool { return slices.Contains(d.config.Excluded, name) }

// strike notes that a worker did not finish what it was given, and how. One that has given
// no record meanwhile is dropped when that happens too often.
func (d *Dispatcher) strike(m *member, how string, now time.Time) {
	if m.strikes++; m.strikes >= maxStrikes {
		d.drop(m, fmt.Sprintf("it has not finished what it was given %d times in a row; the last time it %s", m.strikes, how), now)
	}
}

// excuse notes that a worker let go of jobs as it paused, left or began anew. Nobody is to blame for that,
// but who does so with more than a worker can hold, and has given no record meanwhile, takes them for it.
func (d *Dispatcher) excuse(m *member, jobs int, now time.Time) {
	if d.drains || jobs == 0 {
		return
	}
	if m.excused += jobs; m.excused > maxHeld*m.slots {
		d.strike(m, "gave a job back, and paused or left", now)
	}
}
