package dispatch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/program"
	"umpire/referee/record"
)

// What a worker of a world is like.
const (
	honest  = iota // it may be slow, silent for a time, cut off, or killed
	grabber        // it takes jobs and names none
	hog            // it takes jobs and names them for ever
	liar           // its records are not valid
	cheat          // its records are valid, and not those of the matches
	broken         // umpire fails at everything there
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
	given      map[int]map[string]int // the workers that were given a match, and of which kind they are
	names      int
	failing    map[int]int      // how often umpire fails to play a match again
	failed     map[int]int      // how often it has
	unsteady   map[int]bool     // matches that go differently each time
	givers     map[int]string   // of the records
	again      map[int][]string // who was given matches to play again
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
	steady bool      // it is never silent, and ends only by what it plays
	fails  int       // how often umpire fails to play a match there, still
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
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1e9, 0), poison: make(map[int]bool), records: make(map[int]record.Record), given: make(map[int]map[string]int)}
	w.failing, w.failed, w.unsteady = make(map[int]int), make(map[int]int), make(map[int]bool)
	w.givers, w.again = make(map[int]string), make(map[int][]string)
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
	if w.random.IntN(2000) == 0 { // the coordinator was stopped
		w.now = w.now.Add(time.Duration(w.random.IntN(600)) * time.Second)
	}
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
	for _, t := range w.dispatcher.idle {
		if jobs := w.schedule.waitingFor(t.member, w.now); jobs > 0 && n%10 == 0 && !t.over && !t.member.isUnmeasured(w.dispatcher) {
			w.t.Fatalf("%s is told of %d jobs that wait, and a slot of it waits", t.member.id, jobs)
		}
	}
}

// join adds a worker.
func (w *world) join(kind int, keys ...string) {
	w.names++
	s := &simulated{
		id: fmt.Sprint("worker", w.names), kind: kind, keys: keys, slots: 1 + w.random.IntN(4), slow: 3 + w.random.IntN(30), cuts: 1, fails: 1,
		jobs: make(map[string]*simulatedJob), idle: make(map[int]bool), last: make(map[int]string),
	}
	w.workers = append(w.workers, s)
	w.hello(s)
}

func (w *world) hello(s *simulated) {
	if why := w.dispatcher.Hello(s.id, fleet.Origin{}, fleet.Hello{Protocol: fleet.Protocol, Name: s.id, Version: "test", Slots: s.slots, Abilities: s.keys}, w.now).Refused; why != "" {
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
		case honest, cheat, broken:
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
	if s.kind == honest && s.cuts > 0 && !s.steady {
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
	w.workers[len(w.workers)-1].steady = s.steady
}

// playJob plays on with a job, for a tenth of a second.
func (w *world) playJob(s *simulated, id string, j *simulatedJob) {
	if j.left -= fleet.BeatEvery / 10; s.kind == broken {
		j.left = 0
	}
	for j.left <= 0 {
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
	n := r.Repetition - 1
	switch {
	case w.unsteady[n]:
		r.Seats[0].Place = int(w.number)
	case s.kind == cheat:
		r.Seats[0].Place = -1
	}
	switch isAgain := w.isRecheck(j.give.ID); {
	case isAgain && w.failed[n] < w.failing[n]:
		w.failed[n]++
		r.Error = "no memory"
	case s.kind == broken:
		r.Error, r.WallUS = "no memory", 0
	case !isAgain && s.fails > 0 && w.random.IntN(20) == 0:
		s.fails--
		r.Error = "no memory"
	}
	w.stream = append(w.stream, storedRecord{s.id, j.give.ID, j.give.At[j.next], r, w.number, valid})
}

// isRecheck reports whether a match is played again in a job.
func (w *world) isRecheck(job string) bool {
	j := w.schedule.jobs[job]
	return j != nil && j.only != nil && !j.list[0].control
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
		w.keep(one.from)
	}
	w.stream = nil
	w.schedule.Progress(w.number, w.now)
	w.keep("")
}

// keep keeps the records that are there, which a worker has given.
func (w *world) keep(from string) {
	for _, f := range w.schedule.TakeOver() {
		if old, ok := w.records[f.N]; ok {
			w.t.Errorf("match %d has two records: %+v and %+v", f.N, old, f.Record)
		}
		w.records[f.N], w.givers[f.N] = f.Record, from
	}
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
				w.given[f.Repetition-1] = make(map[string]int)
			}
			w.given[f.Repetition-1][id] = s.kind
			if w.isRecheck(g.ID) {
				w.again[f.Repetition-1] = append(w.again[f.Repetition-1], id)
			}
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
	if w.now.Sub(w.dispatcher.awake) > fleet.BeatEvery { // it was stopped until now
		return
	}
	var waiting []*job
	for _, j := range w.schedule.jobs {
		if j.isWaiting() {
			waiting = append(waiting, j)
		}
	}
	for _, t := range w.dispatcher.idle {
		if len(waiting) == 0 || t.over || len(t.member.holds) >= maxHeld*t.member.slots || t.member.isUnmeasured(w.dispatcher) {
			continue
		}
		for _, j := range waiting {
			if t.member.holds[j] != nil || j.only != t.member && (j.only != nil || !t.member.can(j.list[0].class.needs)) {
				continue
			}
			isNew := w.now.Sub(j.since) <= fleet.LostAfter+2*fleet.BeatEvery
			if j.only == nil && (j.had[t.member] != nil && j.isPlayed(nil) || slices.ContainsFunc(j.list, func(e *Match) bool {
				return isNew && e.isLost() || e.isTried(t.member) && (isNew || e.isUntried(w.schedule, w.now.Add(-fleet.BeatEvery)))
			})) {
				continue
			}
			w.t.Fatalf("%s waits beside job %s of %d matches", t.member.id, j.id, len(j.list))
		}
	}
}
