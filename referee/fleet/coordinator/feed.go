package coordinator

import (
	"context"
	"iter"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet/dispatch"
)

// feed draws fixtures, as there is room for them, and puts them into jobs. Mirrors are
// always in one job.
func (r *run) feed(ctx context.Context, fixtures iter.Seq[arena.Fixture]) error {
	n := 0
	var bundle []*dispatch.Match // mirrors of each other
	for f := range fixtures {
		if !dispatch.Belongs(bundle, f) {
			if err := r.enter(ctx, bundle); err != nil {
				return err
			}
			bundle = nil
		}
		bundle = append(bundle, dispatch.NewMatch(n, f))
		n++
	}
	if err := r.enter(ctx, bundle); err != nil {
		return err
	}
	r.c.do(func(now time.Time) { r.schedule.EndEntries(now) })
	return nil
}

// enter waits for room, and adds matches to the job that is ready. Where it has to wait,
// that job is played meanwhile.
func (r *run) enter(ctx context.Context, list []*dispatch.Match) error {
	for len(list) > 0 {
		var changed <-chan struct{}
		r.c.do(func(now time.Time) {
			if r.schedule.Enter(list, now) {
				list = nil
			} else {
				changed = r.changed
			}
		})
		if changed == nil {
			continue
		}
		select {
		case <-changed:
		case <-r.c.draining.Done():
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.c.isDraining() {
			return errDrained
		}
	}
	return nil
}
