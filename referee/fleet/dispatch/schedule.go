package dispatch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/record"
)

// How many matches may be under way, at any number of workers.
const (
	MinRoom = 64
	MaxRoom = 1 << 16
)

// Schedule decides who plays what in a Run. It is a state machine: what happens is
// told to it with the time, and it adds what is to be done to the Dispatcher's decisions
// and to over. It does nothing else, and is not safe for concurrent use.
type Schedule struct {
	d           *Dispatcher                // whose workers play
	jobs        map[string]*job            // those with matches that have no record, by id
	first       []*job                     // waiting jobs that are given before others, and not to everybody
	classes     []*class                   // of the matches so far; they hold the other waiting jobs
	number      int                        // of jobs so far
	waiting     int                        // jobs that wait for a slot
	sample      recheck.Sample             // of the matches that are played again
	rechecking  int                        // matches that are being played again
	ready       []*Match                   // the next job
	over        []Finished                 // records to be kept
	pending     map[string][]*Match        // matches without a record, by full name
	early       map[string][]record.Record // which were stored before the coordinator began, of matches that have not been drawn; by full name
	earlies     int                        // records in early
	under       int                        // matches in pending
	mean        time.Duration              // of a match, roughly; 0: unknown
	collected   uint64                     // number of the last stored record that was taken
	advanced    time.Time                  // when it was
	fed         bool                       // all fixtures have been drawn
	seconds     int                        // matches that a second worker was given since the last tick
	helpers     []*member                  // which these are
	lackingFrom time.Time                  // since when no worker can judge any of the matches that there are
}

// Giver is the worker that gives a record, as far as it is known: one that gave it to an
// earlier coordinator of the run is not.
type Giver struct {
	ID, Name, CPU, Isolation string
	Known, Own, Dropped      bool
	IsStranger               bool   // it has never said hello to a coordinator of the run, and its connection can be ended
	Key                      string // name of a stranger's key; "": it has the token
}

// Result is the record of a match as a worker has stored it.
type Result struct {
	From   Giver
	Job    string
	I      int  // number of the record in its job; -1: it has none
	Early  bool // stored before this coordinator began
	Proven bool // the worker was given the match in the job
	Record record.Record
	Err    error // it is none, or not valid
}

// Awaits reports whether matches of a job may have no record, and whether the one that comes is to be compared
// with what is known of it: that of a control match is, and a share of the others.
func (s *Schedule) Awaits(job string) (records, checked bool) {
	j := s.jobs[job]
	return j != nil, j != nil && j.list[0].control || s.d.config.Chance() < s.d.config.ControlShare
}

// Take deals with one result. A worker whose record is not valid, or of a match that it
// was not given, is excluded; the coordinator's own has not played the match.
func (s *Schedule) Take(one *Result, now time.Time) {
	m, err := s.d.members[one.From.ID], one.Err
	if m == nil && one.From.IsStranger && !one.Early {
		m = s.d.bar(&one.From, now)
	} else if m != nil && m.dropped != "" && now.Sub(m.droppedAt) > fleet.LostAfter { // it goes on all the same
		s.d.out.Kicks = append(s.d.out.Kicks, m.id)
	}
	if m != nil && m.dropped != "" || m == nil && (!one.Early || one.From.Name == "" || s.d.isExcluded(one.From.Name)) || one.Early && !one.Proven {
		return
	}
	switch {
	case err != nil:
	case one.I < 0:
		err = errors.New("found a result without a number")
	case !one.Proven:
		err = errors.New("found a record of a match that it was not given")
	case one.Early:
		s.takeEarly(m, one.Record, now)
	default:
		err = s.take(m, one.Job, one.I, one.Record, now)
	}
	if err == nil {
		return
	}
	if m == nil {
		m = s.d.former(one.From.ID, one.From.Name)
	}
	s.d.exclude(m, err.Error(), now)
	if j := s.jobs[one.Job]; m.own && j != nil && one.I >= 0 && one.I < len(j.list) && j.list[one.I].job != nil { // a defect of umpire's
		r := j.list[one.I].f.Failed(s.d.config.Version, fmt.Errorf("the record is not valid: %w", err), now)
		_ = s.take(m, one.Job, one.I, r, now)
	}
}

// TakeOver returns the records that are to be kept, once each.
func (s *Schedule) TakeOver() (over []Finished) {
	over, s.over = s.over, nil
	return over
}

// takeEarly deals with a record that was stored before this coordinator began, which does not know
// its job.
func (s *Schedule) takeEarly(from *member, r record.Record, now time.Time) {
	id := r.FullName()
	i := slices.IndexFunc(s.pending[id], func(e *Match) bool { return e.matches(&r) })
	beginWithin(&r, s.d.config.Began, now)
	switch {
	case r.Error != "", r.Scale != 0 && len(s.d.calibration) == 0:
	case tooLong(&r, s.d.config.Began, now) != nil: // the clock may be that of another server
	case i >= 0:
		s.end(s.pending[id][i], from, r, now)
	case s.earlies < MaxRoom: // it has not been drawn yet
		s.early[id] = append(s.early[id], r)
		s.earlies++
	}
}

