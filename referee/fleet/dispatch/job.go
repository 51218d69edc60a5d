package dispatch

import (
	"maps"
	"slices"
	"time"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// Finished is the record of the n-th fixture.
type Finished struct {
	N      int
	Record record.Record
}

// Match is a fixture that has no record yet.
type Match struct {
	n        int
	f        arena.Fixture
	id       string // Identity of its record
	job      *job   // in which it is given to workers
	in       []*job // all jobs that it has been in
	over     bool
	failedOn []*member   // that gave a record with an error
	losses   int         // how often a worker that had it did not finish it
	lostBy   []*member   // these workers
	check    *comparison // it is played again for this; nil if it is not
	side     int         // which of the two workers of check plays it
	control  bool        // it is played to find out whether its worker can be believed
	measures int         // how fast its worker is: which of the calibration's it is, from 1; 0: none
}

// comparison is a match that is played again.
type comparison struct {
	workers [2]*member         // the first has played the run's record
	played  [2][]record.Record // on each
	left    int                // jobs under way
	failed  bool               // umpire failed to play one
}

// job holds matches that one worker plays.
type job struct {
	id      string
	number  int
	needs   needs
	list    []*Match // by whose places records are numbered
	left    int      // of these, without a record
	only    *member  // alone may play it; nil if all may
	waiting bool
	since   time.Time         // when it began to wait
	had     map[*member]*hold // the latest of all workers that were given it
	doomed  time.Time         // since when it is given to nobody any more; zero: it may be
}

// hold is a job in the hands of a worker.
type hold struct {
	given   time.Time // when the worker was given it
	scale   float64   // of its limits; 0: 1
	since   time.Time // when it was given it, or named it after it had been silent
	named   bool      // in a beat
	gone    time.Time // since when it is named no more; zero: it is
	upTo    uint64    // number of the worker's last stored record by then
	why     string    // it was given back; "" if it was not
	overdue bool      // which has been dealt with
	over    bool      // the worker has it no more
}

// isControl reports whether a job, if there is one, is a control match.
func (j *job) isControl() bool { return j != nil && j.list[0].control }

// NewMatch returns the n-th fixture as a match.
func NewMatch(n int, f arena.Fixture) *Match {
	r := f.Record()
	return &Match{n: n, f: f, id: Identity(&r)}
}

// Identity tells a match from others: equal fixtures have the same.
func Identity(r *record.Record) string {
	id := r.ID
	for _, s := range r.Seats {
		id += "\n" + s.Bot
	}
	return id
}

// matches reports whether a record is that of the fixture in everything that is
// known before the match.
func (e *Match) matches(r *record.Record) bool {
	return r.V == record.Version && Identity(r) == e.id && r.Identity() == r.ID && r.Game == e.f.Game && r.Case == e.f.Case && r.Limits == e.f.Limits &&
		max(1, r.Repetition) == max(1, e.f.Repetition) && samePackage(r.Package, e.f.Package) &&
		slices.EqualFunc(r.Seats, e.f.Seats, func(a record.Seat, b arena.Seat) bool {
			return a.Bot == b.Bot && a.Digest == b.Digest && a.House == b.House && a.Kind == b.Kind
		})
}

func samePackage(a, b *record.Package) bool { return a == b || a != nil && b != nil && *a == *b }

// open returns the matches of a job that have no record, and are in no newer job.
func (j *job) open() (list []*Match) {
	for _, e := range j.list {
		if e.job == j && !e.over {
			list = append(list, e)
		}
	}
	return list
}

// isMeasure reports whether a worker is measured by a job.
func (j *job) isMeasure() bool { return j.list[0].measures > 0 }

// isFit reports whether nothing speaks against that a worker plays a job.
func (j *job) isFit(m *member, barred bool) bool {
	return !(barred && j.isSuspect()) && !slices.ContainsFunc(j.list, func(e *Match) bool {
		return e.job == j && !e.over && (slices.Contains(e.failedOn, m) || slices.Contains(e.lostBy, m))
	})
}

// isSuspect reports whether a worker did not finish a match of a job.
func (j *job) isSuspect() bool {
	return slices.ContainsFunc(j.list, func(e *Match) bool { return e.job == j && !e.over && e.losses > 0 })
}

// isPlayed reports whether a worker has a job that may still finish it.
func (j *job) isPlayed() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(j.had)), func(h *hold) bool { return !h.over && !h.overdue })
}

// holders counts the workers that have a job.
func (j *job) holders() (n int) {
	for _, h := range j.had {
		if !h.over {
			n++
		}
	}
	return n
}
