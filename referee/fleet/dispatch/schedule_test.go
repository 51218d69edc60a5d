package dispatch

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// TestLostAnswer: a job whose answer was lost is given once more to the slot that asks past it,
// and costs nobody anything, but not so often that it costs the coordinator much; a worker that asks past
// it again and again is found silent.
func TestLostAnswer(t *testing.T) {
	w := newWorld(t, 1)
	w.dispatcher.config.Controls, w.dispatcher.calibration = nil, nil
	w.schedule.add(w.now, NewMatch(0, limited(1, time.Second)[0]))
	joins(w.dispatcher, "lossy", "lossy", "", w.now)
	m := w.dispatcher.members["lossy"]
	var first Give
	for n := range 100 {
		w.dispatcher.Take("lossy", fleet.Take{Last: "another"}, "reply", w.now)
		given := w.dispatcher.Decide(w.now).Gives
		if n == 0 && len(given) > 0 {
			first = given[0]
		}
		if n%2 > 0 { // the answer may be on its way
			w.dispatcher.awake, w.now = w.now, w.now.Add(fleet.BeatEvery)
			if len(given) != 1 || given[0].ID != "" || given[0].Reply != "reply" {
				t.Fatalf("found %+v for one that asks again immediately, expected that there is none for it", given)
			}
			continue
		}
		if len(given) != 1 || given[0].ID != first.ID || len(given[0].Fixtures) != 1 || m.strikes > 0 || len(m.holds) != 1 {
			t.Fatalf("found %+v, %d strikes and %d jobs that it holds, expected job %s again", given, m.strikes, len(m.holds), first.ID)
		}
	}
	w.dispatcher.Take("lossy", fleet.Take{Last: first.ID}, "reply", w.now)
	if given := w.dispatcher.Decide(w.now).Gives; len(given) > 0 {
		t.Errorf("found %+v for one that has had it, expected nothing", given)
	}
	w.letsGo("lossy")
	if m.strikes != 1 {
		t.Errorf("found %d strikes, expected 1", m.strikes)
	}
}

// TestLostSecond: a job that is held up goes to another worker if the second one never
// heard of it, or is gone, but not without end.
func TestLostSecond(t *testing.T) {
	w := newWorld(t, 1)
	w.dispatcher.config.Controls, w.dispatcher.calibration = nil, nil
	w.schedule.add(w.now, NewMatch(0, limited(1, time.Second)[0]))
	w.schedule.EndEntries(w.now)
	var slow []string // the jobs of a worker that says that it plays them
	take := func(id string) (given []Give) {
		joins(w.dispatcher, id, id, "", w.now)
		w.dispatcher.Take(id, fleet.Take{}, "reply", w.now)
		for range 2 * w.dispatcher.config.Silence / fleet.BeatEvery {
			given = append(given, w.dispatcher.Decide(w.now).Gives...)
			if id == "slow" && len(given) > 0 {
				slow = []string{given[0].ID}
			}
			w.now = w.now.Add(fleet.BeatEvery)
			w.dispatcher.Hear("slow", fleet.Beat{Jobs: slow}, w.now)
			if len(given) == 0 {
				w.dispatcher.Hear(id, fleet.Beat{}, w.now)
			}
			w.schedule.Tick(w.now)
		}
		return given
	}
	if given := take("slow"); len(given) != 1 {
		t.Fatalf("found %+v, expected a job", given)
	}
	n := 0
	for name := "second"; len(take(name)) > 0; n++ { // it is silent then
		name += "+"
	}
	if n < 2 || n > maxLosses {
		t.Errorf("a job that is held up and that nobody finished was given to %d more workers, expected 2 to %d", n, maxLosses)
	}
}

