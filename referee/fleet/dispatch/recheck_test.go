package dispatch

import (
	"slices"
	"testing"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
)

// recheck has each match of a world played again. Where it is calm, all workers stay, and are
// honest or cheats.
func (w *world) recheck(isCalm bool) {
	w.schedule.sample = recheck.NewSample(1, w.random.Float64)
	for range w.fixtures {
		w.failing[w.random.IntN(len(w.fixtures))] = w.random.IntN(2 * maxTries)
		w.unsteady[w.random.IntN(len(w.fixtures))] = w.random.IntN(4) == 0
	}
	if !isCalm {
		return
	}
	clear(w.poison)
	w.join(honest, key) // so that another can play what one has played
	for _, s := range w.workers {
		s.cuts, s.fails = 0, 0
		if s.kind != honest {
			s.kind = cheat
		}
	}
}

// checkRechecks fails the test unless each match that was played has been compared, or given up;
// and that only where umpire failed too often, or, in worlds that are not calm, a worker was gone. A
// difference is found only between a cheat and another, and in a calm world each is.
func (w *world) checkRechecks(isCalm bool) {
	isCheat := func(id string) bool {
		return slices.ContainsFunc(w.workers, func(s *simulated) bool { return s.id == id && s.kind == cheat })
	}
	found := w.dispatcher.rechecks // without Settled, which omits what may be chance
	unsteady := 0
	for _, u := range found.Unsteady {
		unsteady += u.Matches
	}
	for _, d := range found.Differ {
		if isCheat(d.Workers[0]) == isCheat(d.Workers[1]) || d.Alone && isCalm {
			w.t.Errorf("found %+v, expected no difference between two that play alike", d)
		}
	}
	var want struct{ all, skipped, same, unsteady, differ int }
	for n, r := range w.records {
		if r.Error != "" {
			continue
		}
		want.all++
		switch first := w.givers[n]; {
		case isCalm && len(w.again[n]) == 0:
			w.t.Errorf("match %d of %s is not played again", n, first)
		case slices.Contains(w.again[n][:min(1, len(w.again[n]))], first):
			w.t.Errorf("match %d is played again by %s, whose record is to be checked", n, first)
		case w.failing[n] >= maxTries:
			want.skipped++
		case w.unsteady[n]:
			want.unsteady++
		case isCalm && isCheat(first) != isCheat(w.again[n][0]):
			want.differ++
		default:
			want.same++
		}
	}
	if n := found.Same + unsteady + len(found.Differ); n != found.Matches || n+found.Skipped != want.all {
		w.t.Errorf("found %+v, expected %d matches that are the same, unsteady, different or given up", found, want.all)
	}
	if isCalm && (found.Skipped != want.skipped || found.Same != want.same || unsteady != want.unsteady || len(found.Differ) != want.differ) {
		w.t.Errorf("found %+v, expected %+v", found, want)
	}
}

// TestEvaded: a worker whose record differs from that of another, which plays like that again, is reported also
// if it does not play the match again.
func TestEvaded(t *testing.T) {
	for name, evades := range map[string]func(w *world){
		"fails": func(w *world) {
			for range maxTries {
				w.gives(w.gets("liar"), "no memory")
			}
		},
		"leaves": func(w *world) { w.dispatcher.Hear("liar", fleet.Beat{Leaving: true}, w.now) },
	} {
		w := plainWorld(t, 1)
		w.schedule.sample = recheck.NewSample(1, w.random.Float64)
		joins(w.dispatcher, "liar", "liar", "", w.now)
		joins(w.dispatcher, "honest", "honest", "", w.now)
		lie := w.gets("liar")
		r := lie.Fixtures[0].Record()
		r.Seats[0].Place = 9
		if err := w.schedule.take(w.dispatcher.members["liar"], lie.ID, lie.At[0], r, w.now); err != nil {
			t.Fatal(err)
		}
		w.gives(w.gets("honest"), "")
		w.gives(w.gets("honest"), "")
		evades(w)
		w.lasts(1, "honest")
		if found := w.dispatcher.Rechecks(); len(found.Differ) != 1 || found.Differ[0].Workers[0] != "liar" || w.schedule.rechecking != 0 {
			t.Errorf("%s: found %+v", name, found)
		}
	}
}

// TestLostRecheck: a match that is played again is given three times to a worker that fails to play
// it, or does not hear of it, but not to one that gives it back, is gone or plays nothing for a time. It
// waits for one that plays something else.
func TestLostRecheck(t *testing.T) {
	for name, one := range map[string]struct {
		tries int
		loses func(w *world, give Give)
	}{
		"fails":     {maxTries, func(w *world, give Give) { w.gives(give, "no memory") }},
		"hears not": {maxTries, func(w *world, give Give) { w.letsGo("again") }},
		"gives back": {1, func(w *world, give Give) {
			w.dispatcher.Hear("again", fleet.Beat{Back: []fleet.Back{{Job: give.ID}}}, w.now)
		}},
		"leaves":      {1, func(w *world, give Give) { w.dispatcher.Hear("again", fleet.Beat{Leaving: true}, w.now) }},
		"at the last": {maxTries, func(w *world, give Give) {}},
	} {
		w := plainWorld(t, 1)
		w.schedule.sample = recheck.NewSample(1, w.random.Float64)
		joins(w.dispatcher, "first", "first", "", w.now)
		joins(w.dispatcher, "again", "again", "", w.now)
		w.gives(w.gets("first"), "")
		for n := range one.tries {
			give := w.gets("again")
			if name == "at the last" {
				w.gives(give, []string{"no memory", "no memory", ""}[n])
			} else {
				one.loses(w, give)
			}
		}
		found := w.dispatcher.rechecks
		if isSame := name == "at the last"; found.Same != map[bool]int{true: 1}[isSame] || found.Skipped != 1-found.Same || w.schedule.rechecking != 0 {
			t.Errorf("%s: found %+v", name, found)
		}
		if m := w.dispatcher.members["again"]; m.isThere() && len(w.asks("again")) > 0 {
			t.Errorf("%s: it is given the match once more", name)
		}
	}
	w := plainWorld(t, 2)
	w.schedule.sample = recheck.NewSample(1, w.random.Float64)
	joins(w.dispatcher, "first", "first", "", w.now)
	joins(w.dispatcher, "again", "again", "", w.now)
	other := w.gets("again")
	w.gives(w.gets("first"), "")
	w.lasts(2*int(notStarted/time.Second), "first", "again")
	w.gives(other, "") // which "first" is to play again
	w.lasts(int(notStarted/time.Second)-2, "first", "again")
	if n := w.dispatcher.rechecks.Skipped; n != 0 {
		t.Errorf("%d matches are given up while their worker plays something else", n)
	}
	w.gives(w.gets("again"), "")
	w.lasts(3, "first", "again")
	if found := w.dispatcher.rechecks; found.Skipped != 1 || found.Same != 1 {
		t.Errorf("found %+v, expected that a worker that plays nothing is not waited for", found)
	}
	w = plainWorld(t, 1)
	w.schedule.sample = recheck.NewSample(1, w.random.Float64)
	joins(w.dispatcher, "first", "first", "", w.now)
	joins(w.dispatcher, "again", "again", "", w.now)
	w.gives(w.gets("first"), "")
	w.dispatcher.Hear("again", fleet.Beat{Leaving: true}, w.now)
	if w.lasts(1, "first"); w.dispatcher.rechecks.Skipped != 1 {
		t.Error("a worker that is gone is waited for")
	}
}
