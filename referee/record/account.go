package record

import (
	"cmp"
	"fmt"

	"umpire/protocols"
)

// account adds up the times of a seat, in microseconds.
type account struct {
	r                  Record
	seat               int // from 0
	asked              int64
	wall, cpu, charged int64
	pondered           int64 // charged beyond the time of its replies
	lost               int64 // part of its replies that is not charged, and that others must have computed
}

const (
	// cpuTick is the time, in microseconds, by which a system that accounts for CPU
	// time in ticks may be wrong on each CPU.
	cpuTick = 10_000
	// longLook is how long, in microseconds, umpire may take for one look at the other
	// seats, which it may have no CPU for. Together, looks take at most half of a reply's time;
	// they are not charged.
	longLook = 1_000_000
)

// compareTimes checks a seat's times: the times of its replies, and of a request
// that it failed to answer, must add up to the seat's, and the times charged for
// replies must be within the limits. Sums of microseconds may be off by one for
// each of its events.
func (r Record) compareTimes(seat int, wall, charged *int64) error {
	a := account{r: r, seat: seat}
	var late error
	for i, e := range r.Events {
		if e.Seat != seat+1 {
			continue
		}
		cost, err := a.add(i)
		if err != nil {
			return err
		}
		late = a.compareLate(i, cost)
	}
	for _, f := range []struct {
		name  string
		found *int64
		sum   int64
	}{{"wall_us", wall, a.wall}, {"charged_us", charged, a.charged}} {
		if f.found != nil && (*f.found < f.sum || *f.found > f.sum+a.asked) {
			return fmt.Errorf("seats[%d].%s: found %d, the events give %d", seat, f.name, *f.found, f.sum)
		}
	}
	return cmp.Or(late, a.compareLost(), a.compareMatchTime())
}

// add checks the times of the i-th event, adds them, and returns what it cost of the budget.
func (a *account) add(i int) (cost int64, err error) {
	r, e, first := &a.r, a.r.Events[i], a.asked == 0
	limits := r.Limits.Scaled(r.Scale)
	cost, name, err := r.charged(e, first)
	if err != nil {
		return 0, fmt.Errorf("events[%d].%w", i, err)
	}
	if e.WaitUS > e.WallUS {
		return 0, fmt.Errorf("events[%d].wait_us: found %d, wall_us allows %d", i, e.WaitUS, e.WallUS)
	}
	if e.StallUS > e.WallUS {
		return 0, fmt.Errorf("events[%d].stall_us: found %d, wall_us allows %d", i, e.StallUS, e.WallUS)
	}
	replied := e.Fail == "" // a failure may be that the limits are exceeded
	if over := limits.MoveUS; replied && over > 0 && cost > over {
		return 0, fmt.Errorf("events[%d].%s: %d are charged, limits.move_us%s allows %d", i, name, cost, r.scaled(), over)
	}
	own, _ := r.cost(e, first)
	if least := min(own, e.CPUUS, e.WallUS-e.StallUS) - longLook; !first && cost < least {
		return 0, fmt.Errorf("events[%d].%s: found %d, its cpu_us gives at least %d", i, name, cost, least)
	}
	a.pondered += max(0, cost-own)
	a.lost += max(0, own-e.WaitUS-e.StallUS-cost-e.WallUS/2-longLook)
	a.wall += e.WallUS
	a.cpu += e.CPUUS
	a.charged += cost
	a.asked++
	if over := limits.TimeUS; replied && over > 0 && a.charged > over {
		return 0, fmt.Errorf("events[%d].%s: %d are charged in all, limits.time_us%s allows %d", i, name, a.charged, r.scaled(), over)
	}
	return cost, nil
}

// compareLate checks that a seat that has lost by time at its i-th event, which cost so much, has
// passed a limit; or the CPU time of one of its processes has. Older records don't tell how long
// it took.
func (a *account) compareLate(i int, cost int64) error {
	r, e, seat := &a.r, a.r.Events[i], a.r.Seats[a.seat]
	l := r.Limits.Scaled(r.Scale)
	switch {
	case e.Fail != string(protocols.KindTime) || seat.Kind != "":
		return nil
	case l.TimeUS == 0 && l.MoveUS == 0 && r.Umpire != "":
		return fmt.Errorf("events[%d].fail: found time, limits has neither time_us nor move_us", i)
	case l.TimeUS == 0 && l.MoveUS == 0, l.cpu(), e.WallUS == 0,
		l.MoveUS > 0 && cost+1 >= l.MoveUS, l.TimeUS > 0 && max(a.charged+a.asked, seat.CPUUS) >= l.TimeUS:
		return nil
	}
	return fmt.Errorf("events[%d].fail: found time, but limits%s allows the %d that are charged, %d in all", i, r.scaled(), cost, a.charged)
}

// compareLost checks that the others can have computed for the time that the seat is not charged
// for, if their CPU time is known.
func (a *account) compareLost() error {
	var most int64
	for i, s := range a.r.Seats {
		if i == a.seat || s.Kind != "" {
			continue
		}
		if !s.hasPlayed() || s.CPUUS == 0 {
			return nil
		}
		own := s.CPUUS + a.tick() // of which is left what it has computed while it owed no reply
		for _, e := range a.r.Events {
			if e.Seat == i+1 {
				own -= e.CPUUS
			}
		}
		most += max(0, own)
	}
	if a.lost > most {
		return fmt.Errorf("seats[%d].charged_us: leaves out %d of its replies, of which others have computed at most %d", a.seat, a.lost, most)
	}
	return nil
}

// compareMatchTime checks that a seat's times are possible in the time that the
// match took: asked replies and requests, one after the other, and what all CPUs
// that it may use can do meanwhile. The clock of CPU time may run faster by 1 %.
// A record of another program may not tell how long the match took. Of a program that was
// killed, its CPU time may be lost.
func (a *account) compareMatchTime() error {
	r, seat := &a.r, a.r.Seats[a.seat]
	if r.WallUS == 0 && r.Umpire == "" {
		return nil
	}
	if bound := r.WallUS; a.wall > bound+a.asked {
		return fmt.Errorf("seats[%d]: found replies of %d us in all, the match's wall_us allows %d", a.seat, a.wall, bound)
	}
	bound := (r.WallUS+r.WallUS/100)*int64(r.CPUs) + a.tick()
	if r.CPUs > 0 && seat.CPUUS > bound {
		return fmt.Errorf("seats[%d].cpu_us: found %d, the match's wall_us %d and cpus %d allow %d", a.seat, seat.CPUUS, r.WallUS, r.CPUs, bound)
	}
	cpu := a.cpu + max(0, a.pondered-a.asked)
	if r.CPUs > 0 && cpu > bound || seat.hasPlayed() && seat.CPUUS > 0 && cpu > seat.CPUUS+a.tick() {
		return fmt.Errorf("seats[%d]: found events of %d us of CPU time in all, more than the seat's or the match's allow", a.seat, cpu)
	}
	return nil
}

// tick returns by how much, in microseconds, a seat's CPU time may be wrong.
func (a *account) tick() int64 { return cpuTick * int64(max(1, a.r.CPUs)) }
