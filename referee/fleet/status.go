package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// statusSubject is the subject of requests for the state of a run.
const statusSubject = "umpire.workers"

// maxWhy is the most bytes of a reason that a worker has given, or caused.
const maxWhy = 300

// maxFormer is how many workers that take no part are remembered.
const maxFormer = 50

// credit counts a worker's results, as the coordinator has taken them. It
// survives that the worker is away for a time.
type credit struct {
	meter   meter
	matches int64
}

// Status describes the run to people, with what Progress has been told.
func (c *Coordinator) Status() status.Fleet {
	f := c.Now()
	if counts := c.progress.Load(); counts != nil {
		f.Done, f.Total = (*counts)()
	}
	if rest := f.Total - f.Done; rest > 0 && f.Rate > 0 {
		f.LeftUS = int64(float64(rest) / f.Rate * 1e6)
	}
	return f
}

// Now describes the workers to people.
func (c *Coordinator) Now() status.Fleet {
	now := time.Now()
	f := status.Fleet{
		V: 1, Run: c.run, Umpire: c.Version, Draining: c.isDraining(), UpUS: now.Sub(c.opened).Microseconds(), Workers: []status.Worker{},
	}
	c.crew.describe(&f, now)
	return f
}

// Progress sets how the number of matches that are done is found, and the
// number of all; 0 if that is not known.
func (c *Coordinator) Progress(counts func() (done, total int)) { c.progress.Store(&counts) }

// tellStatus answers somebody who asks for the state of the run.
func (c *Coordinator) tellStatus(msg *nats.Msg) { respond(msg, c.Status()) }

// describe adds what the crew knows.
func (c *crew) describe(f *status.Fleet, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	there := c.present()
	slices.SortFunc(there, func(a, b *member) int { return cmp.Or(a.joined.Compare(b.joined), strings.Compare(a.ID, b.ID)) })
	f.Rate, f.Counts = c.all.meter.rate(now), c.counts
	f.Records = c.all.matches
	there = slices.DeleteFunc(there, func(m *member) bool { return !m.heard })
	for _, m := range slices.Concat(there, c.former) {
		w := m.describe(now)
		if w.There() && w.Why == "" {
			w.Why = strings.TrimPrefix(c.past(m.host), "; ")
		}
		f.Workers = append(f.Workers, w)
	}
}

func (m *member) describe(now time.Time) status.Worker {
	w := status.Worker{
		ID: m.ID, Name: m.Name, State: m.state, Why: m.why, Umpire: m.Version, Isolation: m.Isolation, CPU: m.CPU,
		Slots: m.Slots, Busy: m.Busy, JoinedUS: now.Sub(m.joined).Microseconds(), HeardUS: now.Sub(m.seen).Microseconds(),
	}
	if m.credit != nil {
		w.Matches, w.Rate = m.credit.matches, m.credit.meter.rate(now)
	}
	switch {
	case m.state != "":
		w.Busy, w.Rate = 0, 0
	case m.Waiting > 0:
		w.State, w.Why = status.Pauses, fmt.Sprintf("its contestants wait for CPUs %.0f %% of their time", 100*min(1, m.Waiting))
	case m.Paused != "":
		w.State, w.Why = status.Pauses, tidy(m.Paused, maxWhy)
	case m.Busy > 0:
		w.State = status.Plays
	default:
		w.State = status.Waits
	}
	return w
}

// part remembers a worker that takes no part, and why. Of several refusals of
// the same machine the last is remembered. The caller holds mu.
func (c *crew) part(m *member, state, why string) {
	delete(c.members, m.ID)
	m.state, m.why = state, why
	c.former = slices.DeleteFunc(c.former, func(old *member) bool {
		return old.ID == m.ID || old.Name == m.Name && state == status.Refused && old.state == state
	})
	c.former = append(c.former, m)
	if len(c.former) > maxFormer {
		c.former = slices.Delete(c.former, 0, 1)
	}
}

// refuse remembers a worker that was refused.
func (c *crew) refuse(h hello, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.counts.Refused++
	h.Version, h.Isolation, h.CPU = tidy(h.Version, maxWorkerName), tidy(h.Isolation, maxWorkerName), tidy(h.CPU, maxCPUName)
	why = tidy(why, maxWhy)
	c.part(&member{hello: h, joined: now, seen: now}, status.Refused, why)
}

// recall returns what a worker had done when it was here before, and how many
// of its results had been refused. The caller holds mu.
func (c *crew) recall(id string) (*credit, int64) {
	old := c.find(id)
	c.former = slices.DeleteFunc(c.former, func(m *member) bool { return m.ID == id })
	if old == nil || old.credit == nil {
		return &credit{}, 0
	}
	return old.credit, old.Duplicates
}

// credit counts a record that a worker has given.
func (c *crew) credit(worker string, r *record.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for _, one := range []*credit{&c.all, c.creditOf(worker)} {
		if one != nil {
			one.matches++
			one.meter.add(now)
		}
	}
	if r.Error != "" {
		c.counts.Errors++
	}
}

func (c *crew) creditOf(worker string) *credit {
	if m := c.find(worker); m != nil {
		return m.credit
	}
	return nil
}

// find finds a worker that takes part, or did; nil if there was none. The caller
// holds mu.
func (c *crew) find(id string) *member {
	if m := c.members[id]; m != nil {
		return m
	}
	if i := slices.IndexFunc(c.former, func(m *member) bool { return m.ID == id }); i >= 0 {
		return c.former[i]
	}
	return nil
}

// count changes the counts.
func (c *crew) count(change func(*status.Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.counts)
}
