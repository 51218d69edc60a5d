// Package dispatch decides which worker plays which match. It is a state machine: what
// happens is told to it with the time, and what is to be done comes out as Decisions. It
// knows no server, connection, file or clock, and is not safe for concurrent use.
//
// A Dispatcher outlives its Runs, as the workers do; a Schedule is one Run. From the bottom:
//
//	config.go     what goes in and comes out
//	needs.go      what matches need; meter.go: rates
//	job.go        matches, jobs, and who holds them
//	crew.go       the workers and their slots: who is there, who is dropped, and why
//	dispatch.go   the Dispatcher; status.go: the workers, as people see them
//	hello.go      who joins, is refused or replaced, and what workers say of themselves
//	calibrate.go  how fast workers are
//	schedule.go   a Run: its state, and its records
//	enter.go      matches are put into jobs
//	assign.go     waiting jobs are given to waiting slots
//	recheck.go    matches are played again elsewhere
//	losses.go     what workers do not finish; late.go: what holds up a Run
package dispatch

import (
	"maps"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/recheck"
	"umpire/referee/fleet/status"
	"umpire/referee/record"
)

// Dispatcher knows the workers of a run, and has them play the matches of a Schedule.
type Dispatcher struct {
	config   Config
	work     *Schedule // of the Run in progress; without matches if there is none
	rechecks recheck.Summary
	out      Decisions

	members  map[string]*member       // all workers that are known, by id
	order    []*member                // as they came first
	called   map[string]bool          // their names
	keys     map[string]string        // names of the keys with which they have joined, by the keys' hashes
	replaced map[string]bool          // ids of workers that others with their keys have replaced, or see joined
	present  []*member                // see there; nil: it is to be made anew
	idle     []*taker                 // slots that wait for jobs, the first first
	asked    int                      // how many of these, from the first, no job was found for; nothing has changed since
	awake    time.Time                // when something was done last: see wake
	said     map[string]*rate.Limiter // how much is said of workers: see news
	unsaid   int                      // lines of news since the last tick that were too many
	trusts   bool                     // the user has been told why workers without keys are trusted
	ended    bool
	drains   bool  // no more matches are to begin
	rate     meter // of the records of all workers
	counts   status.Counts

	// calibration is the matches by which workers are measured; if there are none, budgets are those of
	// the limits. They are compared with what the matches need on this machine, or for some workers.
	calibration []arena.Fixture
	compared    map[*member]measure
}

// New returns a Dispatcher without workers.
func New(config Config) *Dispatcher {
	d := &Dispatcher{
		config: config, members: make(map[string]*member), called: make(map[string]bool), keys: make(map[string]string), replaced: make(map[string]bool),
		said: make(map[string]*rate.Limiter), compared: make(map[*member]measure),
	}
	maps.Copy(d.keys, config.Keys)
	for _, name := range config.Excluded {
		d.called[name] = true // nobody else's records are to bear it
	}
	if config.Calibrate {
		d.calibration = config.Controls[:min(len(config.Controls), maxMeasured)]
	}
	d.Begin()
	return d
}

// Begin has the workers play the matches of a new Schedule, and ends the one before.
func (d *Dispatcher) Begin() *Schedule {
	for _, m := range d.order {
		clear(m.holds)
		m.alone = nil
	}
	d.work = &Schedule{
		d: d, sample: recheck.NewSample(d.config.Recheck, d.config.Chance), jobs: make(map[string]*job),
		pending: make(map[string][]*Match), early: make(map[string][]record.Record),
	}
	return d.work
}

// Decide gives waiting jobs to waiting slots, and returns what has been decided since it was
// called last.
func (d *Dispatcher) Decide(now time.Time) (out Decisions) {
	d.work.assign(now)
	out, d.out = d.out, Decisions{}
	return out
}

// Take notes that a slot of a worker waits for a job, or waits no more. Whatever is asked is answered: a
// server keeps it until then.
func (d *Dispatcher) Take(id string, ask fleet.Take, reply string, now time.Time) {
	m, t := d.members[id], &taker{reply: reply}
	if m == nil || !m.isThere() || m.isOlder(ask.Start) || ask.Slot < 0 || ask.Slot >= m.slots {
		t.getsNone(d) // it will hear that it must say hello, or end
		return
	}
	if old := m.takers[ask.Slot]; old != nil {
		old.getsNone(d)
		t.given = old.given
	}
	if ask.Over {
		return
	}
	t.member, m.takers[ask.Slot] = m, t
	j := t.given
	switch {
	case j == nil || j.id == ask.Last || m.holds[j] == nil || !m.holds[j].named.IsZero():
		d.idle = append(d.idle, t)
	case now.Sub(m.holds[j].sent) < fleet.BeatEvery: // the answer may be on its way
		t.getsNone(d)
	default:
		d.work.hand(j, t, now)
	}
}

