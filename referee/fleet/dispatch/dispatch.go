// Package dispatch decides which worker plays which match. It is a state machine: what
// happens is told to it with the time, and what is to be done comes out as Decisions. It
// knows no server, connection, file or clock, and is not safe for concurrent use.
//
// A Dispatcher outlives its Runs, as the workers do; a Schedule is one Run. From the bottom:
//
//	decisions.go, meter.go, measure.go, needs.go  what comes out; rates; speeds; what jobs need
//	member.go     a worker, and its slots that wait
//	crew.go       the workers: who is there, who is dropped, and why
//	hello.go      who joins, is refused or replaced; beat.go: what workers say of themselves
//	job.go        matches, jobs, and who holds them
//	queue.go      the jobs that wait, and those that are held
//	calibrate.go  how fast workers are
//	assign.go     waiting jobs are given to waiting slots
//	recheck.go    matches are played again elsewhere
//	schedule.go   the state of a Run; outcome.go: records; losses.go: what workers do not finish;
//	              late.go: what holds up a Run; enter.go: matches are put into jobs
//	dispatch.go   the Dispatcher; status.go: the workers, as people see them
package dispatch

import (
	"cmp"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/fleet/status"
	"umpire/referee/program"
	"umpire/referee/record"
)

// Config configures a Dispatcher.
type Config struct {
	Version   string                      // umpire's, which workers must have as well
	Build     fleet.Build                 // its executable, which those of the same system must have as well; zero: they need not
	Isolation referee.Level               // the weakest level at which workers may play; "": any
	Silence   time.Duration               // how long nothing may be heard of a worker before what it holds is given to others
	Late      time.Duration               // how long a match is played at least before it is also given to another worker; 0: LateAfter
	Own       string                      // id of the coordinator's own worker
	OwnPlays  bool                        // it takes part
	HasKey    func(name string) bool      // whether a worker that need not have come has a key of that name; nil: none has
	TrustsAll bool                        // the server lets a worker speak as any other
	Resumed   bool                        // there are records of which the Dispatcher does not know
	Excluded  []string                    // names of workers whose records do not count
	Began     time.Time                   // before any match began
	Packages  map[string]*program.Package // programs that can travel, by digest; nil: workers have all
	Needs     []string                    // labels that workers must have
	Controls  []arena.Fixture             // matches that are played only to find out whether a worker can be believed
	// ControlShare is the share of jobs that are one of Controls; Recheck is that of matches that are
	// played again elsewhere. Both are from 0 to 1.
	ControlShare, Recheck float64
	Calibrate             bool           // workers are measured by matches of Controls, and their budgets scaled
	Chance                func() float64 // returns a number from 0 to 1
	NewName               func() string  // makes up the id of a job
}

// Dispatcher knows the workers of a run, and has them play the matches of a Schedule.
type Dispatcher struct {
	config      Config
	crew        *crew
	calibration *calibration
	rechecks    recheck.Summary
	work        *Schedule // of the Run in progress; nil if there is none
}

// New returns a Dispatcher without workers.
func New(config Config) *Dispatcher {
	d := &Dispatcher{config: config, crew: newCrew(config), calibration: &calibration{}}
	if config.Calibrate {
		d.calibration = &calibration{fixtures: config.Controls[:min(len(config.Controls), maxMeasured)], here: config.OwnPlays}
	}
	return d
}

func newCrew(config Config) *crew {
	c := &crew{
		version: config.Version, build: config.Build, isolation: config.Isolation, silence: config.Silence, own: config.Own,
		hasKey: config.HasKey, trust: trustToken, resumed: config.Resumed, members: make(map[string]*member), called: make(map[string]bool),
		told: make(map[string]bool), droppedFrom: make(map[string][]string), keyed: make(map[string]*member), replaced: make(map[string]bool),
	}
	if c.hasKey == nil {
		c.hasKey = func(string) bool { return false }
	}
	if config.TrustsAll {
		c.trust = trustAll
	}
	for _, name := range config.Excluded {
		c.called[name] = true // nobody else's records are to bear it
	}
	return c
}

// Begin has the workers play the matches of a new Schedule, until End.
func (d *Dispatcher) Begin(now time.Time) *Schedule {
	q := &queue{
		packages: d.config.Packages, needs: labels(d.config.Needs), newName: d.config.NewName, jobs: make(map[string]*job),
		queues: make(map[string]*class), holds: make(map[*member]map[*job]*hold), given: make(map[*member]map[int]*job),
	}
	d.work = &Schedule{
		crew: d.crew, calibration: d.calibration, queue: q,
		assigner: &assigner{crew: d.crew, queue: q, calibration: d.calibration, controls: d.config.Controls, share: d.config.ControlShare, chance: d.config.Chance},
		rechecks: &rechecks{crew: d.crew, queue: q, chance: d.config.Chance, sample: recheck.NewSample(d.config.Recheck, d.config.Chance), found: &d.rechecks},
		packages: d.config.Packages, version: d.config.Version, silence: d.config.Silence, late: cmp.Or(d.config.Late, LateAfter), began: d.config.Began,
		pending: make(map[string][]*Match), early: make(map[string][]record.Record),
	}
	d.crew.parted = d.work.takeBack
	d.work.assigner.assign(now)
	return d.work
}

