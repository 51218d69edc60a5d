package dispatch

import (
	"fmt"
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
		tries []*member
		there []*member
		want  bool
	}{
		{[]*member{a, a, a, a}, []*member{a}, false},
		{[]*member{a, b, d, d}, []*member{a, b, d}, false},
		{[]*member{a, b, a, c}, []*member{a, b, c, d}, true},
		{slices.Repeat([]*member{d}, maxLosses-1), []*member{d}, false},
		{slices.Repeat([]*member{d}, maxLosses), []*member{d}, true},
		{slices.Repeat([]*member{d}, maxLosses), []*member{a, d}, false},
	} {
		w := plainWorld(t, 1)
		w.dispatcher.order = one.there
		e := w.schedule.classes[0].jobs[0].list[0]
		for _, m := range one.tries {
			e.tries = append(e.tries, try{by: m})
		}
		a.playing = w.now
		if w.schedule.isOver(e, w.now) != one.want {
			t.Errorf("lost %d times by %d workers of %d: found %v", len(e.tries), len(e.triers()), len(one.there), !one.want)
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
	if e := w.schedule.jobs[give.ID].list[0]; len(give.Fixtures) != 1 || give.Fixtures[0].Repetition != 2 || len(e.tries) > 0 {
		t.Errorf("found %+v, tried by %v, expected the other match", give, e.tries)
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
			w.schedule.Progress(5, w.now)
		}
	}
	if m := w.dispatcher.members["a"]; len(m.holds) != 1 || m.strikes > 0 {
		t.Errorf("it has %d jobs and %d strikes, expected one and none", len(m.holds), m.strikes)
	}
}

// TestFailsAlone: a worker that fails to play what another plays is blamed for that, but not where
// it may be the judge that fails, unless it plays nothing else.
func TestFailsAlone(t *testing.T) {
	for n, judge := range []*record.Package{{}, {}, nil} {
		w := plainWorld(t, 0)
		w.dispatcher.config.Packages = nil
		for n, f := range limited(2, time.Minute) {
			f.Package = judge
			w.schedule.add(w.now, NewMatch(n, f))
		}
		joins(w.dispatcher, "a", "a", "", w.now)
		joins(w.dispatcher, "b", "b", "", w.now)
		other := w.gets("b")
		w.dispatcher.members["a"].proven = n == 0
		w.gives(w.gets("a"), "no memory")
		w.asks("a")
		if w.lasts(60, "a", "b"); len(w.dispatcher.members["a"].holds) > 0 {
			t.Error("it is given a match again that it failed to play, and that another may play next")
		}
		w.gives(other, "")
		w.gives(w.gets("b"), "")
		if got := w.dispatcher.members["a"].strikes; got != min(n, 1) {
			t.Errorf("case %d: found %d strikes with judge %v, expected %d", n, got, judge, min(n, 1))
		}
	}
}

// TestExcused: a worker that pauses, leaves or begins anew is not to blame for what it lets go of, unless it
// does nothing else.
func TestExcused(t *testing.T) {
	const slots = 4
	hello := func(w *world, start string) string {
		h := fleet.Hello{Protocol: fleet.Protocol, Start: start, Version: "test", Slots: slots}
		return w.dispatcher.Hello("lab", fleet.Origin{Key: "lab"}, h, w.now).Refused
	}
	for name, lets := range map[string]func(w *world, jobs []fleet.Back){
		"pauses": func(w *world, jobs []fleet.Back) {
			w.dispatcher.Hear("lab", fleet.Beat{Start: "a", Paused: "it ends", Back: jobs}, w.now)
			w.dispatcher.Hear("lab", fleet.Beat{Start: "a"}, w.now)
		},
		"gives back and leaves": func(w *world, jobs []fleet.Back) {
			w.dispatcher.Hear("lab", fleet.Beat{Start: "a", Leaving: true, Back: jobs}, w.now)
			hello(w, "a")
		},
		"leaves": func(w *world, _ []fleet.Back) {
			w.dispatcher.Hear("lab", fleet.Beat{Start: "a", Leaving: true}, w.now)
			hello(w, "a")
		},
		"begins anew": func(w *world, _ []fleet.Back) {
			w.names++
			hello(w, fmt.Sprint("b", w.names))
		},
	} {
		w := plainWorld(t, slots)
		hello(w, "a")
		m := w.dispatcher.members["lab"]
		rounds := func(n int) {
			for range n {
				var jobs []fleet.Back
				for slot := range slots {
					w.dispatcher.Take("lab", fleet.Take{Start: m.start, Slot: slot}, "lab", w.now)
				}
				for _, give := range w.dispatcher.Decide(w.now).Gives {
					jobs = append(jobs, fleet.Back{Job: give.ID, Why: "it ends"})
				}
				if m.dropped == "" && len(jobs) == 0 {
					t.Fatalf("%s: it was given no jobs", name)
				}
				lets(w, jobs)
			}
		}
		if rounds(maxHeld); m.strikes > 0 {
			t.Errorf("%s %d times: found %d strikes, expected none", name, maxHeld, m.strikes)
		}
		w.gives(w.gets("lab"), "")
		w.schedule.add(w.now, NewMatch(slots, limited(slots+1, time.Second)[slots]))
		if m.excused > 0 {
			t.Errorf("%s: found %d excuses after a good record, expected none", name, m.excused)
		}
		if rounds(maxHeld + 2 + maxStrikes); m.dropped == "" || m.isThere() {
			t.Errorf("%s: it goes on for ever", name)
		}
		if why := hello(w, "c"); why != m.dropped {
			t.Errorf("%s: found %q when it says hello again, expected %q", name, why, m.dropped)
		}
	}
}