// getsNone tells a slot that waits that there is no job for it.
func (t *taker) getsNone(d *Dispatcher) {
	if !t.over {
		t.over = true
		d.out.Gives = append(d.out.Gives, Give{Reply: t.reply})
	}
}

// Drain has no more matches begin, and says which workers are waited for.
func (d *Dispatcher) Drain(now time.Time) {
	d.drains = true
	var playing []*member
	left := time.Duration(0)
	for _, m := range d.there() {
		for j, h := range m.holds {
			most, _ := mayHold(j.list, d.work.mean, m.scale)
			left = max(left, h.since.Add(most).Sub(now))
		}
		if len(m.holds) > 0 && !m.own {
			playing = append(playing, m)
		}
	}
	if len(playing) > 0 {
		d.note("umpire: waiting for %s, %s at most\n", namesOf(playing), left.Round(time.Second))
	}
}

// Dismiss has workers leave, as the run is over.
func (d *Dispatcher) Dismiss() { d.ended = true }

// Present counts the workers that are there.
func (d *Dispatcher) Present() int { return len(d.there()) }

// CanPlay reports whether a worker that is there has what a program needs.
func (d *Dispatcher) CanPlay(digest string) bool {
	n := d.config.needsOf(arena.Fixture{Seats: []arena.Seat{{Digest: digest}}})
	return slices.ContainsFunc(d.there(), func(m *member) bool { return m.can(n) })
}

// Rechecks returns what playing matches a second time has shown so far.
func (d *Dispatcher) Rechecks() recheck.Summary { return d.rechecks.Settled() }

// HasMet reports whether a worker has joined with a key, or else with another of that name.
func (d *Dispatcher) HasMet(key, hash string) (isMet, isAnother bool) {
	_, isMet = d.keys[hash]
	return isMet, !isMet && slices.Contains(slices.Collect(maps.Values(d.keys)), key)
}

// Meet notes the name and the hash of the key of a worker that joins.
func (d *Dispatcher) Meet(key, hash string) { d.keys[hash] = key }

// Keyed returns the ids of the workers with keys whose records count, and the hashes of all keys
// with which workers have joined.
func (d *Dispatcher) Keyed() (ids []string) {
	for _, m := range d.order {
		if m.key != "" && !d.isExcluded(m.name) {
			ids = append(ids, m.id)
		}
	}
	return slices.AppendSeq(ids, maps.Keys(d.keys))
}

// EndRemoved ends the part of workers whose keys are valid no more. Those whose keys are revoked may
// have joined an earlier coordinator only, or now have others.
func (d *Dispatcher) EndRemoved(at fleet.Origins, now time.Time) {
	for id, o := range at {
		if m := d.members[id]; m != nil && o.Removed {
			d.drop(m, fleet.KeyRemoved, now)
		}
		if name, known := d.keys[id]; known && o.Revoked && !d.isExcluded(name) {
			d.exclude(d.former(id, name), fleet.KeyRemoved, now)
		}
	}
}

// former returns the worker that an earlier coordinator has called by a name, which may be there.
func (d *Dispatcher) former(id, name string) *member {
	m := d.withKey(name)
	if m == nil {
		m = &member{id: id, key: name, state: status.Left}
		d.remember(m, name)
	}
	return m
}

// withKey returns the worker with the key of a name, or that had it last; nil if there is none.
func (d *Dispatcher) withKey(name string) *member {
	if i := slices.IndexFunc(d.order, func(m *member) bool { return m.key != "" && m.key == name }); i >= 0 {
		return d.order[i]
	}
	return nil
}

// Giver returns what is known of a worker.
func (d *Dispatcher) Giver(id string) Giver {
	m := d.members[id]
	if m == nil {
		return Giver{ID: id}
	}
	return Giver{ID: id, Name: m.name, CPU: m.cpu, Isolation: m.isolation, Known: true, Own: m.own, Dropped: m.dropped != ""}
}
