package referee

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"umpire/protocols"
)

// Grace is how long a contestant may take to end once its match is over.
const Grace = 100 * time.Millisecond

// overrun returns the failure of a seat whose total CPU time, known only at its
// end, exceeds its budget although no earlier check noticed. CPU time that a
// seat may use outside its replies, to ponder and to exit, is not held against
// it.
func (d *driver) overrun(s *seat) *protocols.Failure {
	budget := d.limits.Time
	if each := d.limits.PerMove * time.Duration(s.replies); each > 0 && (budget == 0 || each < budget) {
		budget = each
	}
	if !d.limits.CPU || budget == 0 {
		return nil
	}
	beside := s.free + s.pondered + Grace*time.Duration(runtime.NumCPU())
	if used := s.usage.CPU - beside; used > budget+d.limits.Startup {
		return &protocols.Failure{Kind: protocols.KindTime, Detail: fmt.Sprintf(
			"used %s of CPU time in total, as measured at its end; %s were allowed", Seconds(used), Seconds(budget+d.limits.Startup))}
	}
	return nil
}

// ponderFreely writes off the CPU time that a seat has used while it owed no
// reply.
func (s *seat) ponderFreely() {
	if s.watched != nil && !s.stopped {
		cpu, _, _ := s.watched.Pondered(true)
		s.free += cpu
	}
}

// end adds the failures found when the contestants were stopped. They don't
// change how the match went, nor the scores.
func (d *driver) end() {
	for i := range d.seats {
		s := &d.seats[i]
		late := cmp.Or(s.usage.Failure, d.overrun(s))
		if s.failure != nil || late == nil {
			continue
		}
		s.failure = late
		e := Event{Seat: i + 1, Fail: s.failure}
		d.events = append(d.events, e)
		if d.watch.Event != nil {
			d.watch.Event(e, nil, d.match)
		}
	}
}