// TestHelper: a slow worker that says that it plays is not told to stop since another that was given the match as
// well let go of it, or failed to play it; that one is not given the match again.
func TestHelper(t *testing.T) {
	for name, lets := range map[string]func(w *world, give Give){
		"pauses": func(w *world, give Give) {
			w.dispatcher.Hear("helper", fleet.Beat{Paused: "why", Back: []fleet.Back{{Job: give.ID}}}, w.now)
			w.dispatcher.Hear("helper", fleet.Beat{}, w.now)
		},
		"fails": func(w *world, give Give) { w.gives(give, "no memory") },
	} {
		w := plainWorld(t, 1)
		w.schedule.EndEntries(w.now)
		joins(w.dispatcher, "slow", "slow", "", w.now)
		joins(w.dispatcher, "helper", "helper", "", w.now)
		slow := w.gets("slow")
		w.asks("helper")
		w.lasts(20, "slow", "helper")
		w.schedule.again(w.schedule.jobs[slow.ID], w.now)
		lets(w, w.dispatcher.Decide(w.now).Gives[0])
		w.asks("helper")
		w.lasts(20, "slow", "helper")
		if o := w.dispatcher.Hear("slow", fleet.Beat{Jobs: []string{slow.ID}}, w.now); len(o.End) > 0 || len(w.dispatcher.members["helper"].holds) > 0 {
			t.Errorf("%s: the slow worker is told to end %v, and the other has been given the match again", name, o.End)
		}
		w.gives(slow, "")
		if over := w.schedule.TakeOver(); len(over) != 1 || over[0].Record.Error != "" {
			t.Errorf("%s: found %+v", name, over)
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

// TestBacklog: a worker is not to blame for records that it has stored and that have not been taken, as long
// as others are.
func TestBacklog(t *testing.T) {
	w := plainWorld(t, 1)
	joins(w.dispatcher, "a", "a", "", w.now)
	w.gets("a")
	m := w.dispatcher.members["a"]
	for second := range 300 {
		w.now = w.now.Add(time.Second)
		if second < 150 {
			w.schedule.Progress(uint64(second), w.now)
		}
		w.dispatcher.Hear("a", fleet.Beat{Stored: 1000}, w.now)
		if isLate := second == 299; second != 150 && !isLate {
			continue
		} else if (m.strikes == 0) == isLate || (len(m.holds) == 1) == isLate {
			t.Errorf("found %d strikes and %d jobs after %d s", m.strikes, len(m.holds), second)
		}
	}
}

// TestDrainedAgain: when no more matches are to begin, a job that a worker has given back is not waited for,
// whatever the worker names later.
func TestDrainedAgain(t *testing.T) {
	w := plainWorld(t, 2)
	w.dispatcher.Hello("a", fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: "a", Version: "test", Slots: 2}, w.now)
	both := []string{w.gets("a").ID, ""}
	w.dispatcher.Take("a", fleet.Take{Slot: 1}, "a", w.now)
	both[1] = w.dispatcher.Decide(w.now).Gives[0].ID
	w.dispatcher.Drain(w.now)
	if notes := w.dispatcher.Decide(w.now).Notes; !slices.Equal(notes, []string{"umpire: waiting for worker a, 3m22s at most\n"}) {
		t.Errorf("found %q, expected for whom the run waits", notes)
	}
	for n := range 10 {
		for _, b := range []fleet.Beat{{Jobs: both}, {Jobs: both[1-n%2:][:1], Back: []fleet.Back{{Job: both[n%2]}}}, {Jobs: both}} {
			w.now = w.now.Add(time.Second)
			w.dispatcher.Hear("a", b, w.now)
		}
	}
	if w.schedule.Tick(w.now); !w.schedule.IsQuiet() {
		t.Error("jobs are waited for that were given back")
	}
}
