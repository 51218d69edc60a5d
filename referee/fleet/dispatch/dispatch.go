// Package dispatch decides which worker plays which match. It is a state machine: what
// happens is told to it with the time, and what is to be done comes out as Decisions. It
// knows no server, connection, file or clock, and is not safe for concurrent use.
//
// A Dispatcher outlives its Runs, as the workers do; a Schedule is one Run. From the bottom:
//
//	config.go     what goes in and comes out
//	needs.go      what jobs need; meter.go: rates; measure.go: speeds
//	member.go     a worker, and its slots that wait
//	crew.go       the workers: who is there, who is dropped, and why
//	hello.go      who joins, is refused or replaced, and what workers say of themselves
//	job.go        matches, jobs, and who holds them
//	queue.go      the jobs that wait, and those that are held
//	calibrate.go  how fast workers are
//	assign.go     waiting jobs are given to waiting slots
//	recheck.go    matches are played again elsewhere
//	schedule.go   a Run: its state, and its records
//	losses.go     what workers do not finish; late.go: what holds up a Run
//	enter.go      matches are put into jobs
//	dispatch.go   the Dispatcher; status.go: the workers, as people see them
package dispatch

import (
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// Dispatcher knows the workers of a run, and has them play the matches of a Schedule.
type Dispatcher struct {
	config      *Config
	crew        *crew
	calibration *calibration
	rechecks    recheck.Summary
	work        *Schedule // of the Run in progress; without matches if there is none
}

// New returns a Dispatcher without workers.
func New(config Config) *Dispatcher {
	d := &Dispatcher{config: &config, calibration: &calibration{}, crew: &crew{
		config: &config, members: make(map[string]*member), called: make(map[string]bool),
		keyed: make(map[string]*member), replaced: make(map[string]bool),
	}}
	for _, name := range config.Excluded {
		d.crew.called[name] = true // nobody else's records are to bear it
	}
	if config.Calibrate {
		d.calibration = &calibration{fixtures: config.Controls[:min(len(config.Controls), maxMeasured)], here: config.OwnPlays}
	}
	d.Begin()
	return d
}

// Begin has the workers play the matches of a new Schedule, until End.
func (d *Dispatcher) Begin() *Schedule {
	for _, m := range d.crew.order {
		m.forget()
	}
	q := &queue{config: d.config, needs: labels(d.config.Needs), jobs: make(map[string]*job), queues: make(map[string]*class)}
	d.work = &Schedule{
		config: d.config, crew: d.crew, calibration: d.calibration, queue: q,
		sample: recheck.NewSample(d.config.Recheck, d.config.Chance), found: &d.rechecks,
		pending: make(map[string][]*Match), early: make(map[string][]record.Record),
	}
	d.crew.parted = d.work.takeBack
	return d.work
}

// End ends the Schedule.
func (d *Dispatcher) End() { d.Begin() }

// Decide gives waiting jobs to waiting slots, and returns what has been decided since it was
// called last.
func (d *Dispatcher) Decide(now time.Time) (out Decisions) {
	d.work.assign(now)
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
	m.beat = b
	m.beat.Jobs, m.beat.Back = nil, nil
	o = fleet.Orders{Known: true, Drain: d.crew.drains, End: d.work.heard(m, &b, now)}
	switch {
	case m.dropped != "":
		return fleet.Orders{Known: true, Refused: m.dropped} // as it will hear once more
	case b.Leaving:
		if !m.own {
			d.crew.note("umpire: worker %s has left\n", m.name)
		}
		d.crew.part(m, status.Left, "", false, now)
		o.Leave = true
	default:
		d.work.assign(now)
		o.Waiting = d.work.waitingFor(m)
	}
	return o
}

// Take notes that a slot of a worker waits for a job, or waits no more.
func (d *Dispatcher) Take(id string, ask fleet.Take, reply string, now time.Time) {
	m := d.crew.members[id]
	if m == nil || !m.isThere() || ask.Slot < 0 || ask.Slot >= m.slots {
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
	t := &taker{member: m, slot: ask.Slot, reply: reply, since: now}
	m.takers[ask.Slot] = t
	if j := m.given[ask.Slot]; j != nil && j.id != ask.Last && m.holds[j] != nil && !m.holds[j].named { // the answer was lost on the way
		d.work.hand(j, t)
		return
	}
	d.crew.idle = append(d.crew.idle, t)
}

// TooLarge notes that a job could not be sent.
func (d *Dispatcher) TooLarge(job string, why error, now time.Time) { d.work.tooLarge(job, why, now) }

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

// Rechecks returns what playing matches a second time has shown so far.
func (d *Dispatcher) Rechecks() recheck.Summary { return d.rechecks.Settled() }

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
		case o.Revoked:
			d.crew.exclude(m, "its key has been removed", now)
		case o.Removed:
			d.crew.drop(m, "its key has been removed", now)
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
