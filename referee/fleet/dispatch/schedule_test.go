package dispatch

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// What a worker of a world is like.
const (
	honest  = iota // it may be slow, silent for a time, cut off, or killed
	grabber        // it takes jobs and names none
	hog            // it takes jobs and names them for ever
	liar           // its records are not valid
)

// world is a fleet whose clock is the test's. A step is a tenth of a second.
type world struct {
	t          *testing.T
	random     *rand.Rand
	now        time.Time
	dispatcher *Dispatcher
	schedule   *Schedule
	fixtures   []arena.Fixture
	takes      []time.Duration // of each match
	poison     map[int]bool    // matches that kill whoever plays them
	workers    []*simulated
	stream     []storedRecord // that have not been collected
	number     uint64         // of the last stored record
	lag        int            // steps between collections
	records    map[int]record.Record
	given      map[int]map[string]bool // the workers that were given a match
	names      int
}

type storedRecord struct {
	from   string
	job    string
	i      int
	r      record.Record
	number uint64
	valid  bool
}

// simulated is a worker of a world.
type simulated struct {
	id     string
	kind   int
	keys   []string
	slots  int
	slow   int // how much longer bots compute than on others, times ten
	gone   bool
	silent time.Time // until then
	cuts   int       // replies may be lost so often
	jobs   map[string]*simulatedJob
	idle   map[int]bool   // slots that have asked
	last   map[int]string // jobs that they were given last
	stored uint64
}

type simulatedJob struct {
	give Give
	slot int
	left time.Duration // of the first match that is not over
	next int
}

const key = "a language"

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1e9, 0), poison: make(map[int]bool), records: make(map[int]record.Record), given: make(map[int]map[string]bool)}
	packages := map[string]*program.Package{"6": {}, "7": {Needs: []program.Ability{{Key: key, Text: key}}}}
	w.dispatcher = New(Config{
		Version: "test", Silence: fleet.LostAfter, Late: LateAfter, Own: "own", Packages: packages, Chance: w.random.Float64,
		NewName: func() string { w.names++; return fmt.Sprint("job", w.names) },
	})
	w.schedule = w.dispatcher.Begin()
	w.fixtures = limited(60+w.random.IntN(100), time.Second)
	for i := range w.fixtures {
		if w.random.IntN(3) == 0 {
			w.fixtures[i].Seats[0].Digest = "7"
		}
		took := time.Duration(w.random.IntN(900)) * time.Millisecond
		if w.random.IntN(30) == 0 {
			took = time.Duration(w.random.IntN(90)) * time.Second
		}
		w.takes = append(w.takes, took)
	}
	w.dispatcher.config.Controls, w.dispatcher.config.ControlShare = limited(len(w.fixtures)+1, time.Second)[len(w.fixtures):], 0.02
	w.takes = append(w.takes, 500*time.Millisecond)
	if seed%3 == 0 {
		w.dispatcher.calibration = slices.Repeat(w.dispatcher.config.Controls, 2)
	}
	for range w.random.IntN(3) {
		w.poison[w.random.IntN(len(w.fixtures))] = true
	}
	return w
}

// step is one event after another of the same tenth of a second.
func (w *world) step(n int) {
	w.now = w.now.Add(fleet.BeatEvery / 10)
	for _, s := range slices.Clone(w.workers) {
		if !s.gone {
			w.play(s, n)
			w.deliver()
			w.check()
		}
	}
	if w.lag == 0 {
		w.lag = w.random.IntN(20)
		w.collect()
	} else {
		w.lag--
	}
	if n%10 == 0 {
		w.schedule.Tick(w.now)
	}
	w.deliver()
	w.check()
}

// join adds a worker.
func (w *world) join(kind int, keys ...string) {
	w.names++
	s := &simulated{
		id: fmt.Sprint("worker", w.names), kind: kind, keys: keys, slots: 1 + w.random.IntN(4), slow: 3 + w.random.IntN(30), cuts: 1,
		jobs: make(map[string]*simulatedJob), idle: make(map[int]bool), last: make(map[int]string),
	}
	w.workers = append(w.workers, s)
	w.hello(s)
}

func (w *world) hello(s *simulated) {
	if why := w.dispatcher.Hello(s.id, "", "", fleet.Hello{Protocol: fleet.Protocol, Name: s.id, Version: "test", Slots: s.slots, Abilities: s.keys}, w.now).Refused; why != "" {
		s.gone = true
		return
	}
	clear(s.idle)
}

