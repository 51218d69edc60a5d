package coordinator

import (
	"cmp"
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
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
	c    *Coordinator
	done func(n int, r record.Record) error
	err  error     // why collect has ended the Run: done is given no more then
	lost time.Time // since when the server can't be reached; zero: it can

	// Guarded by the coordinator's lock:
	schedule *dispatch.Schedule
	changed  chan struct{} // closed when there may be room for more matches
}

// What ends a Run.
var (
	errSettled = errors.New("all matches are over")
	errDrained = fmt.Errorf("matches in progress are over: %w", context.Canceled) // after Drain
)

// Run implements arena.Runner.
func (c *Coordinator) Run(ctx context.Context, fixtures iter.Seq[arena.Fixture], done func(n int, r record.Record) error) error {
	if c.isDraining() {
		return errDrained
	}
	r := &run{c: c, done: done, changed: make(chan struct{})}
	c.do(func(now time.Time) {
		r.schedule = c.dispatcher.Begin()
		r.schedule.Progress(c.results.taken.Load(), now)
	})
	defer c.do(func(time.Time) { c.dispatcher.Begin() })
	outer := ctx
	group, ctx := errgroup.WithContext(ctx)
	work := func(f func(context.Context) error) {
		group.Go(func() error { return referee.Guard(func() error { return f(ctx) }) })
	}
	work(func(ctx context.Context) error { return r.feed(ctx, fixtures) })
	work(r.collect)
	work(c.results.tend)
	if c.config.Own != nil {
		work(c.playHere)
	}
	_ = group.Wait()
	err := cmp.Or(r.err, context.Cause(ctx)) // the first
	switch {
	case errors.Is(err, errSettled):
		return c.Excluded()
	case outer.Err() != nil:
		if r.err == nil && c.nc.IsConnected() { // take the records that lie ready
			_ = referee.Guard(func() error { return c.results.fetch(context.Background(), fleet.BeatEvery/2, r.takeResults) })
		}
		return errors.Join(context.Cause(outer), c.Excluded())
	case errors.Is(err, errDrained):
		return errors.Join(err, c.Excluded())
	}
	return err
}

// ExcludedError is the error of a Run all of whose matches have records, or which was
// stopped, some of whose records do not count: those of workers that were excluded.
type ExcludedError struct {
	Workers []string // names, as in the records
}

func (e *ExcludedError) Error() string {
	return "what these workers have played must be played again: " + strings.Join(e.Workers, ", ")
}

// Excluded returns an *ExcludedError if workers were excluded since it was asked last.
func (c *Coordinator) Excluded() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.excluded) == 0 {
		return nil
	}
	e := &ExcludedError{c.excluded}
	c.excluded = nil
	return e
}

// feed draws fixtures, as there is room for them, and puts them into jobs, until Drain.
func (r *run) feed(ctx context.Context, fixtures iter.Seq[arena.Fixture]) error {
	n := 0
	for f := range fixtures {
		if err := r.enter(ctx, dispatch.NewMatch(n, f)); err != nil || r.c.isDraining() {
			return err
		}
		n++
	}
	return r.settled(r.schedule.EndEntries)
}

