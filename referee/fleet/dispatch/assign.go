package dispatch

import (
	"slices"
	"time"

	"umpire/referee/report"
)

// notStarted is how long a job waits for the worker that ought to play it.
const notStarted = 30 * time.Second

// ControlShare is the usual share of jobs that are control matches, and of records whose
// built-in bots are checked.
const ControlShare = 0.02

// assign gives waiting jobs to waiting slots.
func (s *Schedule) assign(now time.Time) {
	if s.crew.drains || s.queue.waiting == 0 { // many slots may be idle
		return
	}
	s.queue.first = slices.DeleteFunc(s.queue.first, func(j *job) bool { return !j.waiting })
	idle := s.crew.idle[:0]
	for _, t := range s.crew.idle {
		if t.over {
			continue
		}
		if j := s.next(t.member, now); j != nil {
			s.give(s.orControl(j, t.member), t, now)
			continue
		}
		idle = append(idle, t)
	}
	clear(s.crew.idle[len(idle):])
	s.crew.idle = idle
}

// next returns the job that a worker is to play next; nil if there is none.
func (s *Schedule) next(m *member, now time.Time) *job {
	if s.queue.waiting == 0 || m.beat.Paused != "" || len(m.holds) >= maxHeld*m.slots {
		return nil
	}
	if s.calibration.measures(m) {
		if list := s.calibration.next(m); len(list) > 0 {
			return s.queue.newJob(list, m)
		}
		return nil
	}
	barred := m.isBarred()
	for _, j := range s.queue.first {
		if j.waiting && s.mayTake(j, m, barred, now) {
			return j
		}
	}
	var best *job
	for _, c := range s.queue.queues {
		for len(c.jobs) > 0 && (!c.jobs[0].waiting || len(c.jobs[0].had) > 0) { // one that waits once more is among the first
			c.jobs[0], c.jobs = nil, c.jobs[1:]
		}
		if len(c.jobs) > 0 && (best == nil || c.jobs[0].number < best.number) && m.can(c.needs) {
			best = c.jobs[0]
		}
	}
	return best
}

// orControl returns the job that a worker is to play, or now and then a control match in its place.
func (s *Schedule) orControl(j *job, m *member) *job {
	if j.isMeasure() || m.own || len(s.config.Controls) == 0 || s.config.Chance() >= s.config.ControlShare {
		return j
	}
	e := NewMatch(0, s.config.Controls[int(s.config.Chance()*float64(len(s.config.Controls)))])
	e.control = true
	return s.queue.newJob([]*Match{e}, m)
}

// mayTake reports whether a worker may play a job that has been given before, or is for a
// certain worker. One that did not finish a match of it, or is barred, leaves the job to
// others for a time.
func (s *Schedule) mayTake(j *job, m *member, barred bool, now time.Time) bool {
	if j.only != nil {
		return j.only == m
	}
	return m.holds[j] == nil && m.can(j.needs) && (now.Sub(j.since) > s.config.Silence || j.isFit(m, barred))
}

// give gives a job to a slot. One that its worker had before gets another id: the server
// keeps one record of each match of a job, and would not store another.
func (s *Schedule) give(j *job, t *taker, now time.Time) {
	s.queue.unwait(j)
	if old := j; j.had[t.member] != nil {
		j = s.queue.newJob(j.open(), j.only)
		s.queue.release(old)
	}
	if j.holders() > 0 {
		s.crew.counts.Seconds++
		s.crew.note("umpire: the run waits for %s: given to worker %s as well\n", report.Plural(len(j.open()), "match"), t.member.name)
	}
	h := &hold{given: now, since: now}
	if scale := t.member.scale; scale != 1 && !j.isMeasure() {
		h.scale = scale
	}
	t.member.hold(j, h)
	t.member.given[t.slot] = j
	s.hand(j, t)
}

// hand tells a slot which job it has been given.
func (s *Schedule) hand(j *job, t *taker) {
	t.end()
	h := t.member.holds[j]
	g := Give{Reply: t.reply, ID: j.id, Worker: t.member.id}
	for i, e := range j.list {
		if e.job == j && !e.over {
			f := e.f
			f.Scale = h.scale
			g.Fixtures, g.At, g.Matches = append(g.Fixtures, f), append(g.At, i), append(g.Matches, e.id)
		}
	}
	s.crew.out.Gives = append(s.crew.out.Gives, g)
}

// waitingFor counts the jobs that wait and that a worker could play, roughly.
func (s *Schedule) waitingFor(m *member) (n int) {
	if s.queue.waiting == 0 || s.crew.drains || len(m.holds) >= maxHeld*m.slots {
		return 0
	}
	for _, c := range s.queue.queues {
		if m.can(c.needs) {
			n += len(c.jobs)
		}
	}
	for _, j := range s.queue.first {
		if j.waiting && (j.only == nil || j.only == m) {
			n++
		}
	}
	return min(n, s.queue.waiting)
}
