package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/referee/report"
)

// When a job that is played holds up the Run: nothing is left to be handed out,
// and some slots have nothing to do.
const (
	LateAfter = 5 * time.Second // at the earliest
	lateTimes = 3               // of the time that a job of its length usually takes
)

// How long a job may be held: as long as the budgets of its matches allow and what a
// match takes beyond them, twice, since a machine may be slow. Where a budget has no
// limit, nobody is blamed.
const (
	matchMargin   = 10 * time.Second // of a match: its programs start and end, and the referee works
	programMargin = 90 * time.Second // of a program: it is fetched and compiled
	holdSlack     = 2
	holdUnlimited = time.Hour // or, if that is longer:
	holdTimes     = 20        // of the usual time of a match
)

// Tick does what must be done from time to time.
func (s *Schedule) Tick(now time.Time) {
	s.d.sweep(now)
	if s.seconds > 0 {
		s.d.note("umpire: the run waits for %s: given to %s as well\n", report.Plural(s.seconds, "match"), namesOf(s.helpers))
		s.seconds, s.helpers = 0, nil
	}
	starved := s.fed && !s.d.drains && len(s.d.idle) > 0
	for _, j := range s.begun() {
		for m := range j.had {
			if h := m.holds[j]; h != nil && !h.overdue {
				s.checkLate(j, m, h, starved, now)
			}
		}
		switch m := j.only; {
		case !slices.ContainsFunc(j.list, func(e *Match) bool { return e.job != nil }): // all are over
			delete(s.jobs, j.id)
		case !j.doomed.IsZero() && now.Sub(j.doomed) > s.d.config.Silence && len(j.open()) == 1:
			s.d.counts.Failed++
			s.fail(j.open()[0].unfinished(), now, j.open()...)
		case m == nil || !j.isWaiting():
		case m.isThere() && len(m.holds) > 0: // it plays something else first
			j.since = now
		case !m.isThere() || now.Sub(j.since) >= notStarted:
			s.fail(errGone, now, j.open()...)
		}
	}
	s.checkNeeds(now)
}

// begun returns the jobs but those that wait for the first worker to come, of which there are many.
func (s *Schedule) begun() []*job {
	return inOrder(func(yield func(*job) bool) {
		for _, j := range s.jobs {
			if (!j.isWaiting() || len(j.had) > 0 || j.only != nil) && !yield(j) {
				return
			}
		}
	})
}

// checkLate gives a job that a worker has held for too long to a second one as well. If there
// is a limit to what the matches may take, the worker is to blame. Starved means that slots
// have nothing to do as the Run waits for its last matches.
func (s *Schedule) checkLate(j *job, m *member, h *hold, starved bool, now time.Time) {
	held := now.Sub(h.since)
	if !starved && held < holdSlack*matchMargin { // any job may be held for longer
		return
	}
	most, limited := mayHold(j.list, s.mean, m.scale)
	if held < most {
		isOver := func(e *Match) bool { return s.isOver(e, now) }
		if starved && j.only == nil && !j.isPlayed(m) && held >= s.usual(j) && !slices.ContainsFunc(j.open(), isOver) {
			s.again(j, now)
		}
		return
	}
	h.overdue = true
	if j.only != nil {
		s.lose(j, m, true, now)
	} else {
		s.again(j, now)
	}
	if limited {
		s.d.strike(m, fmt.Sprintf("held a job for %s, longer than its matches can take", held.Round(time.Second)), now)
	}
}

// mayHold is how long a worker may hold the matches of a job; limited is false if a budget has no
// limit.
func mayHold(list []*Match, mean time.Duration, scale float64) (most time.Duration, limited bool) {
	programs := make(map[string]bool)
	for _, e := range list {
		l := e.f.Limits.Scaled(scale).Limits()
		if l.Time == 0 {
			return max(holdUnlimited, holdTimes*mean*time.Duration(len(list))), false
		}
		if l.CPU { // a bot may also take twice its budget and a second of wall time
			l.Time = 2*l.Time + time.Second
		}
		most += matchMargin + time.Duration(len(e.f.Seats))*(l.Time+l.Startup)
		for _, s := range e.f.Seats {
			programs[s.Digest] = true
		}
	}
	return holdSlack * (most + time.Duration(len(programs))*programMargin), true
}

// usual is after how long a job is late.
func (s *Schedule) usual(j *job) time.Duration {
	list := j.open()
	if s.mean > 0 {
		return max(s.d.config.Late, lateTimes*time.Duration(len(list))*s.mean)
	}
	most := s.d.config.Late
	for _, e := range list {
		most += time.Duration(len(e.f.Seats)) * time.Duration(e.f.Limits.TimeUS) * time.Microsecond
	}
	return most
}

// checkNeeds says of which matches there has come to be no worker, or one. As long as there are
// no workers at all, it is plain that they are waited for. It gives up the matches that are left
// if for a time no worker has had the languages of any of them.
func (s *Schedule) checkNeeds(now time.Time) {
	list := s.d.there()
	for _, c := range s.classes {
		able := len(list) == 0 || slices.ContainsFunc(list, func(m *member) bool { return m.can(c.needs) })
		switch {
		case !able && !c.told:
			s.d.note("umpire: no worker can play matches that need %s; they wait for one that can\n", c.needs)
		case able && c.told && len(list) > 0:
			s.d.note("umpire: there is a worker that can play matches that need %s\n", c.needs)
		}
		c.told = !able
	}
	isLacking := len(s.pending) > 0
	for _, list := range s.pending {
		if isLacking = s.classOf(list[0]).told && s.d.config.lackFor(list[0].f) != nil; !isLacking { // the others are equal
			break
		}
	}
	if !isLacking || s.lackingFrom.IsZero() {
		s.lackingFrom = now
	}
	if now.Sub(s.lackingFrom) > s.d.config.Silence { // more may have joined
		for _, list := range maps.Clone(s.pending) {
			for _, e := range slices.Clone(list) {
				s.fail(s.d.config.lackFor(e.f), now, e)
			}
		}
	}
}

// IsSettled reports whether there is nothing left to wait for.
func (s *Schedule) IsSettled() bool {
	return s.fed && s.under == 0 && s.rechecking == 0 && len(s.over) == 0
}

// IsQuiet reports whether no worker plays that may still do so.
func (s *Schedule) IsQuiet() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(s.jobs)), func(j *job) bool { return j.isPlayed(nil) })
}
