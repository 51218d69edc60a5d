package fleet

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// keepResults is how many results that the run folder has stay stored: a second
// result of the same match, which comes soon after the first if it comes at
// all, is refused by the server itself.
const keepResults = 2 * maxRoom

// trims removes results from time to time, so that a long run takes no more
// room than a short one.
func (c *Coordinator) trims(ctx context.Context) error {
	for {
		if err := wait(ctx, lostAfter); err != nil {
			return err
		}
		_ = c.trim(ctx, keepResults) // a server that is gone is asked the next time
	}
}

// trim removes the results that have been acknowledged, which they are once
// done has written them, but for the last so many. A second result of a match
// whose first one is removed is stored, and queue.take ignores it, since the
// match is not pending.
func (c *Coordinator) trim(ctx context.Context, keep uint64) error {
	info, err := c.results.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	if info.AckFloor.Stream <= keep {
		return nil
	}
	results, err := c.js.Stream(ctx, c.names.results())
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	first := info.AckFloor.Stream - keep + 1
	if results.CachedInfo().State.FirstSeq >= first {
		return nil
	}
	if err := results.Purge(ctx, jetstream.WithPurgeSequence(first)); err != nil {
		return fmt.Errorf("remove results: %w", err)
	}
	return nil
}
