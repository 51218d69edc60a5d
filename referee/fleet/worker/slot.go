package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/record"
)

// slot plays one job after the other, of the run whose turn it is.
func (l *line) slot(ctx context.Context, slot int) error {
	var delivering errgroup.Group // the records of the job before
	delivering.SetLimit(1)
	defer func() { _ = delivering.Wait() }()
	for l.taking.Err() == nil {
		var pause time.Duration
		l.do(func() { pause = time.Until(l.strain.until) })
		if pause > 0 && l.w.Own == "" {
			_ = Wait(l.taking, pause)
		}
		if p := l.choose(slot); p != nil {
			if err := l.serve(slot, p, &delivering); err != nil {
				return err
			}
		}
	}
	return context.Cause(ctx)
}

// serve takes a job of a run for a slot, if there is one, and plays it. The error is why the
// worker can't go on.
func (l *line) serve(slot int, p *playing, delivering *errgroup.Group) error {
	took := time.Duration(0)
	defer func() { l.done(slot, p, took) }()
	j, err := p.take(slot)
	switch {
	case err != nil:
		l.do(func() { p.waiting = -1 }) // maybe to come back
		_ = Wait(l.taking, fleet.BeatEvery/4)
		return nil
	case j.ID == "": // the next question may have the same answer
		_ = Wait(l.taking, fleet.Together)
		return nil
	}
	job, end := context.WithCancelCause(p.ctx)
	l.do(func() {
		l.slots[slot], p.last[slot], p.held[j.ID] = nil, j.ID, end
		p.busy++
		p.worked = max(p.worked, p.busy)
	})
	began := time.Now()
	out := newOutbox(job, p, j.ID)
	err = referee.Guard(func() error { return p.matches(job, slot, j, out.put) })
	took = time.Since(began)
	out.send()
	if err != nil {
		end(err)
	}
	delivering.Go(func() error {
		defer end(nil)
		out.letGo(err)
		return nil
	})
	if errors.Is(err, errUnbegun) || errors.Is(err, errNotNeeded) {
		return nil
	}
	return err
}

// take waits for a job. It has no id if there is none for the time being.
func (p *playing) take(slot int) (j fleet.Job, err error) {
	p.l.mu.Lock()
	line, last := p.line, p.last[slot]
	p.l.mu.Unlock()
	err = p.ask(line, fleet.TakeWait, p.names.Take(p.l.id), fleet.Take{Start: p.l.start, Slot: slot, Last: last}, &j)
	if line.Err() != nil || errors.Is(err, context.DeadlineExceeded) { // a job that is given meanwhile is given again
		err = nil
	}
	return j, err
}

// matches plays the matches of a job, and puts their records in their places. The worker may
// be asked to finish meanwhile; then the matches that have not begun are not played.
func (p *playing) matches(ctx context.Context, slot int, j fleet.Job, put func(place string, f arena.Fixture, r record.Record) error) error {
	var fixtures []arena.Fixture
	if err := json.Unmarshal(j.Fixtures, &fixtures); err != nil {
		return fmt.Errorf("read job: %w", err)
	}
	if len(j.At) != len(fixtures) {
		return fmt.Errorf("found a job of %d matches with %d places", len(fixtures), len(j.At))
	}
	local := p.l.w.Local
	broken := p.prepare(ctx, &local, fixtures)
	local.Jobs, local.CPUs = 1, p.l.w.Local.JobCPUs(slot)
	local.Enough = func() bool { return p.l.taking.Err() != nil || p.draining.Load() }
	over := 0
	keep := func(_ int, r record.Record) error {
		if r.Error != "" && p.l.w.Check != nil {
			if err := p.l.w.Check(); err != nil {
				return err
			}
		}
		over++
		p.l.strained(&r)
		return put(j.At[over-1], fixtures[over-1], r)
	}
	for over < len(fixtures) {
		why := broken
		if broken == nil {
			err := local.Run(ctx, slices.Values(fixtures[over:]), keep)
			refused, ok := errors.AsType[*arena.CaseError](err)
			switch {
			case err == nil && over < len(fixtures):
				return errUnbegun
			case !ok:
				return err
			}
			why = refused.Refused
		} else if errors.Is(broken, errUnbegun) || ctx.Err() != nil {
			return cmp.Or(context.Cause(ctx), errUnbegun)
		}
		if err := keep(0, fixtures[over].Failed(local.Umpire, why, time.Now())); err != nil {
			return err
		}
	}
	return nil
}
