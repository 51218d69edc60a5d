package dispatch

import (
	"slices"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/record"
)

// limited lists matches of one seat with a budget.
func limited(n int, budget time.Duration) []arena.Fixture {
	list := arenatest.Sums(n)
	for i := range list {
		list[i].Limits = record.NewLimits(protocols.Limits{Time: budget}, "")
	}
	return list
}

// add has matches wait in one job.
func (s *Schedule) add(now time.Time, list ...*Match) {
	s.ready = list
	s.flush(now)
}

// plainWorld is a world without workers and without matches that do not count, where each of some
// matches waits in a job of its own.
func plainWorld(t *testing.T, matches int) *world {
	w := newWorld(t, 1)
	w.dispatcher.config.Controls, w.dispatcher.calibration = nil, nil
	for n, f := range limited(matches, time.Second) {
		w.schedule.add(w.now, NewMatch(n, f))
	}
	return w
}

// asks has a worker's first slot ask for a job, and returns what is given to all.
func (w *world) asks(id string) []Give {
	w.dispatcher.Take(id, fleet.Take{Start: w.dispatcher.members[id].start}, id, w.now)
	return w.decided()
}

// decided returns the jobs that are given.
func (w *world) decided() []Give {
	return slices.DeleteFunc(w.dispatcher.Decide(w.now).Gives, func(g Give) bool { return g.ID == "" })
}

// gets has a worker's first slot ask for a job, and returns that.
func (w *world) gets(id string) Give {
	gives := w.asks(id)
	if len(gives) != 1 || gives[0].Worker != id {
		w.t.Fatalf("found %+v, expected a job for %s", gives, id)
	}
	return gives[0]
}

// gives has a worker give the record of the first match of a job, with an error if that is not "".
func (w *world) gives(give Give, why string) {
	r := give.Fixtures[0].Record()
	r.Error = why
	if err := w.schedule.take(w.dispatcher.members[give.Worker], give.ID, give.At[0], r, w.now); err != nil {
		w.t.Fatal(err)
	}
}

// letsGo has a worker name no jobs for so long that it has lost them.
func (w *world) letsGo(id string) {
	w.now = w.now.Add(w.dispatcher.config.Silence + time.Second)
	w.dispatcher.awake = w.now // the coordinator was there
	w.dispatcher.Hear(id, fleet.Beat{}, w.now)
}

// lasts has some seconds pass, in which workers send beats and keep what they have.
func (w *world) lasts(seconds int, ids ...string) {
	for range seconds {
		w.now = w.now.Add(time.Second)
		for _, id := range ids {
			b := w.dispatcher.members[id].beat
			for j := range w.dispatcher.members[id].holds {
				b.Jobs = append(b.Jobs, j.id)
			}
			w.dispatcher.Hear(id, b, w.now)
		}
		w.schedule.Tick(w.now)
	}
}
