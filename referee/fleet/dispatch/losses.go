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

const (
	maxUnproven = 9 // workers that are given a match if they have never given a record, or times if they are the same
	maxVanished = 3 // times that a worker may let go of jobs without a word, with no record between
)

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
		case j.holds[m] == nil && j.waiting: // it was silent, and is there again
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
	vanished := false
	for _, j := range inOrder(maps.Keys(m.holds)) {
		h := m.holds[j]
		if h == nil || h.gone.IsZero() || h.upTo > s.collected && now.Sub(h.gone) < 10*s.config.Silence {
			continue
		}
		if h.why != "" {
			s.crew.counts.Returned++
			if !s.crew.drains {
				s.crew.note("umpire: worker %s gives %s back: %s\n", m.name, report.Plural(len(j.open()), "match"), fleet.Tidy(h.why, fleet.MaxWhy))
			}
			s.lose(j, m, false, now)
			m.returns++
			continue
		}
		vanished = true
		s.lose(j, m, true, now)
	}
	if vanished {
		m.vanished++
	}
	switch {
	case m.own:
	case m.vanished >= maxVanished:
		s.crew.drop(m, fmt.Sprintf("it let go of matches without records %d times", m.vanished), now)
	case m.returns > m.slots:
		s.crew.drop(m, fmt.Sprintf("it has given %d jobs back, and plays only %d at a time", m.returns, m.slots), now)
	}
}

// Progress notes that all stored records up to one have been taken.
func (s *Schedule) Progress(number uint64) { s.collected = max(s.collected, number) }

// missed takes a job back that a slot has asked past, which says which job it was given last:
// the answer was lost on the way. A worker that does so too often has what it was given until
// it is found silent.
func (s *Schedule) missed(m *member, slot int, last string, now time.Time) {
	j := m.given[slot]
	if j == nil || j.id == last {
		return
	}
	h := m.holds[j]
	if h == nil || h.named || m.missed >= maxHeld*m.slots {
		return
	}
	m.missed++
	m.letGo(j)
	switch {
	case len(j.open()) == 0 || j.isPlayed():
	case j.isControl():
		s.giveToAny(j, now)
	default:
		s.queue.again(j, now)
	}
}

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
		s.giveToAny(j, now)
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

// condemn ends a match that workers did not finish.
func (s *Schedule) condemn(e *Match, now time.Time) {
	why := fmt.Errorf("%d workers were given this match, and none of them finished it", len(e.lostBy))
	if len(e.lostBy) == 1 {
		why = fmt.Errorf("a worker was given this match %d times, and did not finish it", e.losses)
	}
	s.crew.counts.Failed++
	s.fail(e, why, now)
}

// giveToAny gives what is left of a job for a certain worker to any; a recheck or a
// control is given up.
func (s *Schedule) giveToAny(j *job, now time.Time) {
	s.queue.unwait(j)
	for _, e := range j.open() {
		if e.check != nil || e.control {
			s.fail(e, errGone, now)
		} else {
			s.queue.again(s.queue.newJob([]*Match{e}, nil), now)
		}
	}
	s.queue.release(j)
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
