package coordinator

import (
	"context"
	"errors"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
)

// collect takes records until ctx ends.
func (r *run) collect(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.c.results.fetch(ctx, fetchWait, r.takeResults); r.failure() != nil {
			return r.failure()
		} else if err != nil {
			_ = worker.Wait(ctx, fleet.BeatEvery/4)
		}
	}
	return nil
}

// failure returns why records can't be written.
func (r *run) failure() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.err
}

// result is a record that a worker has stored.
type result struct {
	from  giver
	job   string
	i     int
	early bool // stored before this coordinator began
	known bool // its built-in bots' replies are compared with those that they must give
	r     record.Record
	err   error // it is none, or not valid
}

// takeResults verifies records, several at a time, and writes those that count.
func (r *run) takeResults(list []stored) error {
	results, last := make([]result, len(list)), list[len(list)-1].number
	r.c.do(func(time.Time) {
		for i, s := range list {
			one := &results[i]
			one.from.id, one.job, one.i = fleet.ResultOf(s.subject)
			one.early = s.number <= r.c.results.stored
			one.from = r.c.crew.giver(one.from.id)
			one.known = r.c.config.Control != nil && (r.schedule.jobs[one.job].isControl() || r.schedule.chance() < r.schedule.share)
		}
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range results {
		if one := &results[i]; one.i >= 0 && !one.from.dropped && (one.early || one.from.known) {
			group.Go(func() error {
				one.err = referee.Guard(func() (err error) {
					one.r, err = r.c.inspect(one.from, list[i].header, list[i].data)
					if err == nil && one.known && one.r.Error == "" {
						err = r.c.config.Control(&one.r)
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
			r.take(&results[i], now)
		}
		r.schedule.progress(last, now)
	})
	return r.keep()
}

// take deals with one result. A worker whose record is not valid, or of a match that it
// was not given, is dropped.
func (r *run) take(one *result, now time.Time) {
	m := r.c.crew.members[one.from.id]
	if m != nil && !m.told.IsZero() && now.Sub(m.told) > fleet.LostAfter { // it goes on all the same
		r.c.crew.out.kicks = append(r.c.crew.out.kicks, m.id)
	}
	if m != nil && m.dropped != "" || m == nil && !one.early || m == nil && one.err != nil || one.from.id == fleet.Probe {
		return
	}
	if one.i < 0 && one.err == nil {
		one.err = errors.New("found a result without a number")
	}
	if one.err == nil {
		one.err = r.schedule.result(m, one.job, one.i, one.r, one.early, now)
	}
	if one.err == nil || m == nil {
		return
	}
	r.c.crew.exclude(m, one.err.Error(), now)
	r.schedule.refuse(m, one.job, one.i, one.err, now)
}
