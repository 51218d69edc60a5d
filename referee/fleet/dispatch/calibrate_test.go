package dispatch

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/status"
)

// TestScales: others are compared with the own worker, whoever is measured first; a
// worker on another machine is measured anew; and a record whose budgets were others than the
// worker was to give is refused.
func TestScales(t *testing.T) {
	w := newWorld(t, 1)
	fixtures := limited(4, time.Second)
	w.dispatcher.config.Controls, w.dispatcher.calibration, w.dispatcher.config.OwnPlays = nil, limited(3, time.Second), true
	for i, f := range fixtures {
		w.schedule.add(w.now, NewMatch(i, f))
	}
	var given Give
	take := func(id string, slot int) bool {
		w.dispatcher.Take(id, fleet.Take{Slot: slot}, id, w.now)
		gives := w.decided()
		if len(gives) == 0 {
			return false
		}
		given = gives[0]
		return true
	}
	play := func(id string, given Give, cpu ...int64) {
		for i, f := range given.Fixtures {
			r := f.Record()
			if r.Seats[0].CPUUS = cpu[i]; cpu[i] == 0 {
				r.Error = "no memory"
			}
			if err := w.schedule.take(w.dispatcher.members[id], given.ID, given.At[i], r, w.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	// measure has a worker play what it is measured by as often as it is to, with some CPU time
	// each; 0: umpire fails.
	measure := func(id string, cpu ...int64) {
		for range 4 {
			if !take(id, 0) || len(given.Fixtures) != 3 {
				t.Fatalf("%s is not measured", id)
			}
			play(id, given, cpu...)
		}
	}
	scaleOf := func(id string) float64 { return w.dispatcher.members[id].scale }
	for _, id := range []string{"own", "slow", "fast", "failing"} {
		joins(w.dispatcher, id, id, "", w.now)
	}
	for id, cpu := range map[string][]int64{"slow": {150, 300, 4000}, "fast": {10, 20, 100}, "failing": {0, 0, 0}} {
		measure(id, cpu...)
		if take(id, 0) || scaleOf(id) != 0 {
			t.Fatalf("%s plays, with scale %v, before it can be compared", id, scaleOf(id))
		}
	}
	w.dispatcher.part(w.dispatcher.members["failing"], status.Silent, "", true, w.now) // until it is there again
	measure("own", 100, 200, 1000)
	for id, want := range map[string]float64{"own": 1, "slow": 1.5, "fast": 0.5, "failing": 1} {
		if got := scaleOf(id); got != want {
			t.Errorf("%s: found scale %v, expected %v", id, got, want)
		}
	}
	out := w.dispatcher.Decide(w.now)
	for _, want := range []string{
		"umpire: worker failing can't be compared, ", "umpire: worker slow needs 1.50 times the CPU time, and its budgets are multiplied by 1.5\n",
		"umpire: worker fast needs 0.10 times the CPU time, and its budgets are multiplied by 0.5, the least there is: ",
	} {
		if !strings.Contains(strings.Join(out.Notes, ""), want) {
			t.Errorf("found notes %q, expected %q", out.Notes, want)
		}
	}
	gives := out.Gives
	given = gives[slices.IndexFunc(gives, func(g Give) bool { return strings.HasPrefix(g.Reply, "slow") })]
	if f := given.Fixtures[0]; f.Scale != 1.5 || f.Record().Scale != 1.5 || !slices.ContainsFunc(fixtures, func(n arena.Fixture) bool { return n.Record().ID == f.Record().ID }) {
		t.Errorf("found a fixture with scale %v, or another id", f.Scale)
	}
	r := given.Fixtures[0].Record()
	r.Scale = 2
	if err := w.schedule.take(w.dispatcher.members["slow"], given.ID, 0, r, w.now); err == nil || err.Error() != "scale: found 2, expected 1.5" {
		t.Errorf("found %v", err)
	}
	w.dispatcher.Hello("slow", fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Start: "again", Name: "slow", Version: "test", Slots: 1}, w.now)
	if scaleOf("slow") != 0 {
		t.Error("a worker that has started anew, on whatever machine, keeps its scale")
	}
	if err := w.schedule.take(w.dispatcher.members["slow"], given.ID, 0, given.Fixtures[0].Record(), w.now); err != nil {
		t.Error(errors.Join(errors.New("what it has played before is refused"), err))
	}
}

// TestMiddleWorker: where this machine does not play, one worker that says that its bots need much halves no
// other's budgets once there are two more, and is compared with them itself; one where umpire fails is no measure.
func TestMiddleWorker(t *testing.T) {
	w := plainWorld(t, 1)
	w.dispatcher.calibration = limited(1, time.Second)
	for _, one := range []struct {
		id  string
		cpu int64
	}{{"broken", 0}, {"liar", 100}, {"a", 10}, {"b", 10}, {"late", 20}} {
		joins(w.dispatcher, one.id, one.id, "", w.now)
		for range leastOften {
			r := limited(1, time.Second)[0].Record()
			r.Seats[0].CPUUS = one.cpu
			w.dispatcher.measured(w.dispatcher.members[one.id], 0, &r)
		}
	}
	for id, want := range map[string]float64{"broken": 1, "liar": 2, "a": 1, "b": 1, "late": 2} {
		if got := w.dispatcher.members[id].scale; got != want {
			t.Errorf("%s: found scale %v, expected %v", id, got, want)
		}
	}
}

// TestMiddle: the median is that of what is not 0.
func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{7, 0, 0, 0}, 7}, {[]float64{7, 0, 5}, 6}, {[]float64{9, 1, 0, 2}, 2}} {
		if got := middle(c.list); got != c.want {
			t.Errorf("%v: found %v, expected %v", c.list, got, c.want)
		}
	}
}
