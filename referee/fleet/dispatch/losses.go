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

// maxUnproven is how many workers are given a match if they have never given a record, or how
// often if they are the same.
const maxUnproven = 9

// heard compares the jobs that a worker names in a beat with those that it was given.
// It returns those that it need not play.
func (s *Schedule) heard(m *member, b *fleet.Beat, now time.Time) (end []string) {
	named := make(map[string]bool)
	for _, id := range b.Jobs {
		named[id] = true
		j := s.queue.jobs[id]
		switch {
		case j == nil || j.had[m] == nil || len(j.open()) == 0:
			end = append(end, id)
		case m.holds[j] == nil && j.waiting: // it was silent, and is there again
			s.queue.unwait(j)
			m.hold(j, &hold{given: j.had[m].given, scale: j.had[m].scale, since: now, named: true})
		}
	}
	back := make(map[string]string)
	for _, one := range b.Back {
		back[one.Job] = one.Why
	}
	for j, h := range m.holds {
		why, isBack := back[j.id]
		switch {
		case named[j.id]:
			h.named, h.gone = true, time.Time{}
		case isBack && h.why == "":
			h.why, h.gone, h.upTo = cmp.Or(why, "it does not say why"), now, b.Stored
		case h.gone.IsZero() && (h.named || now.Sub(h.since) > s.config.Silence):
			h.gone, h.upTo = now, b.Stored
		}
	}
	s.settle(m, now)
	return end
}

// settle takes the jobs back that a worker has let go of, when all records that it
// stored before have been taken.
func (s *Schedule) settle(m *member, now time.Time) {
	for _, j := range inOrder(maps.Keys(m.holds)) {
		h := m.holds[j]
		if h == nil || h.gone.IsZero() || h.upTo > s.collected && now.Sub(h.gone) < 10*s.config.Silence {
			continue
		}
		how := "let go of a job without a record"
		if h.why != "" {
			how = "gave a job back"
			s.crew.counts.Returned++
			if !s.crew.drains {
				s.crew.note("umpire: worker %s gives %s back: %s\n", m.name, report.Plural(len(j.open()), "match"), fleet.Tidy(h.why, fleet.MaxWhy))
			}
		}
		s.lose(j, m, h.why == "", now)
		if h.why == "" || !s.crew.drains && !m.beat.Leaving && m.beat.Paused == "" {
			s.crew.strike(m, how, now)
		}
	}
}

// Progress notes that all stored records up to one have been taken.
func (s *Schedule) Progress(number uint64) { s.collected = max(s.collected, number) }

// takeBack takes back what a worker holds. Counted means that it ought to have finished
// it.
func (s *Schedule) takeBack(m *member, counted bool, now time.Time) {
	for _, j := range inOrder(maps.Keys(m.holds)) {
		s.lose(j, m, counted, now)
	}
	m.forget()
}

// lose takes a job from a worker that did not finish it.
func (s *Schedule) lose(j *job, m *member, counted bool, now time.Time) {
	m.letGo(j)
	open := j.open()
	isLost := false
	for _, e := range open {
		if counted {
			e.losses++
			if !slices.Contains(e.lostBy, m) {
				e.lostBy = append(e.lostBy, m)
			}
		}
		isLost = isLost || e.losses >= maxTries-1
	}
	switch {
	case len(open) == 0 || j.isPlayed():
	case j.only != nil && counted && j.only.isThere() && open[0].check != nil && open[0].losses < maxTries:
		s.queue.again(j, now) // it may have been too busy to hear of it
	case j.only != nil:
		s.giveUp(j, now)
	case len(open) > 1 && isLost: // which of them it is must be found out
		for _, e := range open {
			e.losses, e.lostBy = 0, nil
			s.queue.again(s.queue.newJob([]*Match{e}, nil), now)
		}
		s.queue.release(j)
	case len(open) == 1 && s.isPoison(open[0]):
		j.doomed = now // the record of one of them may still come
	default:
		s.queue.again(j, now)
	}
}

// isPoison reports whether so many workers did not finish a match that it is given to
// no more of them. Those count less that have never given a record: they may not mean
// to. Where no others are there, they have had it several times.
func (s *Schedule) isPoison(e *Match) bool {
	proven := 0
	for _, m := range e.lostBy {
		if m.proven {
			proven++
		}
	}
	return proven >= maxTries || e.losses >= maxUnproven && !slices.ContainsFunc(s.crew.there(), func(m *member) bool {
		return len(e.lostBy) < maxUnproven && m.can(e.job.needs) && !slices.Contains(e.lostBy, m)
	})
}

// unfinished is why a match ends that workers did not finish.
func (e *Match) unfinished() error {
	if len(e.lostBy) == 1 {
		return fmt.Errorf("a worker was given this match %d times, and did not finish it", e.losses)
	}
	return fmt.Errorf("%d workers were given this match, and none of them finished it", len(e.lostBy))
}

// giveUp ends the matches of a job for a certain worker: such a match is a recheck or a control.
func (s *Schedule) giveUp(j *job, now time.Time) {
	for _, e := range j.open() {
		s.fail(e, errGone, now)
	}
}

// tooLarge takes a job back that is too large for the server. A match that is alone in
// it can't be played.
func (s *Schedule) tooLarge(id string, why error, now time.Time) {
	j := s.queue.jobs[id]
	if j == nil {
		return
	}
	open := j.open()
	for _, e := range open {
		if len(open) == 1 {
			s.fail(e, why, now)
			return
		}
		s.queue.again(s.queue.newJob([]*Match{e}, j.only), now)
	}
	s.queue.release(j)
}