// End ends the Schedule.
func (d *Dispatcher) End() { d.work, d.crew.parted = nil, nil }

// Decided returns what has been decided since it was asked last.
func (d *Dispatcher) Decided() (out Decisions) {
	out, d.crew.out = d.crew.out, Decisions{}
	return out
}

// Hello answers a worker that introduces itself. Key is the name of its key; "" if it has
// the token.
func (d *Dispatcher) Hello(id, host, key string, h fleet.Hello, now time.Time) fleet.Welcome {
	return d.crew.hello(id, host, key, h, now)
}

// Hear gives a worker its orders.
func (d *Dispatcher) Hear(id string, b fleet.Beat, now time.Time) fleet.Orders {
	m, o := d.crew.speaks(id, &b, now)
	if m == nil {
		return o
	}
	d.crew.hear(m, &b, now)
	o = fleet.Orders{Known: true, Drain: d.crew.drains, End: b.Jobs}
	if d.work != nil {
		o.End = d.work.heard(m, &b, now)
	}
	b.Jobs, b.Back = nil, nil
	m.beat = b
	switch {
	case m.dropped != "":
		return fleet.Orders{Known: true, Refused: m.dropped} // as it will hear once more
	case b.Leaving:
		if !m.own {
			d.crew.note("umpire: worker %s has left\n", m.name)
		}
		d.crew.part(m, status.Left, "", false, now)
		o.Leave = true
	case d.work != nil:
		d.work.assigner.assign(now)
		o.Waiting = d.work.assigner.waitingFor(m)
	}
	return o
}

// Take notes that a slot of a worker waits for a job, or waits no more.
func (d *Dispatcher) Take(id string, ask fleet.Take, reply string, now time.Time) {
	m := d.crew.members[id]
	if m == nil || !m.isThere || ask.Slot < 0 || ask.Slot >= m.slots {
		return // it will hear that it must say hello
	}
	if old := m.takers[ask.Slot]; old != nil {
		old.end()
		if ask.Over {
			d.crew.out.Gives = append(d.crew.out.Gives, Give{Reply: old.reply})
		}
	}
	if ask.Over {
		return
	}
	if d.work != nil {
		d.work.missed(m, ask.Slot, ask.Last, now)
	}
	t := &taker{member: m, slot: ask.Slot, reply: reply, since: now}
	m.takers[ask.Slot] = t
	d.crew.idle = append(d.crew.idle, t)
	if d.work != nil {
		d.work.assigner.assign(now)
	}
}

// TooLarge notes that a job could not be sent.
func (d *Dispatcher) TooLarge(job string, why error, now time.Time) {
	if d.work != nil {
		d.work.tooLarge(job, why, now)
	}
}

// Drain has no more matches begin.
func (d *Dispatcher) Drain() { d.crew.drains = true }

// Dismiss has workers leave, as the run is over.
func (d *Dispatcher) Dismiss() { d.crew.ended = true }

// Present counts the workers that are there.
func (d *Dispatcher) Present() int { return len(d.crew.there()) }

// CanPlay reports whether a worker that is there has what a program needs.
func (d *Dispatcher) CanPlay(digest string) bool {
	n := needsOf(d.config.Packages, arena.Fixture{Seats: []arena.Seat{{Digest: digest}}}, labels(d.config.Needs)...)
	return d.Present() > 0 && canPlay(d.crew.there(), n)
}

// Describe adds the workers, and what they have done, to the state of a run.
func (d *Dispatcher) Describe(f *status.Fleet, now time.Time) { d.crew.describe(f, now) }

// Rechecks returns what playing matches a second time has shown so far.
func (d *Dispatcher) Rechecks() recheck.Summary { return d.rechecks.Settled() }

// Excluded returns the names of workers that were excluded since it was asked last: their records
// do not count.
func (d *Dispatcher) Excluded() (names []string) {
	names, d.crew.excludes = d.crew.excludes, nil
	return names
}

// Keyed returns the ids of the workers with keys that may play.
func (d *Dispatcher) Keyed() (ids []string) {
	for _, m := range d.crew.keyed {
		if m.dropped == "" {
			ids = append(ids, m.id)
		}
	}
	return ids
}

// EndRemoved ends the part of workers whose keys are valid no more.
func (d *Dispatcher) EndRemoved(at fleet.Origins, now time.Time) {
	for id, o := range at {
		m := d.crew.members[id]
		switch {
		case m == nil:
		case o.Is == fleet.KeyRemoved:
			d.crew.drop(m, "its key has been removed", now)
		case o.Is == fleet.KeyRevoked:
			d.crew.exclude(m, "its key has been removed", now)
		}
	}
}

// Giver returns what is known of a worker.
func (d *Dispatcher) Giver(id string) Giver {
	m := d.crew.members[id]
	if m == nil {
		return Giver{ID: id}
	}
	return Giver{ID: id, Name: m.name, CPU: m.cpu, Isolation: m.isolation, Known: true, Own: m.own, Dropped: m.dropped != ""}
}