// TestEarlyExcluded: a record that was stored before the coordinator began counts, but not one of a
// worker that is excluded, or that was not given the match. One that lies excludes its worker.
func TestEarlyExcluded(t *testing.T) {
	now, f := time.Unix(1e9, 0), limited(1, time.Second)[0]
	d := New(Config{
		Version: "test", Silence: fleet.LostAfter, Excluded: []string{"liar"}, Began: now, Resumed: true,
		Chance: func() float64 { return 0.5 }, NewName: func() string { return "new" },
	})
	s := d.Begin()
	s.Enter(NewMatch(0, f), now)
	s.EndEntries(now)
	for n, worker := range []string{"liar", "honest", "honest"} {
		r := f.Record()
		r.Worker = worker
		s.Take(&Result{From: Giver{ID: "gone", Name: worker}, Job: "old", Early: true, Proven: n != 1, Record: r}, now)
		if got := len(s.TakeOver()); got != n/2 {
			t.Errorf("found %d records after the %d. of worker %s, expected %d", got, n+1, worker, n/2)
		}
	}
	for n, worker := range []string{"", "liar", "another", "honest", "honest"} {
		s.Take(&Result{From: Giver{ID: worker, Name: worker}, Job: "old", Early: true, Proven: n != 2, Err: errors.New("it lies")}, now)
		if out := d.Decide(now).Excluded; len(out) != map[int]int{3: 1}[n] {
			t.Errorf("found %q excluded after the %d. lie, of worker %q", out, n+1, worker)
		}
	}
	if why := d.Hello("new", fleet.Origin{Key: "honest"}, fleet.Hello{Version: "test"}, now).Refused; !strings.Contains(why, "has been excluded") {
		t.Errorf("a worker with the excluded one's key: found %q", why)
	}
}

