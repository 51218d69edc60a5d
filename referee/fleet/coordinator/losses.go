package coordinator

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/report"
)

// heard compares the jobs that a worker names in a beat with those that it was given.
// It returns those that it need not play.
func (s *schedule) heard(m *member, b *fleet.Beat, now time.Time) (end []string) {
	named := make(map[string]bool)
	for _, id := range b.Jobs {
		named[id] = true
		j := s.jobs[id]
		switch {
		case j == nil || j.taken[m].IsZero() || len(j.open()) == 0:
			end = append(end, id)
		case j.holds[m] == nil && j.waiting: // it was silent, and is there again
			s.unwait(j)
			h := &hold{since: now, named: true}
			j.holds[m], m.holds[j] = h, h
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
			h.gone, h.upTo, h.why = now, b.Stored, why
			if why == "" {
				h.why = "it does not say why"
			}
		case h.gone.IsZero() && (h.named || now.Sub(h.since) > s.silence):
			h.gone, h.upTo = now, b.Stored
		}
	}
	s.settle(m, now)
	return end
}

// settle takes the jobs back that a worker has let go of, when all records that it
// stored before have been taken.
func (s *schedule) settle(m *member, now time.Time) {
	vanished := false
	for _, j := range m.held() {
		h := m.holds[j]
		if h == nil || h.gone.IsZero() || h.upTo > s.collected && now.Sub(h.gone) < 10*s.silence {
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

// progress notes that all stored records up to one have been taken.
func (s *schedule) progress(number uint64, now time.Time) {
	s.collected = max(s.collected, number)
	for _, m := range s.crew.there() {
		s.settle(m, now)
	}
	s.assign(now)
}

// missed takes a job back that a slot has asked past: its answer was lost on the way. A
// worker that does so too often has what it was given until it is found silent.
func (s *schedule) missed(j *job, m *member, now time.Time) {
	h := m.holds[j]
	if h == nil || h.named || m.missed >= maxHeld*m.slots {
		return
	}
	m.missed++
	delete(j.holds, m)
	delete(m.holds, j)
	switch {
	case len(j.open()) == 0 || j.isPlayed():
	case j.isControl():
		s.giveToAny(j, now)
	default:
		s.again(j, now)
	}
}

// takeBack takes back what a worker holds. Counted means that it ought to have finished
// it.
func (s *schedule) takeBack(m *member, counted bool, now time.Time) {
	for _, j := range m.held() {
		s.lose(j, m, counted, now)
	}
	s.assign(now)
}

// lose takes a job from a worker that did not finish it.
func (s *schedule) lose(j *job, m *member, counted bool, now time.Time) {
	delete(j.holds, m)
	delete(m.holds, j)
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
	case j.only != nil && counted && j.only.isThere && open[0].check != nil && open[0].losses < maxTries:
		s.again(j, now) // it may have been too busy to hear of it
	case j.only != nil:
		s.giveToAny(j, now)
	case len(open) > 1 && isLost: // which of them it is must be found out
		for _, e := range open {
			e.losses, e.lostBy = 0, nil
			s.again(s.newJob([]*match{e}, nil), now)
		}
		s.release(j)
	case len(open) == 1 && s.isPoison(open[0]):
		j.doomed = now // the record of one of them may still come
	default:
		s.again(j, now)
	}
}

// isPlayed reports whether a worker has a job that may still finish it.
func (j *job) isPlayed() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(j.holds)), func(h *hold) bool { return !h.overdue })
}

// isPoison reports whether so many workers did not finish a match that it is given to
// no more of them. Those count less that have never given a record: they may not mean
// to. Where no others are there, they have had it several times.
func (s *schedule) isPoison(e *match) bool {
	proven := 0
	for _, m := range e.lostBy {
		if m.proven {
			proven++
		}
	}
	return proven >= maxTries || e.losses >= maxUnproven && !slices.ContainsFunc(s.crew.there(), func(m *member) bool {
		return len(e.lostBy) < maxUnproven && e.job.needs.met(m) && !slices.Contains(e.lostBy, m)
	})
}

// condemn ends a match that workers did not finish.
func (s *schedule) condemn(e *match, now time.Time) {
	why := fmt.Errorf("%d workers were given this match, and none of them finished it", len(e.lostBy))
	if len(e.lostBy) == 1 {
		why = fmt.Errorf("a worker was given this match %d times, and did not finish it", e.losses)
	}
	s.crew.counts.Failed++
	s.end(e, nil, failed(e.f, s.version, why, now), now)
}

// giveToAny gives what is left of a job for a certain worker to any; a recheck or a
// control is given up.
func (s *schedule) giveToAny(j *job, now time.Time) {
	s.unwait(j)
	for _, e := range j.open() {
		switch {
		case e.check != nil:
			s.checked(e, failed(e.f, s.version, errGone, now), now)
		case e.control:
			s.leave(e)
		default:
			s.again(s.newJob([]*match{e}, nil), now)
		}
	}
	s.release(j)
}

// tooLarge takes a job back that is too large for the server. A match that is alone in
// it can't be played.
func (s *schedule) tooLarge(id string, why error, now time.Time) {
	j := s.jobs[id]
	if j == nil {
		return
	}
	open := j.open()
	for _, e := range open {
		if len(open) == 1 {
			s.end(e, nil, failed(e.f, s.version, why, now), now)
			return
		}
		s.again(s.newJob([]*match{e}, j.only), now)
	}
	s.release(j)
	s.assign(now)
}