// play has a worker do what it does.
func (w *world) play(s *simulated, n int) {
	if w.now.Before(s.silent) {
		return
	}
	for id, j := range s.jobs {
		switch s.kind {
		case grabber:
			delete(s.jobs, id)
		case liar:
			w.store(s, j, false)
			delete(s.jobs, id)
		case honest:
			w.playJob(s, id, j)
		}
		if s.gone {
			return
		}
	}
	if n%10 == 0 {
		b := fleet.Beat{Busy: len(s.jobs), Stored: s.stored}
		for id := range s.jobs {
			b.Jobs = append(b.Jobs, id)
		}
		o := w.dispatcher.Hear(s.id, b, w.now)
		for _, id := range o.End {
			delete(s.jobs, id)
		}
		switch {
		case o.Refused != "":
			s.gone = true
			if s.kind == honest {
				w.t.Errorf("honest %s is dropped: %s", s.id, o.Refused)
			}
			return
		case !o.Known:
			w.hello(s)
		}
	}
	for slot := range s.slots {
		busy := false
		for _, j := range s.jobs {
			busy = busy || j.slot == slot
		}
		if !busy && !s.idle[slot] {
			s.idle[slot] = true
			w.dispatcher.Take(s.id, fleet.Take{Slot: slot, Last: s.last[slot]}, fmt.Sprint(s.id, " ", slot), w.now)
			w.deliver()
		}
	}
	if s.kind == honest && s.cuts > 0 {
		switch w.random.IntN(400) {
		case 0: // it is stopped, or its line is
			s.silent, s.cuts = w.now.Add(time.Duration(w.random.IntN(30))*time.Second), s.cuts-1
		case 1:
			w.kill(s)
		}
	}
}

// kill ends a worker without a word. Another takes its place.
func (w *world) kill(s *simulated) {
	s.gone = true
	w.join(honest, s.keys...)
}

// playJob plays on with a job, for a tenth of a second.
func (w *world) playJob(s *simulated, id string, j *simulatedJob) {
	for j.left -= fleet.BeatEvery / 10; j.left <= 0; {
		if w.poison[j.give.Fixtures[j.next].Repetition-1] {
			w.kill(s)
			return
		}
		w.store(s, j, true)
		if j.next++; j.next == len(j.give.Fixtures) {
			delete(s.jobs, id)
			return
		}
		j.left += w.takes[j.give.Fixtures[j.next].Repetition-1]
	}
}

// store stores the record of a match.
func (w *world) store(s *simulated, j *simulatedJob, valid bool) {
	w.number++
	s.stored = w.number
	r := j.give.Fixtures[j.next].Record()
	r.WallUS = w.takes[j.give.Fixtures[j.next].Repetition-1].Microseconds()
	r.Seats[0].CPUUS = 1000 * int64(s.slow)
	w.stream = append(w.stream, storedRecord{s.id, j.give.ID, j.give.At[j.next], r, w.number, valid})
}

// collect takes what has been stored.
func (w *world) collect() {
	for _, one := range w.stream {
		m := w.dispatcher.members[one.from]
		if m.dropped != "" {
			continue
		}
		err := errors.New("it lies")
		if one.valid {
			err = w.schedule.take(m, one.job, one.i, one.r, w.now)
		}
		if err != nil {
			w.dispatcher.drop(m, err.Error(), w.now)
		}
	}
	w.stream = nil
	w.schedule.Progress(w.number)
	for _, f := range w.schedule.over {
		if old, ok := w.records[f.N]; ok {
			w.t.Errorf("match %d has two records: %+v and %+v", f.N, old, f.Record)
		}
		w.records[f.N] = f.Record
	}
	w.schedule.over = nil
}

// deliver brings jobs to the slots that have asked for them.
func (w *world) deliver() {
	for _, g := range w.dispatcher.Decide(w.now).Gives {
		id, slot, _ := strings.Cut(g.Reply, " ")
		i := slices.IndexFunc(w.workers, func(s *simulated) bool { return s.id == id })
		s := w.workers[i]
		var n int
		_, _ = fmt.Sscan(slot, &n)
		s.idle[n] = false
		for _, f := range g.Fixtures {
			if w.given[f.Repetition-1] == nil {
				w.given[f.Repetition-1] = make(map[string]bool)
			}
			w.given[f.Repetition-1][id] = true
		}
		if s.gone || g.ID == "" {
			continue
		}
		if s.cuts > 0 && w.random.IntN(50) == 0 { // the answer is lost
			s.cuts--
			continue
		}
		if s.kind != grabber { // which says that it was given nothing
			s.last[n] = g.ID
		}
		s.jobs[g.ID] = &simulatedJob{give: g, slot: n, left: w.takes[g.Fixtures[0].Repetition-1]}
	}
}

