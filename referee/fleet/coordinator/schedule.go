package coordinator

import (
	"slices"
	"time"

	"umpire/referee/arena"
	"umpire/referee/program"
	"umpire/referee/record"
)

// maxTries is how many workers are given a match before its record is an error.
const (
	maxTries    = 3
	maxUnproven = 9 // if they have never given a record, or are the same
)

const (
	maxVanished = 3                // times that a worker may let go of jobs without a word, with no record between
	maxOverdue  = 3                // jobs that a worker may hold for too long, until it is dropped
	maxHeld     = 8                // jobs that a worker may hold for each of its slots: it may be told late that it has let go
	notStarted  = 30 * time.Second // how long a job waits for the worker that ought to play it
)

// schedule decides who plays what in a Run. It is a state machine: what happens is
// told to it with the time, and it adds what is to be done to its crew's decisions
// and to over. It does nothing else, and is not safe for concurrent use.
type schedule struct {
	crew        *crew
	version     string        // umpire's
	silence     time.Duration // after which what a worker holds is given to others
	late        time.Duration // see lateAfter
	began       time.Time     // before any match of the run began
	recheck     sample        // of the matches
	controls    []arena.Fixture
	share       float64 // of the jobs that are one of these
	packages    map[string]*program.Package
	needs       needs // of all jobs
	rechecks    *Rechecks
	chance      func() float64 // from 0 to 1
	newName     func() string
	over        []finished                 // records to be kept
	pending     map[string][]*match        // matches without a record, by identity
	early       map[string][]record.Record // which were stored before the coordinator began, of matches that have not been drawn; by identity
	jobs        map[string]*job            // those with such matches, by id
	first       []*job                     // waiting jobs that are given before others, and not to everybody
	queues      map[string]*class          // the other waiting jobs
	number      int                        // of jobs so far
	waiting     int                        // jobs that wait for a slot
	under       int                        // matches in pending
	mean        time.Duration              // of a match, roughly; 0: unknown
	checks      int                        // matches that are being played again
	collected   uint64                     // number of the last stored record that was taken
	fed         bool                       // all fixtures have been drawn
	lackingFrom time.Time                  // since when no worker can judge any of the matches
}

// finished is the record of the n-th fixture.
type finished struct {
	n int
	r record.Record
}

// match is a fixture that has no record yet.
type match struct {
	n        int
	f        arena.Fixture
	want     record.Record // as known before it is played
	id       string        // identity of that
	job      *job          // in which it is given to workers
	in       []*job        // all jobs that it has been in
	over     bool
	tries    int       // records with an error
	failedOn []*member // that gave them
	losses   int       // how often a worker that had it did not finish it
	lostBy   []*member // these workers
	check    *recheck  // it is played again for this; nil if it is not
	side     int       // which of the two workers of check plays it
	control  bool      // it is played to find out whether its worker can be believed
	measures int       // how fast its worker is: which of the calibration's it is, from 1; 0: none
}

// class holds the waiting jobs that need the same, in order.
type class struct {
	needs needs
	jobs  []*job
}

// job holds matches that one worker plays.
type job struct {
	id      string
	number  int
	needs   needs
	list    []*match // by whose places records are numbered
	left    int      // of these, without a record
	only    *member  // alone may play it; nil if all may
	waiting bool
	since   time.Time             // when it began to wait
	holds   map[*member]*hold     // of the workers that have it
	taken   map[*member]time.Time // when each worker that has had it was given it first
	scales  map[*member]float64   // of the limits for each, where it is not 1
	second  bool                  // it was given to a second worker
	doomed  time.Time             // since when it is given to nobody any more; zero: it may be
}

// hold is a job in the hands of a worker.
type hold struct {
	since   time.Time
	named   bool      // in a beat
	gone    time.Time // since when it is named no more; zero: it is
	upTo    uint64    // number of the worker's last stored record by then
	why     string    // it was given back; "" if it was not
	overdue bool      // which has been dealt with
}

// maxDoubts bounds asking.doubts: when many workers fall silent at once, there are thousands of
// such jobs.
const maxDoubts = 8

// controlShare is the share of jobs that are control matches, and of records whose
// built-in bots are checked.
const controlShare = 0.02

// isControl reports whether a job, if there is one, is a control match.
func (j *job) isControl() bool { return j != nil && j.list[0].control }

