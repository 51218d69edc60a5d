package dispatch

import (
	"maps"
	"slices"
	"time"

	"umpire/referee/record"
)

// notStarted is how long a job waits for the worker that ought to play it, and plays nothing else.
const notStarted = 30 * time.Second

// ControlShare is the usual share of jobs that are control matches, and of records whose
// built-in bots are checked.
const ControlShare = 0.02

// assign gives waiting jobs to waiting slots. Many slots may be idle: where no job was found for a slot, none is
// looked for again until something has changed, and each time for one slot of a worker only.
func (s *Schedule) assign(now time.Time) {
	if s.d.drains || s.waiting == 0 {
		return
	}
	left, rest, none := s.d.idle[:s.d.asked], s.d.idle[s.d.asked:], make(map[*member]bool)
	for i, t := range rest {
		if s.waiting == 0 {
			left = append(left, rest[i:]...)
			break
		}
		if !t.over && !none[t.member] {
			if j := s.next(t.member, now); j != nil {
				s.give(s.orControl(j, t.member), t, now)
			} else {
				none[t.member] = true
			}
		}
		if !t.over {
			left = append(left, t)
		}
	}
	clear(s.d.idle[len(left):])
	s.d.idle, s.d.asked = left, len(left)
	s.first = slices.DeleteFunc(s.first, func(j *job) bool { return !j.isWaiting() })
}

// next returns the job that a worker is to play next; nil if there is none.
func (s *Schedule) next(m *member, now time.Time) *job {
	if s.waiting == 0 || m.beat.Paused != "" || len(m.holds) >= maxHeld*m.slots {
		return nil
	}
	if m.isUnmeasured(s.d) {
		if m.isMeasured(len(m.holds)) {
			return nil // it plays the last of these matches
		}
		return s.newJob(s.d.measuring(), m)
	}
	if m.alone = slices.DeleteFunc(m.alone, func(j *job) bool { return !j.isWaiting() }); len(m.alone) > 0 {
		return m.alone[0]
	}
	barred := m.isBarred()
	for _, j := range s.first {
		if j.isWaiting() && s.mayTake(j, m, barred, now) {
			return j
		}
	}
	var best *job
	for _, c := range s.classes {
		for len(c.jobs) > 0 && (!c.jobs[0].isWaiting() || len(c.jobs[0].had) > 0) { // or it is one of the first
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
	if m.own || m.isUnmeasured(s.d) || len(s.d.config.Controls) == 0 || s.d.config.Chance() >= s.d.config.ControlShare {
		return j
	}
	e := NewMatch(0, s.d.config.Controls[int(s.d.config.Chance()*float64(len(s.d.config.Controls)))])
	e.control, e.aside = true, func(*member, record.Record, time.Time) {} // which has been compared: see Awaits
	return s.newJob([]*Match{e}, m)
}

// mayTake reports whether a worker may play a job that has been given before. One that is barred leaves
// it to others for a time, if somebody has lost it; one that has tried a match of it, also as long as
// others may try that.
func (s *Schedule) mayTake(j *job, m *member, barred bool, now time.Time) bool {
	switch {
	case m.holds[j] != nil || !m.can(s.classOf(j.list[0]).needs):
		return false
	case j.had[m] != nil && j.isPlayed(m): // the others would lose it: see give
		return false
	}
	isNew := now.Sub(j.since) <= s.d.config.Silence
	return !slices.ContainsFunc(j.list, func(e *Match) bool {
		return j.isOpen(e) && (isNew && barred && e.isLost() || e.isTried(m) && (isNew || e.isUntried(s, now)))
	})
}

// give gives a job to a slot. One that its worker had before gets another id: the server
// keeps one record of each match of a job, and would not store another.
func (s *Schedule) give(j *job, t *taker, now time.Time) {
	s.unwait(j)
	if old := j; j.had[t.member] != nil {
		j = s.newJob(j.open(), j.only)
		s.release(old)
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(j.had)), func(m *member) bool { return m.holds[j] != nil }) {
		s.d.counts.Seconds++
		if s.seconds += len(j.open()); !slices.Contains(s.helpers, t.member) {
			s.helpers = append(s.helpers, t.member)
		}
	}
	h := &hold{given: now, since: now}
	if scale := t.member.scale; scale != 1 {
		h.scale = scale
	}
	t.member.holds[j], j.had[t.member], t.given = h, h, j
	s.hand(j, t, now)
}

// hand tells a slot which job it has been given.
func (s *Schedule) hand(j *job, t *taker, now time.Time) {
	t.over = true
	h := t.member.holds[j]
	h.sent = now
	g := Give{Reply: t.reply, ID: j.id, Worker: t.member.id}
	for i, e := range j.list {
		if j.isOpen(e) {
			f := e.f
			f.Scale = h.scale
			g.Fixtures, g.At, g.Matches = append(g.Fixtures, f), append(g.At, i), append(g.Matches, e.id)
		}
	}
	s.d.out.Gives = append(s.d.out.Gives, g)
}

// waitingFor counts the jobs that wait and that a worker could play, roughly.
func (s *Schedule) waitingFor(m *member, now time.Time) (n int) {
	if s.waiting == 0 || s.d.drains || len(m.holds) >= maxHeld*m.slots {
		return 0
	}
	for _, c := range s.classes {
		if m.can(c.needs) {
			n += len(c.jobs)
		}
	}
	barred := m.isBarred()
	for _, j := range slices.Concat(m.alone, s.first) {
		if j.isWaiting() && (j.only == m || s.mayTake(j, m, barred, now)) {
			n++
		}
	}
	return min(n, s.waiting)
}