// check fails the test if a slot waits beside a job that it could play, or if a worker and
// its jobs do not agree on what it holds.
func (w *world) check() {
	for _, m := range w.dispatcher.order {
		for j, h := range m.holds {
			if j.had[m] != h || len(j.open()) == 0 || w.schedule.jobs[j.id] != j {
				w.t.Fatalf("%s: job %s with %d matches is held as %+v, and noted as %+v", m.id, j.id, len(j.open()), h, j.had[m])
			}
		}
	}
	for _, t := range w.dispatcher.idle {
		if t.over || len(t.member.holds) >= maxHeld*t.member.slots || w.dispatcher.measures(t.member) {
			continue
		}
		for _, j := range w.schedule.jobs {
			tainted := slices.ContainsFunc(j.list, func(e *Match) bool { return len(e.lostBy) > 0 })
			if j.isWaiting() && t.member.holds[j] == nil && (j.only == nil && t.member.can(j.list[0].class.needs) || j.only == t.member) && (!tainted || w.now.Sub(j.since) > fleet.LostAfter+2*fleet.BeatEvery) {
				w.t.Fatalf("%s waits beside job %s of %d matches", t.member.id, j.id, len(j.list))
			}
		}
	}
}

// TestLostAnswer: a job whose answer was lost is given once more to the slot that asks past it,
// and costs nobody anything; a worker that asks past it again and again is found silent.
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
		if len(given) != 1 || given[0].ID != first.ID || len(given[0].Fixtures) != 1 || m.strikes > 0 || len(m.holds) != 1 {
			t.Fatalf("found %+v, %d strikes and %d jobs that it holds, expected job %s again", given, m.strikes, len(m.holds), first.ID)
		}
	}
	w.dispatcher.Take("lossy", fleet.Take{Last: first.ID}, "reply", w.now)
	if given := w.dispatcher.Decide(w.now).Gives; len(given) > 0 {
		t.Errorf("found %+v for one that has had it, expected nothing", given)
	}
	w.dispatcher.Hear("lossy", fleet.Beat{}, w.now.Add(w.dispatcher.config.Silence+time.Second))
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
	if n < 2 || n > maxUnproven {
		t.Errorf("a job that is held up and that nobody finished was given to %d more workers, expected 2 to %d", n, maxUnproven)
	}
}

// TestEarlyExcluded: a record that was stored before the coordinator began counts, but not one of a
// worker that is excluded, or that was not given the match.
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
		s.Take(&Result{From: Giver{ID: "gone"}, Job: "old", Early: true, Proven: n != 1, Record: r}, now)
		if got := len(s.TakeOver()); got != n/2 {
			t.Errorf("found %d records after the %d. of worker %s, expected %d", got, n+1, worker, n/2)
		}
	}
}

// TestSchedule: whatever workers do, each match is recorded once, none is lost, only
// those have an error that kill who plays them, no honest worker is dropped, and no slot
// waits beside a job that it could play.
func TestSchedule(t *testing.T) {
	for seed := range uint64(testlevel.Times(20, 30, 500, 5000)) {
		w := newWorld(t, seed)
		w.join(honest, key)
		for range w.random.IntN(5) {
			w.join(honest, []string{key}[:w.random.IntN(2)]...)
		}
		for range w.random.IntN(4) {
			w.join(1+w.random.IntN(3), key)
		}
		drawn, steps := 0, 0
		for ; len(w.records) < len(w.fixtures) && steps < 40_000; steps++ {
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
			if w.poison[n] && r.Error == "" || r.Error != "" && len(w.given[n]) < maxTries {
				t.Errorf("match %d: found error %q, it kills who plays it: %v, %d were given it", n, r.Error, w.poison[n], len(w.given[n]))
			}
		}
		if len(w.records) != len(w.fixtures) {
			for _, j := range w.schedule.jobs {
				t.Logf("job %s: waiting %v since %s, needs %q, %d left, held by %v", j.id, j.isWaiting(), w.now.Sub(j.since), j.list[0].class.needs, len(j.open()), j.had)
				for _, e := range j.list {
					t.Logf("  match %d poison %v lostBy %v", e.n, w.poison[e.n], e.lostBy)
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
		for _, s := range w.workers {
			if m := w.dispatcher.members[s.id]; m != nil && m.scale != 0 {
				want := min(2, max(0.5, float64(1000*s.slow)/middle(w.dispatcher.reference[0])))
				if math.Abs(want-1) < 0.05 {
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
