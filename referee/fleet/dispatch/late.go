package dispatch

import (
	"fmt"
	"maps"
	"slices"
	"time"
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
	s.crew.sweep(now)
	s.assign(now)
	starved := s.fed && !s.crew.drains && slices.ContainsFunc(s.crew.idle, func(t *taker) bool { return !t.over })
	for _, j := range inOrder(maps.Values(s.queue.jobs)) {
		for m, h := range j.had {
			s.checkLate(j, m, h, starved, now)
		}
		if open := j.open(); len(open) == 1 && !j.doomed.IsZero() && now.Sub(j.doomed) > s.config.Silence {
			s.crew.counts.Failed++
			s.fail(open[0], open[0].unfinished(), now)
			continue
		}
		if j.only != nil && j.waiting && !j.only.mayBegin(now.Sub(j.since)) {
			s.giveUp(j, now)
		}
	}
	s.checkNeeds()
	s.checkJudges(now)
}

// mayBegin reports whether a worker is there, and plays or may still begin what has
// been waiting for it for a time.
func (m *member) mayBegin(waited time.Duration) bool {
	return m.isThere() && (waited < notStarted || len(m.holds) > 0)
}

// checkLate gives a job that a worker has held for too long to a second one as well. If there
// is a limit to what the matches may take, the worker is to blame. Starved means that slots
// have nothing to do as the Run waits for its last matches.
func (s *Schedule) checkLate(j *job, m *member, h *hold, starved bool, now time.Time) {
	most, limited := mayHold(j.list, s.mean, m.scale)
	held := now.Sub(h.since)
	switch {
	case h.over, h.overdue:
		return
	case held < most:
		if starved && j.only == nil && j.holders() == 1 && held >= s.usual(j) && !slices.ContainsFunc(j.open(), s.isPoison) {
			s.queue.again(j, now)
		}
		return
	}
	h.overdue = true
	if j.only != nil {
		s.lose(j, m, true, now)
	} else {
		s.queue.again(j, now)
	}
	if limited {
		s.crew.strike(m, fmt.Sprintf("held a job for %s, longer than its matches can take", held.Round(time.Second)), now)
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
		return max(s.config.Late, lateTimes*time.Duration(len(list))*s.mean)
	}
	most := s.config.Late
	for _, e := range list {
		most += time.Duration(len(e.f.Seats)) * time.Duration(e.f.Limits.TimeUS) * time.Microsecond
	}
	return most
}

// checkNeeds says of which jobs there has come to be no worker, or one. As long as there are
// no workers at all, it is plain that they are waited for.
func (s *Schedule) checkNeeds() {
	list := s.crew.there()
	for _, name := range slices.Sorted(maps.Keys(s.queue.queues)) {
		c := s.queue.queues[name]
		able := canPlay(list, c.needs)
		switch {
		case !able && !c.told:
			s.crew.note("umpire: no worker can play matches that need %s; they wait for one that can\n", c.needs)
		case able && c.told && len(list) > 0:
			s.crew.note("umpire: there is a worker that can play matches that need %s\n", c.needs)
		}
		c.told = !able
	}
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
	return s.fed && s.under == 0 && s.rechecking == 0 && len(s.over) == 0
}

// IsQuiet reports whether no worker plays that may still do so.
func (s *Schedule) IsQuiet() bool {
	return !slices.ContainsFunc(slices.Collect(maps.Values(s.queue.jobs)), (*job).isPlayed)
}
