package dispatch

import (
	"slices"

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
		if isCheat(d.Workers[0]) == isCheat(d.Workers[1]) || d.Alone {
			w.t.Errorf("found %+v, expected no difference between two that play alike", d)
		}
	}
	var want struct{ all, skipped, same, unsteady, differ int }
	for n, r := range w.records {
		if r.Error != "" {
			continue
		}
		want.all++
		switch first := w.from[n]; {
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