// enter waits for room, and adds a match to the job that is ready. Where it has to wait,
// that job is played meanwhile.
func (r *run) enter(ctx context.Context, e *dispatch.Match) error {
	for {
		var changed <-chan struct{}
		isEntered := false
		r.c.do(func(now time.Time) { isEntered, changed = r.schedule.Enter(e, now), r.changed })
		if isEntered {
			return nil
		}
		select {
		case <-changed:
		case <-r.c.draining.Done():
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// settled changes the state, and returns errSettled if there is nothing left to wait for then.
func (r *run) settled(change func(now time.Time)) (err error) {
	r.c.do(func(now time.Time) {
		if change(now); r.schedule.IsSettled() {
			err = errSettled
		}
	})
	return err
}

// collect takes records as they come, and does what must be done from time to time.
func (r *run) collect(ctx context.Context) error {
	every := min(fleet.BeatEvery, r.c.config.Dispatch.Silence/4)
	for last := time.Now(); ctx.Err() == nil && r.err == nil; {
		if r.c.results.fetch(ctx, every, r.takeResults) != nil && r.err == nil {
			_ = worker.Wait(ctx, every/4)
		}
		if r.err == nil && time.Since(last) >= every {
			last, r.err = time.Now(), r.tick(ctx)
		}
	}
	return r.err
}

// tick has the schedule do what must be done from time to time. The error is why the Run
// ends: after Drain, when the matches in progress are over, or their records can't come.
func (r *run) tick(ctx context.Context) error {
	switch {
	case r.c.nc.IsClosed():
		return fmt.Errorf("the NATS server does not let this run connect any more: %w", r.c.nc.LastError())
	case !r.c.nc.IsConnected() && r.lost.IsZero():
		r.lost = time.Now()
		r.c.config.Note("umpire: the NATS server can't be reached; trying again\n")
		return nil
	case !r.c.nc.IsConnected() && r.c.isDraining() && time.Since(r.lost) > r.c.config.Dispatch.Silence:
		return errDrained
	case !r.c.nc.IsConnected():
		return nil
	case !r.lost.IsZero():
		r.lost = time.Time{}
		r.c.config.Note("umpire: the NATS server is there again\n")
	}
	if err := r.c.lead.check(ctx); errors.Is(err, errLost) {
		return err
	}
	r.c.checkKeys()
	isOver := false
	r.c.do(func(now time.Time) {
		r.schedule.Tick(now)
		isOver = r.c.isDraining() && r.schedule.IsQuiet()
	})
	if err := r.keep(); err != nil || !isOver {
		return err
	}
	return errDrained
}

// takeResults verifies records, several at a time, and writes those that count. It does so with the
// first before it unpacks more than there is room for.
func (r *run) takeResults(list []stored) error {
	results := make([]dispatch.Result, len(list))
	matches := make([]string, len(list)) // hashes of their names
	checked := make([]bool, len(list))   // whose built-in bots' replies are compared with those that they must give
	awaited := make([]bool, len(list))   // whose jobs have matches without a record; others change nothing
	var strangers []string               // ids of those that have never joined
	r.c.do(func(time.Time) {
		for i, s := range list {
			one := &results[i]
			one.From.ID, one.Job, one.I, matches[i] = fleet.ResultOf(s.msg.Subject())
			one.Early = s.number <= r.c.results.old
			if one.From = r.c.dispatcher.Giver(one.From.ID); !one.From.Known {
				name, _ := r.c.lead.names.Load(one.From.ID)
				one.From.Name, _ = name.(string) // "" if it never joined
				if one.From.Name == "" && one.From.ID != fleet.Probe && !slices.Contains(strangers, one.From.ID) {
					strangers = append(strangers, one.From.ID)
				}
			}
			awaited[i], checked[i] = r.schedule.Awaits(one.Job)
		}
	})
	origins, _ := r.c.origins(strangers) // without an answer, they are found out by their next records
	for i := range results {
		from := &results[i].From
		if at, isStranger := origins[from.ID]; isStranger {
			from.IsStranger, from.Key = true, at.Key
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var held atomic.Int64 // bytes of valid records
	n := 0
	for most := min(fetchBytes, r.c.config.Stored); n < len(results) && held.Load() < most; n++ {
		i := n
		one := &results[i]
		place := r.c.place(one.From.ID, one.Job, one.I, matches[i])
		one.Proven = hmac.Equal([]byte(place), []byte(fleet.LastToken(list[i].msg.Subject())))
		if one.Proven && !one.From.Dropped && (one.Early || one.From.Known && awaited[i]) {
			group.Go(func() error {
				one.Err = referee.Guard(func() (err error) {
					data, err := unpack(list[i].msg.Data())
					if err != nil {
						return fmt.Errorf("unpack record: %w", err)
					}
					err = r.c.inspect(one, data)
					if one.Early { // nobody knows its job any more
						one.Proven = matches[i] == hashOf(one.Record.FullName())
					}
					if err == nil && r.c.config.Control != nil && one.Record.Error == "" {
						err = r.c.config.Control(&one.Record, checked[i])
					}
					if err != nil {
						one.Record = record.Record{} // which may be large
					} else {
						held.Add(int64(len(data)))
					}
					return err
				})
				return nil
			})
		}
	}
	_ = group.Wait()
	r.c.do(func(now time.Time) {
		for i := range n {
			r.schedule.Take(&results[i], now)
		}
		r.schedule.Progress(list[n-1].number, now)
	})
	if r.err = r.keep(); r.err == nil && n < len(list) {
		return r.takeResults(list[n:])
	}
	return r.err
}

// keep gives the records that are there to done. The error is why the Run ends.
func (r *run) keep() error {
	var list []dispatch.Finished
	r.c.do(func(time.Time) { list = r.schedule.TakeOver() })
	for _, one := range list {
		if _, isRefused := referee.ParseRefused(one.Record.Error); isRefused && r.c.config.CheckCase != nil {
			if err := r.c.config.CheckCase(one.Fixture); err != nil { // so will each match on the case
				return err
			}
		}
		if err := referee.Guard(func() error { return r.done(one.N, one.Record) }); err != nil {
			return err
		}
	}
	return r.settled(func(time.Time) {
		close(r.changed)
		r.changed = make(chan struct{})
	})
}

// checkKeys ends the part of workers whose keys are valid no more.
func (c *Coordinator) checkKeys() {
	var ids []string
	c.do(func(time.Time) { ids = c.dispatcher.Keyed() })
	if at, err := c.origins(ids); err == nil {
		c.do(func(now time.Time) { c.dispatcher.EndRemoved(at, now) })
	}
}

// playHere is the coordinator's own worker.
func (c *Coordinator) playHere(ctx context.Context) error {
	id := fleet.IDOf(c.secret)
	nc, err := c.connect(worker.Options(id, c.secret)...)
	if err != nil {
		return err
	}
	w := &worker.Worker{Build: c.config.Dispatch.Build, Local: *c.config.Own, Own: c.names.Run, Note: c.config.Note}
	if err := w.Play(ctx, ctx, nc, id); !errors.Is(err, worker.ErrEnded) {
		return err
	}
	return nil
}