// take deals with the i-th record of a job, which has been verified. The error says why the worker
// could not have given it.
func (s *Schedule) take(from *member, id string, i int, r record.Record, now time.Time) error {
	j := s.jobs[id]
	if j == nil {
		s.d.counts.Duplicates++
		return nil
	}
	h := j.had[from]
	switch {
	case h == nil:
		return errors.New("found a record of a match that it was not given")
	case !j.list[i].matches(&r):
		return fmt.Errorf("found a record of match %s, expected that of another match", r.ID)
	case r.Scale != h.scale:
		return fmt.Errorf("scale: found %v, expected %v", r.Scale, h.scale)
	}
	if err := tooLong(&r, h.given, now); err != nil {
		return err
	}
	beginWithin(&r, h.given, now)
	switch e := j.list[i]; {
	case e.job == nil:
		s.d.counts.Duplicates++
	case e.control:
		s.end(e, from, r, now)
	case r.Error == "":
		from.strikes, from.excused, from.failures, from.proven = 0, 0, 0, true
		s.end(e, from, r, now)
	case e.job == j && from.holds[j] != nil: // or else others have it, or will
		s.failed(e, from, r, now)
	}
	return nil
}

// failed notes that umpire failed to play a match, and has others play it if they may.
func (s *Schedule) failed(e *Match, from *member, r record.Record, now time.Time) {
	e.tries = append(e.tries, try{by: from, failed: true})
	if from.failures++; from.failures >= maxStrikes {
		from.proven = false
	}
	switch {
	case e.job.isPlayed(from):
		delete(from.holds, e.job)
	case s.isOver(e, now):
		s.end(e, from, r, now)
	default:
		s.split(now, e)
	}
}

// clockSlack is by how much a match may seem longer than the time for it, beyond a tenth:
// clocks differ, and are looked at one after the other.
const clockSlack = 100 * time.Millisecond

// tooLong returns an error if a match can't have taken as long as its record says, since
// it began after a time. While a machine sleeps, one of its clocks may stand still.
func tooLong(r *record.Record, since, now time.Time) error {
	most := max(now.Sub(since), now.Round(0).Sub(since.Round(0)))
	if took := time.Duration(r.WallUS) * time.Microsecond; took > most+most/10+clockSlack {
		return fmt.Errorf("wall_us: found %d, for a match that was given out %s before", r.WallUS, most.Round(time.Millisecond))
	}
	return nil
}

// beginWithin has a record say that its match began when it can have: its worker's clock may be wrong.
func beginWithin(r *record.Record, since, now time.Time) {
	last := now.Add(-time.Duration(r.WallUS) * time.Microsecond)
	began, err := time.Parse(time.RFC3339, r.Started)
	switch {
	case err != nil: // it does not say when
	case began.Before(since.Truncate(time.Millisecond)):
		r.Started = record.Time(since)
	case began.After(last):
		r.Started = record.Time(last)
	}
}

// fail ends matches that nobody could play.
func (s *Schedule) fail(why error, now time.Time, list ...*Match) {
	for _, e := range list {
		s.end(e, nil, e.f.Failed(s.d.config.Version, why, now), now)
	}
}

// end ends a match with a record. From is nil if nobody gave it.
func (s *Schedule) end(e *Match, from *member, r record.Record, now time.Time) {
	j := e.job
	e.job = nil
	s.release(j)
	if e.aside != nil {
		e.aside(from, r, now)
		return
	}
	s.pending[e.id] = slices.DeleteFunc(s.pending[e.id], func(other *Match) bool { return other == e })
	if len(s.pending[e.id]) == 0 {
		delete(s.pending, e.id)
	}
	s.under--
	s.over = append(s.over, Finished{e.n, e.f, r})
	if from != nil {
		s.d.rate.add(now)
		from.rate.add(now)
		if r.Error != "" {
			s.d.counts.Errors++
		}
		took := time.Duration(r.WallUS) * time.Microsecond
		s.mean = cmp.Or(s.mean, took)
		s.mean = max(s.mean+(took-s.mean)/16, 1)
	}
	if r.Error != "" || from == nil {
		return
	}
	for _, t := range e.tries {
		if t.failed && t.by != from && (e.f.Package == nil || !t.by.proven) { // a judge may fail by chance
			s.d.strike(t.by, "failed to play a match that another could", now)
		}
	}
	if !from.own {
		s.choose(e, from, r, now)
	}
}
