package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/referee/report"
)

// maxOverdue is how many jobs a worker may hold for too long, until it is dropped.
const maxOverdue = 3

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
	s.crew.sweep(now)
	for _, m := range s.crew.there() {
		s.settle(m, now)
	}
	for _, j := range inOrder(maps.Values(s.queue.jobs)) {
		for m, h := range j.holds {
			s.checkOverdue(j, m, h, now)
		}
		if open := j.open(); len(open) == 1 && !j.doomed.IsZero() && now.Sub(j.doomed) > s.config.Silence {
			s.condemn(open[0], now)
			continue
		}
		if j.only != nil && j.waiting && !s.mayBegin(j.only, now.Sub(j.since)) {
			s.giveToAny(j, now)
		}
	}
	s.assign(now)
	s.hurry(now)
	s.checkJudges(now)
}

// mayBegin reports whether a worker is there, and plays or may still begin what has
// been waiting for it for a time.
func (s *Schedule) mayBegin(m *member, waited time.Duration) bool {
	return m.isThere() && (waited < notStarted || len(m.holds) > 0)
}

// checkOverdue gives a job that a worker has held for too long to a second one as well.
// If there is a limit to what the matches may take, the worker is to blame.
func (s *Schedule) checkOverdue(j *job, m *member, h *hold, now time.Time) {
	most, limited := mayHold(j.list, s.mean, m.scale)
	held := now.Sub(h.since)
	if h.overdue || held < most {
		return
	}
	h.overdue = true
	if j.only != nil {
		s.lose(j, m, true, now)
	} else {
		s.queue.again(j, now)
	}
	if !limited || m.own {
		return
	}
	if m.late++; m.late >= maxOverdue {
		s.crew.drop(m, fmt.Sprintf("it has held %d jobs for longer than their matches can take; the last, %s, for %s",
			maxOverdue, report.Plural(len(j.list), "match"), held.Round(time.Second)), now)
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

// hurry gives jobs that hold up the Run to second workers, when nothing else is left: to
// another one if that did not finish it either, or never heard of it.
func (s *Schedule) hurry(now time.Time) {
	if !s.fed || s.crew.drains {
		return
	}
	for _, j := range inOrder(maps.Values(s.queue.jobs)) {
		if j.only != nil || len(j.holds) != 1 || slices.ContainsFunc(j.open(), s.isPoison) {
			continue
		}
		if h := slices.Collect(maps.Values(j.holds))[0]; now.Sub(h.since) < s.usual(j) {
			continue
		}
		k := slices.IndexFunc(s.crew.idle, func(t *taker) bool {
			return !t.over && !s.calibration.measures(t.member) && len(t.member.holds) < t.member.slots &&
				s.mayTake(j, &asking{t.member, t.member.isBarred(), maxDoubts}, now)
		})
		if k < 0 {
			continue
		}
		t, n := s.crew.idle[k], len(j.open())
		s.give(j, t, now)
		s.crew.counts.Seconds++
		s.crew.note("umpire: the run waits for %s: given to worker %s as well\n", report.Plural(n, "match"), t.member.name)
	}
}

// usual is after how long a job is late.
func (s *Schedule) usual(j *job) time.Duration {
	list := j.open()
	if s.mean > 0 {
		return max(s.config.Late, lateTimes*time.Duration(len(list))*s.mean)
	}
	most := s.config.Late
	for _, e := range list {
		most += time.Duration(len(e.f.Seats)) * time.Duration(e.f.Limits.TimeUS) * time.Microsecond
	}
	return most
}

// checkJudges gives the matches up that are left if there are workers, and for a time
// none has had the languages of any of these matches.
func (s *Schedule) checkJudges(now time.Time) {
	if s.under == 0 {
		s.lackingFrom = time.Time{}
	}
	for _, list := range s.pending {
		if slices.ContainsFunc(list, func(e *Match) bool {
			return lackFor(e.f, s.config.Packages) == nil || canPlay(s.crew.there(), e.job.needs)
		}) {
			s.lackingFrom = time.Time{}
			return
		}
	}
	switch {
	case s.lackingFrom.IsZero():
		s.lackingFrom = now
	case now.Sub(s.lackingFrom) > s.config.Silence: // more may have joined
		for _, list := range maps.Clone(s.pending) {
			for _, e := range slices.Clone(list) {
				s.fail(e, lackFor(e.f, s.config.Packages), now)
			}
		}
	}
}

// IsSettled reports whether there is nothing left to wait for.
func (s *Schedule) IsSettled() bool {
	return s.fed && s.under == 0 && s.rechecks.under == 0 && len(s.over) == 0
}

// IsQuiet reports whether no worker plays that may still do so.
func (s *Schedule) IsQuiet() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(s.queue.jobs)), (*job).isPlayed)
}