// TestSchedule: whatever workers do, each match is recorded once, none is lost, only
// those have an error that kill who plays them, no honest worker is dropped, and no slot
// waits beside a job that it could play. Of every other world each match is played again; see
// checkRechecks.
func TestSchedule(t *testing.T) {
	for seed := range uint64(testlevel.Times(20, 30, 500, 5000)) {
		w := newWorld(t, seed)
		w.join(honest, key)
		w.workers[0].steady = seed%3 > 0
		for range w.random.IntN(5) {
			w.join(honest, []string{key}[:w.random.IntN(2)]...)
		}
		for range w.random.IntN(4) {
			w.join(1+w.random.IntN([]int{4, 5, 5}[seed%3]), key) // broken ones beside one that is steady
		}
		if seed%2 == 0 {
			w.recheck(seed%4 == 0)
		}
		drawn, steps := 0, 0
		for ; !w.schedule.IsSettled() && steps < 40_000; steps++ {
			if drawn < len(w.fixtures) && w.schedule.under < w.schedule.most() {
				var list []*Match
				for range min(1+w.random.IntN(4), len(w.fixtures)-drawn) {
					list = append(list, NewMatch(drawn, w.fixtures[drawn]))
					drawn++
					if drawn < len(w.fixtures) && w.fixtures[drawn].Seats[0].Digest != list[0].f.Seats[0].Digest {
						break
					}
				}
				w.schedule.add(w.now, list...)
				w.schedule.fed = drawn == len(w.fixtures)
			}
			w.step(steps)
			if t.Failed() {
				break
			}
		}
		for n, r := range w.records {
			kinds := slices.Collect(maps.Values(w.given[n]))
			isTried := len(kinds) >= maxTries && slices.ContainsFunc(kinds, func(kind int) bool { return kind != broken })
			if w.poison[n] && r.Error == "" || r.Error != "" && !isTried {
				t.Errorf("match %d: found error %q, it kills who plays it: %v, workers of these kinds were given it: %v", n, r.Error, w.poison[n], kinds)
			}
		}
		if len(w.records) != len(w.fixtures) {
			for _, j := range w.schedule.jobs {
				t.Logf("job %s: waiting %v since %s, needs %q, %d left, held by %v", j.id, j.isWaiting(), w.now.Sub(j.since), j.list[0].class.needs, len(j.open()), j.had)
				for _, e := range j.list {
					t.Logf("  match %d poison %v tried %v", e.n, w.poison[e.n], e.tries)
				}
			}
			for _, m := range w.dispatcher.there() {
				t.Logf("%s %v holds %d kind %v", m.id, m.abilities, len(m.holds), m.proven)
			}
			t.Errorf("found %d of %d records after %s", len(w.records), len(w.fixtures), w.now.Sub(time.Unix(1e9, 0)))
		}
		if !t.Failed() && !w.schedule.IsSettled() {
			t.Error("the run is not settled when all matches have records")
		}
		if !t.Failed() && seed%2 == 0 {
			w.checkRechecks(seed%4 == 0)
		}
		for _, s := range w.workers {
			if m := w.dispatcher.members[s.id]; m != nil && m.scale != 0 {
				var times []float64
				for _, needed := range w.dispatcher.compared {
					times = append(times, middle(needed[0]))
				}
				slices.Sort(times)
				want := min(2, max(0.5, float64(1000*s.slow)/times[(len(times)-1)/2]))
				if math.Abs(want-1) < 0.05 || s.kind == broken {
					want = 1
				}
				if math.Abs(m.scale-want) > 0.0051 {
					t.Errorf("%s: found scale %v, expected %v", s.id, m.scale, want)
				}
			} else if w.dispatcher.calibration != nil && m != nil && m.proven {
				t.Errorf("%s has played a match before it was measured", s.id)
			}
		}
		w.schedule.Tick(w.now)
		maps.DeleteFunc(w.schedule.jobs, func(_ string, j *job) bool { return j.only != nil })
		if n := len(w.schedule.jobs) + len(w.schedule.pending) + w.schedule.waiting; !t.Failed() && n > 0 {
			t.Errorf("found %d jobs and matches when all are over", n)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestEarlyRefused: a record that was stored before the coordinator began does not count if umpire
// failed, its budgets were others, or it took longer than the run.
func TestEarlyRefused(t *testing.T) {
	w := plainWorld(t, 1)
	w.dispatcher.config.Began = w.now.Add(-time.Minute)
	for n, change := range []func(r *record.Record){
		func(r *record.Record) { r.Error = "no memory" },
		func(r *record.Record) { r.Scale = 2 },
		func(r *record.Record) { r.WallUS = 2 * time.Minute.Microseconds() },
		func(*record.Record) {},
	} {
		r := limited(1, time.Second)[0].Record()
		change(&r)
		w.schedule.takeEarly(nil, r, w.now)
		if got := len(w.schedule.TakeOver()); got != n/3 {
			t.Errorf("found %d records after the %d. early one, expected %d", got, n+1, n/3)
		}
	}
}

// TestUnfit: a job that was lost is for a time not given to a worker that has given no record, and one
// that somebody failed to play not to that one.
func TestUnfit(t *testing.T) {
	w := plainWorld(t, 1)
	joins(w.dispatcher, "lost", "lost", "", w.now)
	joins(w.dispatcher, "new", "new", "", w.now)
	joins(w.dispatcher, "proven", "proven", "", w.now)
	w.dispatcher.members["proven"].proven = true
	w.gets("lost")
	w.letsGo("lost")
	if gives := w.asks("new"); len(gives) > 0 {
		t.Errorf("found %+v for a worker that has given no record", gives)
	}
	w.gives(w.gets("proven"), "no memory")
	if gives := w.asks("proven"); len(gives) > 0 {
		t.Errorf("found %+v for a worker that failed to play it", gives)
	}
}

// TestKicks: the connection of a worker that is dropped ends if it goes on for a time, in which it could
// hear that. It is excluded once.
func TestKicks(t *testing.T) {
	w := plainWorld(t, 1)
	w.dispatcher.Hello("liar", fleet.Origin{Key: "liar"}, fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1}, w.now)
	w.dispatcher.Meet("liar", "hash")
	goesOn := func() int {
		w.schedule.Take(&Result{From: Giver{ID: "liar"}, Err: errors.New("it lies")}, w.now)
		return len(w.dispatcher.Decide(w.now).Kicks)
	}
	w.schedule.Take(&Result{From: Giver{ID: "liar"}, Err: errors.New("it lies")}, w.now)
	w.dispatcher.EndRemoved(fleet.Origins{"hash": {Revoked: true}}, w.now)
	if out := w.dispatcher.Decide(w.now); !slices.Equal(out.Excluded, []string{"liar"}) {
		t.Errorf("found %v excluded, expected it once", out.Excluded)
	}
	for n, want := range []int{0, 0, 1} {
		if got := goesOn(); got != want {
			t.Errorf("found %d kicks in round %d, expected %d", got, n, want)
		}
		w.now = w.now.Add(fleet.LostAfter/2 + time.Second) // it asks for no orders
	}
}

// TestRevoked: what a worker has given does not count once its key is revoked, also where it was
// dropped before.
func TestRevoked(t *testing.T) {
	for name, revoked := range map[string]bool{"revoked": true, "removed": false} {
		w := plainWorld(t, 1)
		w.dispatcher.Hello("id", fleet.Origin{Key: "lab"}, fleet.Hello{Protocol: fleet.Protocol, Version: "test", Slots: 1}, w.now)
		w.dispatcher.Meet("lab", "hash")
		w.gives(w.gets("id"), "")
		m := w.dispatcher.members["id"]
		w.dispatcher.drop(m, "it has failed", w.now)
		if ids := w.dispatcher.Keyed(); !slices.Equal(ids, []string{"id", "hash"}) {
			t.Fatalf("found keys of %v looked at", ids)
		}
		w.dispatcher.EndRemoved(fleet.Origins{"id": {Removed: true}, "hash": {Revoked: revoked}}, w.now)
		if out := w.dispatcher.Decide(w.now); slices.Equal(out.Excluded, []string{"lab"}) != revoked {
			t.Errorf("%s: found %v excluded", name, out.Excluded)
		}
	}
}

// TestAsksAgain: a slot that asks more than once is given one job, and is answered once that there is
// none for it.
func TestAsksAgain(t *testing.T) {
	w := plainWorld(t, 0)
	joins(w.dispatcher, "a", "a", "", w.now)
	w.asks("a")
	for n := range 2 {
		w.dispatcher.Take("a", fleet.Take{Over: true}, "", w.now)
		if gives := w.dispatcher.Decide(w.now).Gives; len(gives) != 1-n || n == 0 && (gives[0].ID != "" || gives[0].Reply != "a") {
			t.Errorf("found %+v when it says for the %d. time that it waits no more", gives, n+1)
		}
	}
	w.asks("a")
	w.asks("a")
	for n, f := range limited(2, time.Second) {
		w.schedule.add(w.now, NewMatch(n, f))
	}
	if gives := w.dispatcher.Decide(w.now).Gives; len(gives) != 1 {
		t.Errorf("found %+v, expected one job", gives)
	}
}

// TestBeginWithin: a record says that its match began after it was given out, and ended before now.
func TestBeginWithin(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	for said, want := range map[string]string{
		"2001-01-02T03:04:05.000Z": "2026-01-02T03:03:05.678Z", "2099-01-02T03:04:05.000Z": "2026-01-02T03:04:03.678Z",
		"2026-01-02T03:04:00.000Z": "2026-01-02T03:04:00.000Z", "2026-01-02T04:04:00+01:00": "2026-01-02T04:04:00+01:00", "": "",
	} {
		r := record.Record{Started: said, WallUS: 2e6}
		if beginWithin(&r, now.Add(-time.Minute), now); r.Started != want {
			t.Errorf("%q: found %q, expected %q", said, r.Started, want)
		}
	}
}
