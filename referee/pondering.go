package referee

import (
	"fmt"
	"time"

	"umpire/protocols"
)

// A contestant's computing never costs another its budget. CPU time used by
// contestants that owe no reply, while another is to reply, is taken off that
// one's time and charged to their own. So are the looks at them, which are charged
// to nobody. With PonderFreeze, a contestant that is
// seen computing then is also stopped until it is asked; so the others lose no
// more than the moment until it is seen, and nothing once it is known to
// ponder. Where several seats owe a reply at the same time each has a CPU, and
// none is stopped.

const (
	// unnoticed is how much time the contestant that is asked may lose before
	// the others are looked at closely, and mostUnnoticed how much after close
	// looks that found nothing: on a busy machine time is lost to unrelated
	// processes.
	unnoticed     = 200 * time.Microsecond
	mostUnnoticed = 10 * time.Millisecond
	// idling is how much CPU time a contestant may use after its reply, to get
	// back to waiting, without being stopped for it.
	idling = 500 * time.Microsecond
)

// watchOthers is a part of Ask.Meanwhile: it watches the contestants that owe no
// reply.
func (d *driver) watchOthers() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.seats {
		if s := &d.seats[i]; s.bystands() {
			d.lost += s.watched.Watch()
		}
	}
}

// hold stops the contestants that owe no reply, and seat n, which is waited
// for, while umpire is about to stop and until it goes on; n may be 0 for none.
func (d *driver) hold(n int) {
	if d.stalls == nil || !d.stalls.Held() {
		return
	}
	var paused []*seat
	d.mu.Lock()
	for i := range d.seats {
		s := &d.seats[i]
		if s.watched != nil && !s.stopped && !s.paused && (i == n-1 || !s.asked && !s.held) {
			s.watched.Freeze()
			s.paused = true
			paused = append(paused, s)
		}
	}
	d.mu.Unlock()
	d.stalls.AwaitRelease()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range paused {
		s.watched.Thaw()
		s.paused = false
	}
}

// bystands reports whether the seat may use resources while others are asked.
func (s *seat) bystands() bool { return s.watched != nil && !s.stopped && !s.asked }

// others serves as Ask.Others for the seat whose turn it is.
func (d *driver) others(missing time.Duration, waiting bool) time.Duration {
	d.settlePondering(false)
	if d.unexplained += max(0, missing-d.lost); d.unexplained > max(unnoticed, d.patience) || waiting {
		d.unexplained = 0
		if d.settlePondering(true) {
			d.patience = 0
		} else if !waiting {
			d.patience = min(2*max(unnoticed, d.patience), mostUnnoticed)
		}
		if d.pondering == PonderFreeze {
			d.convict(missing)
			if waiting {
				d.freeze()
			}
		}
	}
	return d.lost
}

// settlePondering charges all other seats for the CPU time they have used. It
// reports whether a close look has found any of them computing.
func (d *driver) settlePondering(closely bool) (found bool) {
	for i := range d.seats {
		s := &d.seats[i]
		if !s.bystands() {
			continue
		}
		cpu, computes, took := s.watched.Pondered(closely)
		s.pondered += cpu
		s.meanwhile += cpu
		d.lost += cpu + took
		if closely && (computes || s.meanwhile > idling) {
			found, s.computes, s.escaped = true, true, s.escaped || s.held && !s.watched.FreezeHolds()
			// What a program computes before its first reply belongs to its
			// start.
			s.ponders = s.ponders || s.replies > 0
		}
	}
	return found
}

// convict ends a seat that computed although it was stopped, and has made the
// match void by that before. All that is missing of the turn so far may be its
// doing, so the seat whose turn it is has it back.
func (d *driver) convict(missing time.Duration) {
	for i := range d.seats {
		s := &d.seats[i]
		if !s.escaped || s.stopped {
			continue
		}
		if v := d.escape(i + 1); v.Rule(d.before) == SeatLoses {
			s.convicted, _ = v.failure(d.before).(*protocols.Failure)
			s.stop()
			d.lost = max(d.lost, missing)
		}
	}
}

// freeze stops the seats that were found computing.
func (d *driver) freeze() {
	for i := range d.seats {
		if s := &d.seats[i]; s.computes && !s.stopped {
			s.watched.Freeze()
			s.computes, s.held, s.meanwhile = false, true, 0
		}
	}
}

// begin starts the turn of a seat that alone owes a reply, and returns the
// Ask.Others for it.
func (d *driver) begin(n int) (others func(time.Duration, bool) time.Duration) {
	if len(d.seats) == 1 {
		return nil
	}
	d.beginTurn()
	if d.pondering == PonderCharge || d.pondering == PonderFreeze {
		d.seats[n-1].held = false
		return d.lookAtOthers
	}
	if d.limits.CPU {
		d.seats[n-1].ponderFreely()
	}
	return nil
}

// beginTurn clears what was seen in the previous turn.
func (d *driver) beginTurn() {
	d.lost = 0
	for i := range d.seats {
		s := &d.seats[i]
		s.meanwhile, s.computes, s.escaped = 0, false, false
	}
}

// beginTogether starts a step in which several seats are asked concurrently.
// What they have computed before is charged to them; none of it was another's
// time.
func (d *driver) beginTogether(seats []int) {
	d.beginTurn()
	for _, n := range seats {
		s := &d.seats[n-1]
		s.asked = true // before any of them waits, and watches seats that are not asked
		s.held = false
		if s.watched != nil {
			cpu, _, _ := s.watched.Pondered(d.limits.CPU)
			if d.pondering == PonderCharge {
				s.pondered += cpu
			} else {
				s.free += cpu
			}
		}
	}
}

// owes returns an error if seat n has computed away its budget while others were
// to reply: its failure, or that of a void match if it has waited so long for a
// CPU in its own turns that there would have been enough without.
func (d *driver) owes(n int) error {
	s := &d.seats[n-1]
	left := d.allowance(s)
	if left < 0 || s.pondered <= left {
		return nil
	}
	failure := Overspent(s.pondered, left)
	if !d.sharesBudget(s) || s.pondered > left+s.waited {
		return failure
	}
	return &VoidError{
		Cause: CauseMachine, Seat: n, Failure: failure,
		Err: fmt.Errorf("seat %d %s; for %s of its replies it was ready and had no CPU", n, failure.Detail, Seconds(s.waited)),
	}
}

// Overspent returns the failure of a contestant that pondered while others were
// to reply for longer than the budget it had left.
func Overspent(pondered, left time.Duration) *protocols.Failure {
	return &protocols.Failure{
		Kind:   protocols.KindTime,
		Detail: fmt.Sprintf("computed for %s while it was not its turn, %s were left", Seconds(pondered), Seconds(left)),
	}
}