// newMatch returns the n-th fixture as a match.
func newMatch(n int, f arena.Fixture) *match {
	e := &match{n: n, f: f, want: f.Record()}
	e.id = identity(&e.want)
	return e
}

// identity tells a match from others: equal fixtures have the same.
func identity(r *record.Record) string {
	id := r.ID
	for _, s := range r.Seats {
		id += "\n" + s.Bot
	}
	return id
}

// matches reports whether a record is that of the fixture in everything that is
// known before the match.
func (e *match) matches(r *record.Record) bool {
	want := &e.want
	return r.V == want.V && r.Game == want.Game && r.Case == want.Case && r.Limits == want.Limits && r.ID == want.ID && r.Identity() == want.ID &&
		max(1, r.Repetition) == max(1, want.Repetition) && r.Seed == want.Seed && samePackage(r.Package, want.Package) &&
		slices.EqualFunc(r.Seats, want.Seats, func(a, b record.Seat) bool {
			return a.Bot == b.Bot && a.Digest == b.Digest && a.House == b.House && a.Kind == b.Kind
		})
}

func samePackage(a, b *record.Package) bool { return a == b || a != nil && b != nil && *a == *b }

// open returns the matches of a job that have no record, and are in no newer job.
func (j *job) open() (list []*match) {
	for _, e := range j.list {
		if e.job == j && !e.over {
			list = append(list, e)
		}
	}
	return list
}

// add adds matches that have not been under way before, in one job.
func (s *schedule) add(list []*match, now time.Time) {
	for _, e := range list {
		s.pending[e.id] = append(s.pending[e.id], e)
	}
	s.under += len(list)
	list = slices.DeleteFunc(list, func(e *match) bool { return s.isEarly(e, now) })
	if len(list) == 0 {
		return
	}
	j := s.newJob(list, nil)
	name := j.needs.class()
	if s.queues[name] == nil {
		s.queues[name] = &class{needs: j.needs}
		s.crew.need(j.needs)
	}
	s.queues[name].jobs = append(s.queues[name].jobs, j)
	s.await(j, now)
	s.assign(now)
}

// isEarly reports whether a match has an early record, with which it ends.
func (s *schedule) isEarly(e *match, now time.Time) bool {
	i := slices.IndexFunc(s.early[e.id], func(r record.Record) bool { return e.matches(&r) })
	if i < 0 {
		return false
	}
	r := s.early[e.id][i]
	s.early[e.id] = slices.Delete(s.early[e.id], i, i+1)
	s.finish(e, nil, r, now)
	return true
}

// newJob makes a job of matches.
func (s *schedule) newJob(list []*match, only *member) *job {
	s.number++
	j := &job{
		id: s.newName(), number: s.number, needs: needsOf(s.packages, list[0].f, s.needs...), list: list, left: len(list), only: only,
		holds: make(map[*member]*hold), taken: make(map[*member]time.Time), scales: make(map[*member]float64),
	}
	for _, e := range list {
		e.job, e.in = j, append(e.in, j)
	}
	s.jobs[j.id] = j
	return j
}

// again puts a job before those that wait.
func (s *schedule) again(j *job, now time.Time) {
	if !j.waiting {
		s.first = append(s.first, j)
		s.await(j, now)
	}
}

// await notes that a job waits for a slot.
func (s *schedule) await(j *job, now time.Time) {
	j.waiting, j.since = true, now
	s.waiting++
}

// unwait notes that a job waits no more.
func (s *schedule) unwait(j *job) {
	if j.waiting {
		j.waiting = false
		s.waiting--
	}
}

// assign gives waiting jobs to waiting slots.
func (s *schedule) assign(now time.Time) {
	if s.crew.drains || s.waiting == 0 { // many slots may be idle
		return
	}
	s.first = slices.DeleteFunc(s.first, func(j *job) bool { return !j.waiting })
	idle := s.crew.idle[:0]
	for _, t := range s.crew.idle {
		if t.over {
			continue
		}
		if j := s.next(t.member, now); j != nil {
			s.give(j, t, now)
			continue
		}
		idle = append(idle, t)
	}
	clear(s.crew.idle[len(idle):])
	s.crew.idle = idle
}

