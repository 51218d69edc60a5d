package dispatch

import (
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
// told to it with the time, and it adds what is to be done to its crew's decisions
// and to over. It does nothing else, and is not safe for concurrent use.
type Schedule struct {
	config      *Config
	crew        *crew
	calibration *calibration
	queue       *queue
	sample      recheck.Sample             // of the matches that are played again
	rechecking  int                        // matches that are being played again
	found       *recheck.Summary           // by that
	ready       []*Match                   // the next job
	over        []Finished                 // records to be kept
	pending     map[string][]*Match        // matches without a record, by Identity
	early       map[string][]record.Record // which were stored before the coordinator began, of matches that have not been drawn; by Identity
	under       int                        // matches in pending
	mean        time.Duration              // of a match, roughly; 0: unknown
	collected   uint64                     // number of the last stored record that was taken
	fed         bool                       // all fixtures have been drawn
	lackingFrom time.Time                  // since when no worker can judge any of the matches
}

// maxTries is how many workers are given a match before its record is an error.
const maxTries = 3

// Giver is the worker that gives a record, as far as it is known: one that gave it to an
// earlier coordinator of the run is not.
type Giver struct {
	ID, Name, CPU, Isolation string
	Known, Own, Dropped      bool
}

// Result is the record of a match as a worker has stored it.
type Result struct {
	From   Giver
	Job    string
	I      int  // number of the record in its job; -1: it has none
	Early  bool // stored before this coordinator began
	Proven bool // if it is early: the worker was given the match
	Record record.Record
	Err    error // it is none, or not valid
}

// IsChecked reports whether the record of a job is to be compared with what is known of it: that of a
// control match is, and a share of the others.
func (s *Schedule) IsChecked(job string) bool {
	return s.queue.jobs[job].isControl() || s.config.Chance() < s.config.ControlShare
}

// Take deals with one result. A worker whose record is not valid, or of a match that it
// was not given, is dropped.
func (s *Schedule) Take(one *Result, now time.Time) {
	m, err := s.crew.members[one.From.ID], one.Err
	if m != nil && !m.told.IsZero() && now.Sub(m.told) > fleet.LostAfter { // it goes on all the same
		s.crew.out.Kicks = append(s.crew.out.Kicks, m.id)
	}
	if m != nil && m.dropped != "" || m == nil && !one.Early || m == nil && err != nil || one.Early && !one.Proven || one.From.ID == fleet.Probe {
		return
	}
	if one.I < 0 && err == nil {
		err = errors.New("found a result without a number")
	}
	if err == nil {
		err = s.take(m, one.Job, one.I, one.Record, one.Early, now)
	}
	if err == nil || m == nil {
		return
	}
	s.crew.exclude(m, err.Error(), now)
	s.refuse(m, one.Job, one.I, err, now)
}

// TakeOver returns the records that are to be kept, once each.
func (s *Schedule) TakeOver() (over []Finished) {
	over, s.over = s.over, nil
	return over
}

// take deals with the i-th record of a job, which has been verified. Early means that
// it was stored before this coordinator began, which does not know its job. The error
// says why the worker could not have given it.
func (s *Schedule) take(from *member, id string, i int, r record.Record, early bool, now time.Time) error {
	j := s.queue.jobs[id]
	switch {
	case early && (tooLong(&r, s.config.Began, now) != nil || r.Scale != 0 && len(s.calibration.fixtures) == 0): // the clock may be that of another server
		return nil
	case early && slices.Contains(s.config.Excluded, r.Worker):
		return nil
	case j == nil && early:
		id := Identity(&r)
		if k := slices.IndexFunc(s.pending[id], func(e *Match) bool { return e.matches(&r) }); r.Error != "" {
			return nil
		} else if k >= 0 {
			s.finish(s.pending[id][k], from, r, now)
		} else if len(s.early) < MaxRoom { // it has not been drawn yet
			s.early[id] = append(s.early[id], r)
		}
		return nil
	case j == nil:
		s.crew.counts.Duplicates++
		return nil
	}
	h := j.had[from]
	switch {
	case h == nil:
		return errors.New("found a record of a job that it was not given")
	case i < 0 || i >= len(j.list):
		return fmt.Errorf("found a record of match %d in a job of %d", i, len(j.list))
	case !j.list[i].matches(&r):
		return fmt.Errorf("found a record of match %s, expected that of another match", r.ID)
	case r.Scale != h.scale:
		return fmt.Errorf("scale: found %v, expected %v", r.Scale, h.scale)
	}
	if err := tooLong(&r, h.given, now); err != nil {
		return err
	}
	switch e := j.list[i]; {
	case e.over || e.check != nil && e.job != j:
		s.crew.counts.Duplicates++
	case e.measures > 0:
		s.queue.leave(e)
		s.calibration.add(e, from, &r)
		s.calibration.settle(s.crew)
	case e.control:
		s.queue.leave(e)
	case r.Error != "" && (e.job != j || from.holds[j] == nil): // others have it, or will
	case r.Error != "":
		s.crew.credit(from, &r, now)
		s.tried(e, from, r, now)
	case e.check != nil:
		s.crew.credit(from, &r, now)
		s.checked(e, r, now)
	default:
		s.crew.credit(from, &r, now)
		from.strikes, from.proven = 0, true
		s.finish(e, from, r, now)
	}
	return nil
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

// refuse deals with a record that is not valid. That of the coordinator's own worker is
// a defect of umpire's, and the match has not been played.
func (s *Schedule) refuse(from *member, id string, i int, why error, now time.Time) {
	if j := s.queue.jobs[id]; from.own && j != nil && i >= 0 && i < len(j.list) && !j.list[i].over {
		_ = s.take(from, id, i, j.list[i].f.Failed(s.config.Version, fmt.Errorf("the record is not valid: %w", why), now), false, now)
	}
}

// tried deals with a record that has an error: the match is given to another worker, or
// that of a recheck to the same, unless it was that often already.
func (s *Schedule) tried(e *Match, from *member, r record.Record, now time.Time) {
	e.failedOn = append(e.failedOn, from)
	if len(e.failedOn) >= maxTries {
		s.end(e, from, r, now)
		return
	}
	old := e.job
	s.queue.again(s.queue.newJob([]*Match{e}, old.only), now)
	s.queue.release(old)
}

// fail ends a match that nobody could play.
func (s *Schedule) fail(e *Match, why error, now time.Time) {
	s.end(e, nil, e.f.Failed(s.config.Version, why, now), now)
}

// end ends a match that is given to nobody any more, with a record. From is nil if nobody
// could play it.
func (s *Schedule) end(e *Match, from *member, r record.Record, now time.Time) {
	switch {
	case e.check != nil:
		s.checked(e, r, now)
	case e.control:
		s.queue.leave(e)
	default:
		s.finish(e, from, r, now)
	}
}

// finish ends a match with a record. From is nil if nobody gave it.
func (s *Schedule) finish(e *Match, from *member, r record.Record, now time.Time) {
	s.pending[e.id] = slices.DeleteFunc(s.pending[e.id], func(other *Match) bool { return other == e })
	if len(s.pending[e.id]) == 0 {
		delete(s.pending, e.id)
	}
	s.under--
	s.queue.leave(e)
	s.over = append(s.over, Finished{e.n, r})
	if from != nil {
		took := time.Duration(r.WallUS) * time.Microsecond
		if s.mean == 0 {
			s.mean = took
		}
		s.mean = max(s.mean+(took-s.mean)/16, 1)
	}
	if r.Error != "" || from == nil {
		return
	}
	for _, m := range e.failedOn {
		if m != from && e.f.Package == nil { // a judge may fail by chance
			s.crew.strike(m, "failed to play a match that another could", now)
		}
	}
	if !from.own {
		s.choose(e, from, r, now)
	}
}
