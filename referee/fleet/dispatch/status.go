package dispatch

import (
	"slices"
	"time"

	"umpire/referee/fleet/status"
)

// maxFormer is how many workers that are not there are shown.
const maxFormer = 50

// Describe adds the workers, and what they have done, to the state of a run. First come the
// workers that are there.
func (d *Dispatcher) Describe(f *status.Fleet, now time.Time) {
	f.Counts, f.Records = d.counts, d.rate.count
	if d.Present() > 0 {
		f.Rate = d.rate.rate(now)
	}
	var former []*member
	for _, m := range d.order {
		switch {
		case m.isThere() && m.heard:
			f.Workers = append(f.Workers, d.show(m, now))
		case !m.isThere() && (m.heard || m.state == status.Refused):
			// Of several refusals of the same machine the last is shown.
			former = slices.DeleteFunc(former, func(old *member) bool {
				return m.state == status.Refused && old.state == m.state && !old.heard && old.why == m.why && old.host == m.host
			})
			former = append(former, m)
		}
	}
	slices.SortStableFunc(former, func(a, b *member) int { return a.seen.Compare(b.seen) })
	for _, m := range former[max(0, len(former)-maxFormer):] {
		f.Workers = append(f.Workers, d.show(m, now))
	}
}

// show describes a worker.
func (d *Dispatcher) show(m *member, now time.Time) status.Worker {
	w := status.Worker{
		ID: m.id, Name: m.name, Key: m.key != "", State: m.state, Why: m.why, Umpire: m.version, Isolation: m.isolation, CPU: m.cpu,
		Slots: m.slots, Busy: m.beat.Busy, JoinedUS: now.Sub(m.joined).Microseconds(), HeardUS: now.Sub(m.seen).Microseconds(),
		Matches: m.rate.count, Scale: m.scale, Rate: m.rate.rate(now),
	}
	switch {
	case !m.isThere():
		w.Busy, w.Rate = 0, 0
		return w
	case m.beat.Paused != "":
		w.State, w.Why = status.Pauses, m.beat.Paused
	case m.beat.Busy > 0:
		w.State = status.Plays
	default:
		w.State = status.Waits
	}
	return w
}
