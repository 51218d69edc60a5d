package fleet

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Drain lets the matches that are being played finish, and begins no more. Run
// then returns an error that is context.Canceled, unless all matches have ended.
func (c *Coordinator) Drain() { c.drain.Do(func() { close(c.draining) }) }

func (c *Coordinator) isDraining() bool {
	select {
	case <-c.draining:
		return true
	default:
		return false
	}
}

// awaitDrain waits for Drain, and then for the end of the matches in progress.
func (q *queue) awaitDrain(ctx context.Context) error {
	select {
	case <-q.draining:
	case <-ctx.Done():
		return nil
	}
	q.room.Broadcast()
	select {
	case <-q.fedUp:
	case <-ctx.Done():
		return nil
	}
	for q.work.Purge(ctx) != nil {
		if wait(ctx, beatEvery) != nil {
			return nil
		}
	}
	q.crew.drain()
	_ = q.nc.Publish(q.news(), nil)
	for !q.quiet(ctx) {
		if wait(ctx, beatEvery/4) != nil {
			return nil
		}
	}
	return errDrained
}

// quiet reports whether no worker plays and all results have been taken.
func (q *queue) quiet(ctx context.Context) bool {
	if !q.crew.resting() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	info, err := q.results.Info(ctx)
	return err == nil && isTaken(info)
}

// isTaken reports whether no results wait to be taken.
func isTaken(info *jetstream.ConsumerInfo) bool {
	return info.NumPending == 0 && info.NumAckPending == 0
}

// drain has workers begin no more matches.
func (c *crew) drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drains = true
}

// resting reports whether all workers have heard that no more matches begin, and
// have finished. A job that a worker got just before is in its next beat.
func (c *crew) resting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.present() {
		if m.drained < 2 || len(m.Jobs) > 0 {
			return false
		}
	}
	return true
}

// until returns a context that also ends when a channel is closed; nil never is.
func until(ctx context.Context, stop <-chan struct{}) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-stop:
			cancel(errLeft)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// finishing reports whether the worker is to begin no more matches: as it is
// asked to end, or its coordinator is.
func (p *playing) finishing() bool {
	select {
	case <-p.Stop:
		return true
	default:
		return p.draining.Load()
	}
}

// leave ends the worker, after it was asked to, when its matches are over, or
// when there is nobody who could be given their results.
func (p *playing) leave(ctx context.Context) error {
	select {
	case <-p.Stop:
	case <-ctx.Done():
		return nil
	}
	for len(p.jobs()) > 0 && p.nc.IsConnected() {
		if wait(ctx, beatEvery/10) != nil {
			return nil
		}
	}
	return errLeft
}

// leaving is why a worker that has been asked to end takes no matches.
const leaving = "it has been asked to end, and finishes what it plays"

// now is a beat of the worker.
func (p *playing) now() beat {
	b := beat{Busy: int(max(p.busy.Load(), p.worked.Swap(0))), Played: p.played.Load(), Duplicates: p.duplicates.Load(), Jobs: p.jobs(), Waiting: p.pausing()}
	select {
	case <-p.Stop:
		b.Paused = leaving
	default:
	}
	return b
}

// jobs returns the ids of the jobs that it holds.
func (p *playing) jobs() (ids []string) {
	p.held.Range(func(id, _ any) bool {
		ids = append(ids, id.(string))
		return true
	})
	return ids
}
