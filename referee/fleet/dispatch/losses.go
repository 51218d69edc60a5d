package dispatch

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/report"
)

// When a match is given to no more workers: see isOver.
const (
	maxTries  = 3 // workers that have given good records, or errors, where there is nobody else
	maxLosses = 9 // other workers, or times that it was lost
)

// heard compares the jobs that a worker names in a beat with those that it was given.
// It returns those that it need not play.
func (s *Schedule) heard(m *member, b *fleet.Beat, now time.Time) (end []string) {
	for _, one := range b.Back {
		if h := m.holds[s.jobs[one.Job]]; h != nil && h.why == "" {
			h.why, h.gone, h.upTo = cmp.Or(one.Why, "it does not say why"), now, b.Stored
		}
	}
	for _, id := range b.Jobs {
		j := s.jobs[id]
		switch {
		case j == nil || j.had[m] == nil || !slices.ContainsFunc(j.list, j.isOpen):
			end = append(end, id)
			continue
		case m.holds[j] == nil && j.isWaiting() && !s.d.drains: // it was silent, and is there again
			s.unwait(j)
			j.had[m] = &hold{given: j.had[m].given, scale: j.had[m].scale, since: now}
			m.holds[j] = j.had[m]
		}
		j.had[m].named, j.had[m].gone = now, time.Time{}
		if !j.had[m].overdue {
			m.playing = now
		}
	}
	s.settle(m, b.Stored, now)
	return end
}

// settle takes the jobs back that a worker has let go of, when all records that it
// stored before have been taken, or for a time none were. Stored is the number of the last one that it has stored.
func (s *Schedule) settle(m *member, stored uint64, now time.Time) {
	for _, j := range inOrder(maps.Keys(m.holds)) {
		h := m.holds[j]
		if h != nil && h.gone.IsZero() && !h.named.Equal(now) && (!h.named.IsZero() || now.Sub(h.since) > s.d.config.Silence) {
			h.gone, h.upTo = now, stored
		}
		if h == nil || h.gone.IsZero() || h.upTo > s.collected && min(now.Sub(h.gone), now.Sub(s.advanced)) < 10*s.d.config.Silence {
			continue
		}
		how := "let go of a job without a record"
		if h.why != "" {
			how = "gave a job back"
			s.d.counts.Returned++
			if !s.d.drains {
				s.d.news(m.key, now, "umpire: worker %s gives %s back: %s\n", m.name, report.Plural(len(j.open()), "match"), fleet.Tidy(h.why, fleet.MaxWhy))
			}
		}
		s.lose(j, m, h.why == "", now)
		if h.why != "" && (m.beat.Leaving || m.beat.Paused != "") {
			s.d.excuse(m, 1, now)
		} else if h.why == "" || !s.d.drains {
			s.d.strike(m, how, now)
		}
	}
}

// Progress notes that all stored records up to one have been taken.
func (s *Schedule) Progress(number uint64, now time.Time) {
	if number > s.collected {
		s.collected, s.advanced = number, now
	}
}

// lose takes a job from a worker that did not finish it. Counted means that it ought to have.
func (s *Schedule) lose(j *job, m *member, counted bool, now time.Time) {
	delete(m.holds, j)
	s.d.asked = 0
	open := j.open()
	isLost := false
	for _, e := range open {
		if counted {
			e.tries = append(e.tries, try{by: m})
		}
		isLost = isLost || len(e.tries) >= maxTries-1
	}
	switch {
	case len(open) == 0 || j.isPlayed(m):
	case j.only != nil && (open[0].control || !counted || !m.isThere() || s.isOver(open[0], now)):
		s.fail(errGone, now, open...)
	case len(open) > 1 && isLost: // which of them it is must be found out
		for _, e := range open {
			e.tries = nil
		}
		s.split(now, open...)
	case len(open) == 1 && s.isOver(open[0], now):
		j.doomed = now // the record of one of them may still come
	default:
		s.again(j, now) // a certain worker may have been too busy to hear of it
	}
}

// isOver reports whether so many workers have tried a match that it is given to no more of them. Those
// count less that have given no good record lately: they may not mean to, or umpire may fail there.
// Where nobody else may try it, the same have tried it several times.
func (s *Schedule) isOver(e *Match, now time.Time) bool {
	by := e.triers()
	proven := slices.DeleteFunc(slices.Clone(by), func(m *member) bool { return !m.proven })
	failed := slices.DeleteFunc(slices.Clone(e.tries), func(t try) bool { return !t.failed })
	switch {
	case e.job.only != nil:
		return len(e.tries) >= maxTries
	case len(proven) >= maxTries || len(by) >= maxLosses:
		return true
	}
	return (len(failed) >= maxTries || len(e.tries) >= maxLosses) && !e.isUntried(s, now)
}

// isUntried reports whether a worker that has not tried a match plays, and may take it next.
func (e *Match) isUntried(s *Schedule, now time.Time) bool {
	return slices.ContainsFunc(s.d.there(), func(m *member) bool {
		return now.Sub(m.playing) <= s.d.config.Silence && m.beat.Paused == "" && m.can(s.classOf(e).needs) && !e.isTried(m)
	})
}

// unfinished is why a match ends that workers did not finish.
func (e *Match) unfinished() error {
	if n := len(e.triers()); n > 1 {
		return fmt.Errorf("%d workers were given this match, and none of them finished it", n)
	}
	return fmt.Errorf("a worker was given this match %d times, and did not finish it", len(e.tries))
}

// TooLarge takes a job back that is too large for the server. A match that is alone in
// it can't be played.
func (d *Dispatcher) TooLarge(id string, why error, now time.Time) {
	switch j := d.work.jobs[id]; {
	case j == nil:
	case len(j.open()) == 1:
		d.work.fail(why, now, j.open()...)
	default:
		d.work.split(now, j.open()...)
	}
}
