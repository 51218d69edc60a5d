package coordinator

import (
	"sync"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/record"
)

// run is a Run in progress.
type run struct {
	c        *Coordinator
	done     func(n int, r record.Record) error
	schedule *dispatch.Schedule // guarded by the coordinator's lock, as is:
	changed  chan struct{}      // closed when there may be room for more matches

	writing sync.Mutex    // held while records are given to done
	err     error         // of done
	settled chan struct{} // closed when there is nothing left to wait for
	fedUp   chan struct{} // closed when no more fixtures are drawn
}

// keep gives the records that are there to done.
func (r *run) keep() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	var list []dispatch.Finished
	r.c.do(func(time.Time) { list = r.schedule.TakeOver() })
	for _, one := range list {
		if r.err == nil {
			r.err = r.c.lead.check()
		}
		if refused, ok := referee.ParseRefused(one.Record.Error); ok && r.err == nil { // so will each match on the case
			r.err = &arena.CaseError{Name: one.Record.Case.Name, Refused: refused}
		}
		if r.err == nil {
			r.err = referee.Guard(func() error { return r.done(one.N, one.Record) })
		}
	}
	if r.err != nil {
		return r.err
	}
	r.c.do(func(time.Time) {
		close(r.changed)
		r.changed = make(chan struct{})
		if r.schedule.IsSettled() {
			select {
			case <-r.settled:
			default:
				close(r.settled)
			}
		}
	})
	return nil
}

// failure returns why records can't be written.
func (r *run) failure() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.err
}
