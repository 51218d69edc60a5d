package coordinator

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/record"
)

var errSettled = errors.New("all matches are over")

// Run implements arena.Runner.
func (c *Coordinator) Run(ctx context.Context, fixtures iter.Seq[arena.Fixture], done func(n int, r record.Record) error) error {
	if c.isDraining() {
		return errDrained
	}
	r := &run{c: c, done: done, changed: make(chan struct{}), fedUp: make(chan struct{})}
	c.do(func(time.Time) { r.schedule = c.dispatcher.Begin() })
	defer c.do(func(time.Time) { c.dispatcher.End() })
	outer := ctx
	ctx, r.stop = context.WithCancelCause(ctx)
	defer context.AfterFunc(c.lead.lost, func() { r.stop(c.lead.check()) })()
	group, ctx := errgroup.WithContext(ctx)
	work := func(f func(context.Context) error) {
		group.Go(func() error { return referee.Guard(func() error { return f(ctx) }) })
	}
	work(func(ctx context.Context) error {
		defer close(r.fedUp)
		if err := r.feed(ctx, fixtures); err != nil && !errors.Is(err, errDrained) {
			return err
		}
		return r.keep() // there may have been none
	})
	work(r.collect)
	work(r.tick)
	work(c.results.tend)
	if c.config.Own != nil {
		work(c.playHere)
	}
	_ = group.Wait()
	err := context.Cause(ctx) // the first
	switch {
	case errors.Is(err, errSettled):
		return c.Excluded()
	case outer.Err() != nil:
		// Take the records that lie ready.
		_ = referee.Guard(func() error { return c.results.fetch(context.Background(), fleet.BeatEvery/2, r.takeResults) })
		return context.Cause(outer)
	}
	return err
}

// ExcludedError is the error of a Run all of whose matches have records, some of which
// do not count: those of workers that were excluded.
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

// tick has the schedule do what must be done from time to time, and ends the Run after
// Drain, when the matches in progress are over.
func (r *run) tick(ctx context.Context) error {
	for draining := r.c.draining.Done(); ; {
		select {
		case <-time.After(min(fleet.BeatEvery, r.c.config.Dispatch.Silence/4)):
		case <-draining:
			draining = nil
			<-r.fedUp
			r.c.do(func(time.Time) { r.c.dispatcher.Drain() })
			_ = r.c.nc.Publish(r.c.names.News(), nil)
		case <-ctx.Done():
			return nil
		}
		switch {
		case r.c.nc.IsClosed():
			return fmt.Errorf("the NATS server does not let this run connect any more: %w", r.c.nc.LastError())
		case !r.c.nc.IsConnected():
			continue
		}
		isOver := false
		r.c.checkKeys()
		r.c.do(func(now time.Time) {
			r.schedule.Tick(now)
			isOver = draining == nil && r.schedule.IsQuiet()
		})
		if err := r.keep(); err != nil {
			return err
		}
		if isOver {
			return errDrained
		}
	}
}

// checkKeys ends the part of workers whose keys are valid no more.
func (c *Coordinator) checkKeys() {
	var ids []string
	c.do(func(time.Time) { ids = c.dispatcher.Keyed() })
	at := c.origins(ids)
	c.do(func(now time.Time) { c.dispatcher.EndRemoved(at, now) })
}

// playHere is the coordinator's own worker.
func (c *Coordinator) playHere(ctx context.Context) error {
	nc, err := c.connect(worker.Options(fleet.IDOf(c.secret), c.secret)...)
	if err != nil {
		return err
	}
	w := &worker.Worker{
		Version: c.config.Dispatch.Version, Build: c.config.Dispatch.Build, Isolation: c.config.Own.Isolation, CPU: c.config.CPU,
		Local: *c.config.Own, Own: true, Note: c.config.Note,
	}
	if err := w.Play(ctx, nc, c.names, fleet.IDOf(c.secret), c.secret); !errors.Is(err, worker.ErrEnded) {
		return err
	}
	return nil
}
