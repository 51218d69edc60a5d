package dispatch

import (
	"slices"
	"testing"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/record"
)

// TestPoison: a match is given to no more workers when three that have given records did not finish
// it, or others very often where nobody else is there.
func TestPoison(t *testing.T) {
	a, b, c, d := &member{proven: true}, &member{proven: true}, &member{proven: true}, &member{}
	for _, one := range []struct {
		lostBy []*member
		there  []*member
		want   bool
	}{
		{[]*member{a, a, a, a}, []*member{a}, false},
		{[]*member{a, b, d, d}, []*member{a, b, d}, false},
		{[]*member{a, b, a, c}, []*member{a, b, c, d}, true},
		{slices.Repeat([]*member{d}, maxUnproven-1), []*member{d}, false},
		{slices.Repeat([]*member{d}, maxUnproven), []*member{d}, true},
		{slices.Repeat([]*member{d}, maxUnproven), []*member{a, d}, false},
	} {
		w := plainWorld(t, 1)
		w.dispatcher.order = one.there
		e := NewMatch(0, limited(1, time.Second)[0])
		if e.lostBy = one.lostBy; w.schedule.isPoison(e) != one.want {
			t.Errorf("lost %d times by %d workers of %d: found %v", len(one.lostBy), len(e.losers()), len(one.there), !one.want)
		}
	}
}

// TestSplit: the matches of a job that was lost twice are given alone, as if they had not been lost;
// a late record of the job counts.
func TestSplit(t *testing.T) {
	w := plainWorld(t, 0)
	list := limited(2, time.Second)
	w.schedule.add(w.now, NewMatch(0, list[0]), NewMatch(1, list[1]))
	joins(w.dispatcher, "a", "a", "", w.now)
	var last Give
	for range 2 {
		last = w.gets("a")
		w.letsGo("a")
		w.now = w.now.Add(w.dispatcher.config.Silence + time.Second)
	}
	w.lasts(1, "a")
	w.gives(last, "")
	if over := w.schedule.TakeOver(); len(over) != 1 || w.dispatcher.counts.Duplicates != 0 {
		t.Errorf("found %+v and %d duplicates, expected the late record", over, w.dispatcher.counts.Duplicates)
	}
	give := w.gets("a")
	if e := w.schedule.jobs[give.ID].list[0]; len(give.Fixtures) != 1 || give.Fixtures[0].Repetition != 2 || len(e.lostBy) > 0 {
		t.Errorf("found %+v, lost by %v, expected the other match", give, e.lostBy)
	}
}

// TestNamedAgain: a worker that names a job again has it still, also when all records that it had
// stored by the time at which it did not have been taken.
func TestNamedAgain(t *testing.T) {
	w := plainWorld(t, 1)
	joins(w.dispatcher, "a", "a", "", w.now)
	give := w.gets("a")
	for _, b := range []fleet.Beat{{Jobs: []string{give.ID}}, {Stored: 5}, {Stored: 5, Jobs: []string{give.ID}}, {Stored: 5, Jobs: []string{give.ID}}} {
		w.now = w.now.Add(time.Second)
		w.dispatcher.Hear("a", b, w.now)
		if len(b.Jobs) > 0 && b.Stored > 0 {
			w.schedule.Progress(5)
		}
	}
	if m := w.dispatcher.members["a"]; len(m.holds) != 1 || m.strikes > 0 {
		t.Errorf("it has %d jobs and %d strikes, expected one and none", len(m.holds), m.strikes)
	}
}

// TestFailsAlone: a worker that fails to play what another plays is blamed for that, but not where
// it may be the judge that fails.
func TestFailsAlone(t *testing.T) {
	for want, judge := range []*record.Package{{}, nil} {
		w := plainWorld(t, 0)
		w.dispatcher.config.Packages = nil
		f := limited(1, time.Second)[0]
		f.Package = judge
		w.schedule.add(w.now, NewMatch(0, f))
		joins(w.dispatcher, "a", "a", "", w.now)
		joins(w.dispatcher, "b", "b", "", w.now)
		w.gives(w.gets("a"), "no memory")
		if gives := w.asks("a"); len(gives) > 0 {
			t.Errorf("found %+v for the worker that failed to play it, expected nothing yet", gives)
		}
		w.gives(w.gets("b"), "")
		if n := w.dispatcher.members["a"].strikes; n != want {
			t.Errorf("found %d strikes with judge %v, expected %d", n, judge, want)
		}
	}
}

// TestLostControl: a control match that was lost is not given to its worker again.
func TestLostControl(t *testing.T) {
	w := plainWorld(t, 1)
	w.dispatcher.config.Controls, w.dispatcher.config.ControlShare = limited(2, time.Second)[1:], 1
	joins(w.dispatcher, "a", "a", "", w.now)
	if give := w.gets("a"); !w.schedule.jobs[give.ID].list[0].control {
		t.Fatalf("found %+v, expected a control match", give)
	}
	w.letsGo("a")
	w.dispatcher.config.ControlShare = 0
	if give := w.gets("a"); w.schedule.jobs[give.ID].list[0].control {
		t.Errorf("found %+v, expected a match of the run", give)
	}
}
