package coordinator

import (
	"context"
	"crypto/hmac"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
)

// run is a Run in progress.
type run struct {
	c        *Coordinator
	done     func(n int, r record.Record) error
	schedule *dispatch.Schedule // guarded by the coordinator's lock, as is:
	changed  chan struct{}      // closed when there may be room for more matches

	writing sync.Mutex              // held while records are given to done
	err     error                   // of done, which is given no more then
	stop    context.CancelCauseFunc // ends the Run
	fedUp   chan struct{}           // closed when no more fixtures are drawn
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
		r.stop(r.err)
		return r.err
	}
	r.c.do(func(time.Time) {
		close(r.changed)
		r.changed = make(chan struct{})
		if r.schedule.IsSettled() {
			r.stop(errSettled)
		}
	})
	return nil
}

// collect takes records until ctx ends.
func (r *run) collect(ctx context.Context) error {
	for ctx.Err() == nil {
		if r.c.results.fetch(ctx, fetchWait, r.takeResults) != nil {
			_ = worker.Wait(ctx, fleet.BeatEvery/4)
		}
	}
	return nil
}

// takeResults verifies records, several at a time, and writes those that count.
func (r *run) takeResults(list []stored) error {
	results := make([]dispatch.Result, len(list))
	proofs := make([]string, len(list))
	checked := make([]bool, len(list)) // whose built-in bots' replies are compared with those that they must give
	r.c.do(func(time.Time) {
		for i, s := range list {
			one := &results[i]
			one.From.ID, one.Job, one.I, proofs[i] = fleet.ResultOf(s.msg.Subject())
			one.Early = s.number <= r.c.results.old
			if one.From = r.c.dispatcher.Giver(one.From.ID); !one.From.Known {
				one.From.Name = r.c.lead.called(one.From.ID)
			}
			checked[i] = r.c.config.Control != nil && r.schedule.IsChecked(one.Job)
		}
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range results {
		if one := &results[i]; one.I >= 0 && !one.From.Dropped && (one.Early || one.From.Known) {
			group.Go(func() error {
				one.Err = referee.Guard(func() (err error) {
					one.Record, err = r.c.config.inspect(one.From, list[i].msg.Headers(), list[i].msg.Data())
					one.Proven = hmac.Equal([]byte(proofs[i]), []byte(r.c.proof(one.From.ID, dispatch.Identity(&one.Record))))
					if err == nil && checked[i] && one.Record.Error == "" {
						err = r.c.config.Control(&one.Record)
					}
					return err
				})
				return nil
			})
		}
	}
	_ = group.Wait()
	r.c.do(func(now time.Time) {
		for i := range results {
			r.schedule.Take(&results[i], now)
		}
		r.schedule.Progress(list[len(list)-1].number)
	})
	return r.keep()
}
