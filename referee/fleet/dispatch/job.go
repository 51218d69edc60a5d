package dispatch

import (
	"iter"
	"slices"
	"time"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// Finished is the record of the n-th fixture.
type Finished struct {
	N       int
	Fixture arena.Fixture
	Record  record.Record
}

// Match is a fixture that has no record yet.
type Match struct {
	n       int
	f       arena.Fixture
	id      string // full name of its record
	class   *class // see classOf
	job     *job   // in which it is given to workers; nil: it is over
	tries   []try  // that came to nothing
	control bool   // it only shows something of its worker, which does not play it again
	// aside takes the record of a match that does not count for the Run; from is nil if its worker did
	// not play it. It is nil for the matches of the Run.
	aside func(from *member, r record.Record, now time.Time)
}

// try is how a worker that was given a match did not play it.
type try struct {
	by     *member
	failed bool // it gave a record with an error; or else it let go of the match
}

// isLost reports whether a worker has let go of a match.
func (e *Match) isLost() bool {
	return slices.ContainsFunc(e.tries, func(t try) bool { return !t.failed })
}

// isTried reports whether a worker has tried a match.
func (e *Match) isTried(m *member) bool {
	return slices.ContainsFunc(e.tries, func(t try) bool { return t.by == m })
}

// triers returns the workers that have tried a match, each once.
func (e *Match) triers() (list []*member) {
	for _, t := range e.tries {
		if !slices.Contains(list, t.by) {
			list = append(list, t.by)
		}
	}
	return list
}

// job holds matches that one worker plays.
type job struct {
	id     string
	number int
	list   []*Match          // by whose places records are numbered
	only   *member           // alone may play it; nil if all may
	since  time.Time         // when it began to wait for a slot; zero: it does not wait
	had    map[*member]*hold // the latest of all workers that were given it
	doomed time.Time         // since when it is given to nobody any more; zero: it may be
}

// hold is a job in the hands of a worker.
type hold struct {
	given   time.Time // when the worker was given it
	sent    time.Time // when the worker was told so last
	scale   float64   // of its limits; 0: 1
	since   time.Time // when it was given it, or named it after it had been silent
	named   time.Time // in a beat, the last time
	gone    time.Time // since when it is named no more; zero: it is
	upTo    uint64    // number of the worker's last stored record by then
	why     string    // it was given back; "" if it was not
	overdue bool      // which has been dealt with
}

// NewMatch returns the n-th fixture as a match.
func NewMatch(n int, f arena.Fixture) *Match {
	r := f.Record()
	return &Match{n: n, f: f, id: r.FullName()}
}

// matches reports whether a record is that of the fixture in everything that is
// known before the match.
func (e *Match) matches(r *record.Record) bool {
	return r.V == record.Version && r.FullName() == e.id && r.Identity() == r.ID && r.Game == e.f.Game && r.Case == e.f.Case && r.Limits == e.f.Limits &&
		max(1, r.Repetition) == max(1, e.f.Repetition) && samePackage(r.Package, e.f.Package) &&
		slices.EqualFunc(r.Seats, e.f.Seats, func(a record.Seat, b arena.Seat) bool {
			return a.Bot == b.Bot && a.Digest == b.Digest && a.House == b.House && a.Kind == b.Kind
		})
}

func samePackage(a, b *record.Package) bool { return a == b || a != nil && b != nil && *a == *b }

// isOpen reports whether a match of a job has no record, and is in no newer job.
func (j *job) isOpen(e *Match) bool { return e.job == j }

// open returns the matches of a job that are open.
func (j *job) open() []*Match {
	return slices.DeleteFunc(slices.Clone(j.list), func(e *Match) bool { return !j.isOpen(e) })
}

// isWaiting reports whether a job waits for a slot.
func (j *job) isWaiting() bool { return !j.since.IsZero() }

// isPlayed reports whether a worker, and not a certain one, has a job and may still finish it.
func (j *job) isPlayed(but *member) bool {
	for m, h := range j.had {
		if m != but && m.holds[j] != nil && !h.overdue {
			return true
		}
	}
	return false
}

// inOrder returns jobs, the first first.
func inOrder(jobs iter.Seq[*job]) []*job {
	return slices.SortedFunc(jobs, func(a, b *job) int { return a.number - b.number })
}

// newJob makes a job of matches.
func (s *Schedule) newJob(list []*Match, only *member) *job {
	s.number++
	j := &job{id: s.d.config.NewName(), number: s.number, list: list, only: only, had: make(map[*member]*hold)}
	for _, e := range list {
		e.job = j
	}
	s.jobs[j.id] = j
	return j
}

// again puts a job before those that nobody has been given yet.
func (s *Schedule) again(j *job, now time.Time) {
	if j.isWaiting() {
		return
	}
	if j.only != nil {
		j.only.alone = append(j.only.alone, j)
	} else {
		s.first = append(s.first, j)
	}
	j.since, s.d.asked = now, 0
	s.waiting++
}

// split puts matches before those that nobody has been given yet, each in a job of its own.
func (s *Schedule) split(now time.Time, list ...*Match) {
	for _, e := range list {
		old := e.job
		s.again(s.newJob([]*Match{e}, old.only), now)
		s.release(old)
	}
}

// unwait notes that a job waits no more.
func (s *Schedule) unwait(j *job) {
	if j.isWaiting() {
		j.since = time.Time{}
		s.waiting--
	}
}

// release takes a job from its workers, or from those that wait, when nothing is left
// of it for them. It is forgotten when all its matches are over: see Tick.
func (s *Schedule) release(j *job) {
	if slices.ContainsFunc(j.list, j.isOpen) {
		return
	}
	s.unwait(j)
	for m := range j.had {
		if len(m.holds) >= maxHeld*m.slots { // it may take another
			s.d.asked = 0
		}
		delete(m.holds, j)
	}
}
