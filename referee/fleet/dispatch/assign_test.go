package dispatch

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/program"
)

// TestInTurn: a worker that can play all gets matches in the order in which they were drawn,
// whatever they need; a share of what it gets are control matches, and a worker is told of no
// work that is another's alone. One that can play nothing of what waits gets no control matches.
func TestInTurn(t *testing.T) {
	chance, names := 0.5, 0
	d := New(Config{
		Version: "test", Silence: fleet.LostAfter, Late: LateAfter, Controls: limited(10, time.Second)[9:], ControlShare: 0.1,
		Packages: map[string]*program.Package{"6": {}, "7": {Needs: []program.Ability{{Key: key, Text: key}}}},
		Chance:   func() float64 { return chance }, NewName: func() string { names++; return fmt.Sprint("job", names) },
	})
	now := time.Unix(1e9, 0)
	s := d.Begin()
	fixtures := limited(6, time.Hour)
	for i := range fixtures {
		fixtures[i].Seats[0].Digest = []string{"6", "7"}[i%2]
		s.Enter(NewMatch(i, fixtures[i]), now)
	}
	s.EndEntries(now)
	for _, id := range []string{"able", "other"} {
		d.Hello(id, fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: id, Start: id, Version: "test", Slots: 8, Abilities: []string{key}}, now)
	}
	var got []int
	for slot := range 6 {
		d.Take("able", fleet.Take{Slot: slot}, "", now)
		for _, give := range d.Decide(now).Gives {
			got = append(got, s.jobs[give.ID].list[0].n)
		}
	}
	if want := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("found the matches %v in turn, expected %v", got, want)
	}

	able := d.members["able"]
	s.again(s.newJob([]*Match{NewMatch(6, fixtures[0])}, able), now)
	d.Take("other", fleet.Take{}, "", now)
	if gives := d.Decide(now).Gives; len(gives) > 0 || d.asked != 1 {
		t.Errorf("another worker was given %+v; found %d slots for which no job is looked for again, expected 1", gives, d.asked)
	}
	if mine, others := s.waitingFor(able, now), s.waitingFor(d.members["other"], now); mine != 1 || others != 0 {
		t.Errorf("%d and %d jobs wait for the two, expected 1 and 0", mine, others)
	}
	chance = 0.05
	d.Take("able", fleet.Take{Slot: 6}, "", now)
	gives := d.Decide(now).Gives
	checked := func(job string) bool { _, isChecked := s.Awaits(job); return isChecked }
	if len(gives) != 1 || gives[0].Fixtures[0].Repetition != 10 || !checked(gives[0].ID) {
		t.Errorf("found %+v, expected a control match for the worker that has work", gives)
	}
}

// TestLostIsChecked: a job that was lost is not given once more, as if it had never been given, to
// the worker that lost it, before others had time to take it.
func TestLostIsChecked(t *testing.T) {
	w := newWorld(t, 1)
	w.dispatcher.config.Controls, w.dispatcher.calibration = nil, nil
	w.schedule.add(w.now, NewMatch(0, limited(1, time.Second)[0]))
	joins(w.dispatcher, "a", "a", "", w.now)
	take := func() (given []Give) {
		w.dispatcher.Take("a", fleet.Take{}, "reply", w.now)
		return w.dispatcher.Decide(w.now).Gives
	}
	if given := take(); len(given) != 1 {
		t.Fatalf("found %+v, expected a job", given)
	}
	w.letsGo("a")
	if given := take(); len(given) > 0 {
		t.Errorf("found %+v, expected nothing", given)
	}
	w.lasts(int(w.dispatcher.config.Silence/time.Second)+1, "a")
	if given := w.dispatcher.Decide(w.now).Gives; len(given) != 1 {
		t.Errorf("found %+v when nobody else has taken it, expected the job", given)
	}
}