// next returns the job that a worker is to play next; nil if there is none.
func (s *schedule) next(m *member, now time.Time) *job {
	if s.waiting == 0 || len(m.holds) >= maxHeld*m.slots {
		return nil
	}
	if c := s.crew.calibration; c.measures(m) {
		if list := c.next(m); len(list) > 0 {
			return s.newJob(list, m)
		}
		return nil
	}
	if len(s.controls) > 0 && !m.own && s.chance() < s.share {
		e := newMatch(0, s.controls[int(s.chance()*float64(len(s.controls)))])
		e.control = true
		return s.newJob([]*match{e}, m)
	}
	a := asking{m, m.isBarred(), maxDoubts}
	for _, j := range s.first {
		if j.waiting && s.mayTake(j, &a, now) {
			return j
		}
	}
	var best *job
	for _, q := range s.queues {
		for len(q.jobs) > 0 && !q.jobs[0].waiting {
			q.jobs[0], q.jobs = nil, q.jobs[1:]
		}
		if len(q.jobs) > 0 && (best == nil || q.jobs[0].number < best.number) && q.needs.met(m) {
			best = q.jobs[0]
		}
	}
	return best
}

// waitingFor counts the jobs that wait and that a worker could play, roughly.
func waitingFor(s *schedule, m *member) (n int) {
	if s.waiting == 0 || s.crew.drains || len(m.holds) >= maxHeld*m.slots {
		return 0
	}
	for _, q := range s.queues {
		if q.needs.met(m) {
			n += len(q.jobs)
		}
	}
	for _, j := range s.first {
		if j.waiting && (j.only == nil || j.only == m) {
			n++
		}
	}
	return min(n, s.waiting)
}

// asking is a worker that asks for a job.
type asking struct {
	*member
	barred bool // see isBarred
	doubts int  // for so many jobs that it had better not play it is found out whether others could
}

// mayTake reports whether a worker may play a job that has been given before, or is
// for a certain worker. One that did not finish a match of it, or has given no record
// yet, is to leave the job to others, for a time.
func (s *schedule) mayTake(j *job, a *asking, now time.Time) bool {
	switch {
	case j.only != nil:
		return j.only == a.member
	case j.holds[a.member] != nil, !j.needs.met(a.member):
		return false
	case now.Sub(j.since) > notStarted, j.isFit(a.member, a.barred):
		return true
	case a.doubts == 0:
		return false
	}
	a.doubts--
	return !slices.ContainsFunc(s.crew.there(), func(other *member) bool {
		return other != a.member && j.holds[other] == nil && j.needs.met(other) && j.isFit(other, other.isBarred())
	})
}

// isFit reports whether nothing speaks against that a worker plays a job.
func (j *job) isFit(m *member, barred bool) bool {
	return !(barred && j.isSuspect()) && !slices.ContainsFunc(j.list, func(e *match) bool {
		return e.job == j && !e.over && (slices.Contains(e.failedOn, m) || slices.Contains(e.lostBy, m))
	})
}

// isBarred reports whether a worker is to play nothing that others did not finish. Such jobs
// go to several workers: one of them may kill who plays it.
func (m *member) isBarred() bool {
	if !m.proven {
		return true
	}
	for j := range m.holds {
		if j.isSuspect() {
			return true
		}
	}
	return false
}

// isSuspect reports whether a worker did not finish a match of a job.
func (j *job) isSuspect() bool {
	return slices.ContainsFunc(j.list, func(e *match) bool { return e.job == j && !e.over && e.losses > 0 })
}

// give gives a job to a slot. One that its worker had before gets another id: the server
// keeps one record of each match of a job, and would not store another.
func (s *schedule) give(j *job, t *taker, now time.Time) {
	s.unwait(j)
	if old := j; !j.taken[t.member].IsZero() {
		j = s.newJob(j.open(), j.only)
		s.release(old)
	}
	h := &hold{since: now}
	j.holds[t.member], t.member.holds[j] = h, h
	t.member.given[t.slot] = j
	if j.taken[t.member].IsZero() {
		j.taken[t.member] = now
	}
	t.end()
	if scale := t.member.scale; scale > 0 && scale != 1 && !j.isMeasure() {
		j.scales[t.member] = scale
	}
	g := give{reply: t.reply, id: j.id}
	for i, e := range j.list {
		if e.job == j && !e.over {
			f := e.f
			f.Scale = j.scales[t.member]
			g.fixtures, g.at = append(g.fixtures, f), append(g.at, i)
		}
	}
	s.crew.out.gives = append(s.crew.out.gives, g)
}
