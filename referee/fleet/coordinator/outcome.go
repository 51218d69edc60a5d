package coordinator

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/record"
)

// result deals with the i-th record of a job, which has been verified. Early means that
// it was stored before this coordinator began, which does not know its job. The error
// says why the worker could not have given it.
func (s *schedule) result(from *member, id string, i int, r record.Record, early bool, now time.Time) error {
	j := s.jobs[id]
	switch {
	case early && (tooLong(&r, s.began, now) != nil || r.Scale != 0 && len(s.crew.calibration.fixtures) == 0): // the clock may be that of another server
		return nil
	case j == nil && early:
		id := identity(&r)
		if k := slices.IndexFunc(s.pending[id], func(e *match) bool { return e.matches(&r) }); r.Error != "" {
			return nil
		} else if k >= 0 {
			s.finish(s.pending[id][k], from, r, now)
		} else if len(s.early) < maxRoom { // it has not been drawn yet
			s.early[id] = append(s.early[id], r)
		}
		return nil
	case j == nil:
		s.crew.counts.Duplicates++
		return nil
	case from == nil || j.taken[from].IsZero():
		return errors.New("found a record of a job that it was not given")
	case i < 0 || i >= len(j.list):
		return fmt.Errorf("found a record of match %d in a job of %d", i, len(j.list))
	case !j.list[i].matches(&r):
		return fmt.Errorf("found a record of match %s, expected match %s", r.ID, j.list[i].want.ID)
	case r.Scale != j.scales[from]:
		return fmt.Errorf("scale: found %v, expected %v", r.Scale, j.scales[from])
	}
	if err := tooLong(&r, j.taken[from], now); err != nil {
		return err
	}
	switch e := j.list[i]; {
	case e.over || e.check != nil && e.job != j:
		s.crew.counts.Duplicates++
	case e.measures > 0:
		s.leave(e)
		s.crew.calibration.add(e, from, &r)
		s.crew.calibration.settle(s.crew)
	case e.control:
		s.leave(e)
	case r.Error != "" && (e.job != j || j.holds[from] == nil): // others have it, or will
	case r.Error != "":
		s.crew.credit(from, &r, now)
		s.tried(e, from, r, now)
	case e.check != nil:
		s.crew.credit(from, &r, now)
		s.checked(e, r, now)
	default:
		s.crew.credit(from, &r, now)
		from.vanished, from.missed, from.proven = 0, 0, true
		s.finish(e, from, r, now)
	}
	s.assign(now)
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
func (s *schedule) refuse(from *member, id string, i int, why error, now time.Time) {
	if j := s.jobs[id]; from.own && j != nil && i >= 0 && i < len(j.list) && !j.list[i].over {
		_ = s.result(from, id, i, failed(j.list[i].f, s.version, fmt.Errorf("the record is not valid: %w", why), now), false, now)
	}
}

// tried deals with a record that has an error: the match is given to another worker, or
// that of a recheck to the same, unless it was that often already.
func (s *schedule) tried(e *match, from *member, r record.Record, now time.Time) {
	e.tries++
	e.failedOn = append(e.failedOn, from)
	if e.tries >= maxTries {
		s.end(e, from, r, now)
		return
	}
	old := e.job
	s.again(s.newJob([]*match{e}, old.only), now)
	s.release(old)
}

// end ends a match that is given to nobody any more, with a record. From is nil if nobody
// could play it.
func (s *schedule) end(e *match, from *member, r record.Record, now time.Time) {
	switch {
	case e.check != nil:
		s.checked(e, r, now)
	case e.control:
		s.leave(e)
	default:
		s.finish(e, from, r, now)
	}
}

// finish ends a match with a record. From is nil if nobody gave it.
func (s *schedule) finish(e *match, from *member, r record.Record, now time.Time) {
	s.pending[e.id] = slices.DeleteFunc(s.pending[e.id], func(other *match) bool { return other == e })
	if len(s.pending[e.id]) == 0 {
		delete(s.pending, e.id)
	}
	s.under--
	s.leave(e)
	s.over = append(s.over, finished{e.n, r})
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
			s.crew.fault(m, now)
		}
	}
	if !from.own && s.checks < maxChecks && s.recheck.takes(&r) {
		s.playAgain(e, from, r, now)
	}
}

// leave takes a match that is over out of its jobs.
func (s *schedule) leave(e *match) {
	e.over = true
	for _, j := range e.in {
		if j.left--; j.left == 0 {
			delete(s.jobs, j.id)
		}
		s.release(j)
	}
}

// release takes a job from its workers, or from those that wait, when nothing is left
// of it for them.
func (s *schedule) release(j *job) {
	if len(j.open()) > 0 {
		return
	}
	s.unwait(j)
	for m := range j.holds {
		delete(m.holds, j)
	}
	clear(j.holds)
}

// failed returns the record of a fixture that could not be played.
func failed(f arena.Fixture, version string, why error, now time.Time) record.Record {
	r := f.Record()
	r.Umpire = version
	r.Finish(referee.Result{}, why, now, 0)
	return r
}
