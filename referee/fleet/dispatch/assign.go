package dispatch

import (
	"slices"
	"time"
)

// maxDoubts bounds asking.doubts: when many workers fall silent at once, there are thousands of
// such jobs.
const maxDoubts = 8

// notStarted is how long a job waits for the worker that ought to play it.
const notStarted = 30 * time.Second

// ControlShare is the usual share of jobs that are control matches, and of records whose
// built-in bots are checked.
const ControlShare = 0.02

// assigner gives waiting jobs to waiting slots.
type assigner struct {
	config      *Config
	crew        *crew
	queue       *queue
	calibration *calibration
}

// assign gives waiting jobs to waiting slots.
func (a *assigner) assign(now time.Time) {
	if a.crew.drains || a.queue.waiting == 0 { // many slots may be idle
		return
	}
	a.queue.first = slices.DeleteFunc(a.queue.first, func(j *job) bool { return !j.waiting })
	idle := a.crew.idle[:0]
	for _, t := range a.crew.idle {
		if t.over {
			continue
		}
		if j := a.next(t.member, now); j != nil {
			a.give(j, t, now)
			continue
		}
		idle = append(idle, t)
	}
	clear(a.crew.idle[len(idle):])
	a.crew.idle = idle
}

// next returns the job that a worker is to play next; nil if there is none.
func (a *assigner) next(m *member, now time.Time) *job {
	if a.queue.waiting == 0 || len(a.queue.holds[m]) >= maxHeld*m.slots {
		return nil
	}
	if a.calibration.measures(m) {
		if list := a.calibration.next(m, a.queue.holds[m]); len(list) > 0 {
			return a.queue.newJob(list, m)
		}
		return nil
	}
	if len(a.config.Controls) > 0 && !m.own && a.config.Chance() < a.config.ControlShare {
		e := NewMatch(0, a.config.Controls[int(a.config.Chance()*float64(len(a.config.Controls)))])
		e.control = true
		return a.queue.newJob([]*Match{e}, m)
	}
	who := asking{m, a.queue.isBarred(m), maxDoubts}
	for _, j := range a.queue.first {
		if j.waiting && a.mayTake(j, &who, now) {
			return j
		}
	}
	var best *job
	for _, c := range a.queue.queues {
		for len(c.jobs) > 0 && !c.jobs[0].waiting {
			c.jobs[0], c.jobs = nil, c.jobs[1:]
		}
		if len(c.jobs) > 0 && (best == nil || c.jobs[0].number < best.number) && m.can(c.needs) {
			best = c.jobs[0]
		}
	}
	return best
}

// asking is a worker that asks for a job.
type asking struct {
	member *member
	barred bool // see isBarred
	doubts int  // for so many jobs that it had better not play it is found out whether others could
}

// mayTake reports whether a worker may play a job that has been given before, or is
// for a certain worker. One that did not finish a match of it, or has given no record
// yet, is to leave the job to others, for a time.
func (a *assigner) mayTake(j *job, who *asking, now time.Time) bool {
	switch {
	case j.only != nil:
		return j.only == who.member
	case j.holds[who.member] != nil, !who.member.can(j.needs):
		return false
	case now.Sub(j.since) > notStarted, j.isFit(who.member, who.barred):
		return true
	case who.doubts == 0:
		return false
	}
	who.doubts--
	return !slices.ContainsFunc(a.crew.there(), func(other *member) bool {
		return other != who.member && j.holds[other] == nil && other.can(j.needs) && j.isFit(other, a.queue.isBarred(other))
	})
}

// give gives a job to a slot. One that its worker had before gets another id: the server
// keeps one record of each match of a job, and would not store another.
func (a *assigner) give(j *job, t *taker, now time.Time) {
	a.queue.unwait(j)
	if old := j; !j.taken[t.member].IsZero() {
		j = a.queue.newJob(j.open(), j.only)
		a.queue.release(old)
	}
	a.queue.hold(j, t.member, &hold{since: now})
	if a.queue.given[t.member] == nil {
		a.queue.given[t.member] = make(map[int]*job)
	}
	a.queue.given[t.member][t.slot] = j
	if j.taken[t.member].IsZero() {
		j.taken[t.member] = now
	}
	t.end()
	if scale := t.member.scale; scale > 0 && scale != 1 && !j.isMeasure() {
		j.scales[t.member] = scale
	}
	g := Give{Reply: t.reply, ID: j.id}
	for i, e := range j.list {
		if e.job == j && !e.over {
			f := e.f
			f.Scale = j.scales[t.member]
			g.Fixtures, g.At = append(g.Fixtures, f), append(g.At, i)
		}
	}
	a.crew.out.Gives = append(a.crew.out.Gives, g)
}

// waitingFor counts the jobs that wait and that a worker could play, roughly.
func (a *assigner) waitingFor(m *member) (n int) {
	if a.queue.waiting == 0 || a.crew.drains || len(a.queue.holds[m]) >= maxHeld*m.slots {
		return 0
	}
	for _, c := range a.queue.queues {
		if m.can(c.needs) {
			n += len(c.jobs)
		}
	}
	for _, j := range a.queue.first {
		if j.waiting && (j.only == nil || j.only == m) {
			n++
		}
	}
	return min(n, a.queue.waiting)
}
