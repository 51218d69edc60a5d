package fleet

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/report"
)

// When a job that is being played holds up the Run: nothing is left to be given
// to workers, and some of them have nothing to do.
const (
	lateAfter = 5 * time.Second // at the earliest
	lateTimes = 3               // of the time that a job of its length usually takes
)

// hands lists the workers that play, and those that could.
type hands struct {
	holders map[string][]string // ids of workers, by the job that they play
	idle    []idle
}

// idle is a worker with nothing to do.
type idle struct {
	hello hello
	slots int // that are free
}

// hands returns the hands of the crew.
func (c *crew) hands() hands {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := hands{holders: make(map[string][]string)}
	for _, m := range c.present() {
		for _, id := range m.Jobs {
			h.holders[id] = append(h.holders[id], m.ID)
		}
		if free := m.Slots - m.Busy; free > 0 && m.Paused == "" && m.Waiting == 0 {
			h.idle = append(h.idle, idle{m.hello, free})
		}
	}
	return h
}

// hurry gives jobs that hold up the Run to a second worker. The first result of
// a match counts: both workers give theirs under the same subject.
func (q *queue) hurry(ctx context.Context) error {
	for wait(ctx, beatEvery) == nil {
		if q.isDraining() {
			return nil
		}
		h := q.crew.hands()
		q.checkHoldings(ctx, h, time.Now())
		for _, s := range q.late(h, time.Now()) {
			if err := q.giveToSecond(ctx, s); err != nil {
				q.Note("umpire: give a match to a second worker: %v\n", err)
			}
		}
	}
	return nil
}

// seconded is a job that is to be given to a second worker.
type seconded struct {
	id string
	*given
	to hello
}

// late finds the jobs that hold up the Run, and for each a second worker. A job
// whose worker has gone is held up as well.
func (q *queue) late(h hands, now time.Time) (list []seconded) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.fed {
		return nil
	}
	for id, g := range q.jobs {
		holders := h.holders[id]
		switch {
		case g.held.IsZero() && len(holders) > 0:
			g.held = now
		case g.held.IsZero(), g.second != "", g.needs.addressee() != "", now.Sub(g.held) < q.usual(g):
		default:
			if to, ok := h.second(g, holders); ok {
				list = append(list, seconded{id, g, to})
				g.second = to.ID
			}
		}
	}
	return list
}

// usual is after how long a job is late. The caller holds mu.
func (q *queue) usual(g *given) time.Duration {
	if q.mean > 0 {
		return max(q.Late, lateTimes*time.Duration(len(g.entries))*q.mean)
	}
	most := q.Late
	for _, e := range g.entries {
		most += time.Duration(len(e.f.Seats)) * time.Duration(e.f.Limits.TimeUS) * time.Microsecond
	}
	return most
}

// second finds an idle worker for a job that others hold.
func (h *hands) second(g *given, holders []string) (to hello, ok bool) {
	for i := range h.idle {
		one := &h.idle[i]
		if one.slots > 0 && g.needs.met(one.hello.Abilities) && !slices.Contains(holders, one.hello.ID) {
			one.slots--
			return one.hello, true
		}
	}
	return to, false
}

// giveToSecond gives the fixtures of a job that have no record yet to another
// worker.
func (q *queue) giveToSecond(ctx context.Context, s seconded) error {
	mine := slices.Clone(s.needs).and(s.to.ID)
	if err := q.class(ctx, mine); err != nil {
		return err
	}
	j := job{ID: s.id}
	q.mu.Lock()
	for i, e := range s.all {
		if slices.Contains(s.entries, e) {
			j.Fixtures, j.At = append(j.Fixtures, e.f), append(j.At, i)
		}
	}
	q.mu.Unlock()
	if len(j.Fixtures) == 0 {
		return nil
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if _, err := q.js.Publish(ctx, q.job(mine.class(), j.ID), data); err != nil {
		return err
	}
	q.crew.count(func(c *status.Counts) { c.Seconds++ })
	q.Note("umpire: the run waits for %s: given to worker %s as well\n", report.Plural(len(j.Fixtures), "match"), s.to.Name)
	return nil
}
