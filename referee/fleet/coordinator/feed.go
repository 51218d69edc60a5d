package coordinator

import (
	"context"
	"iter"
	"time"

	"umpire/referee/arena"
	"umpire/referee/fleet/dispatch"
)

// feed draws fixtures, as there is room for them, and puts them into jobs.
func (r *run) feed(ctx context.Context, fixtures iter.Seq[arena.Fixture]) error {
	n := 0
	for f := range fixtures {
		if err := r.enter(ctx, dispatch.NewMatch(n, f)); err != nil {
			return err
		}
		n++
	}
	r.c.do(func(now time.Time) { r.schedule.EndEntries(now) })
	return nil
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
			return errDrained
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
