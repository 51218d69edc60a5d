package fleet

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// keepResults is how many results that the run folder has stay stored: a second
// result of the same match, which comes soon after the first if it comes at
// all, is refused by the server itself.
const keepResults = 2 * maxRoom

// tend looks after the stored results from time to time: it removes old ones, so
// that a long run takes no more room than a short one, and when none come it
// finds out whether that is because the server can't store them.
func (c *Coordinator) tend(ctx context.Context) error {
	tries := 0
	for last := uint64(0); ; {
		if err := wait(ctx, lostAfter); err != nil {
			return err
		}
		results, err := c.js.Stream(ctx, c.names.results())
		if err != nil {
			continue // a server that is gone is asked the next time
		}
		if n := results.CachedInfo().State.LastSeq; n != last {
			last, tries = n, 0
			_ = c.trim(ctx, results, keepResults)
			continue
		}
		tries++
		if err := c.probe(ctx); err == nil {
			tries = 0
		} else if err := c.mayStore(ctx, c.names.results(), tries, err); err != nil {
			return err
		}
	}
}

// probe stores a message that means nothing among the results.
func (c *Coordinator) probe(ctx context.Context) error {
	_, err := c.js.PublishMsg(ctx, &nats.Msg{Subject: c.back(newName()), Header: nats.Header{headReturned: {"probe"}}})
	return err
}

// maxSilent is how often a server may leave unanswered what is sent to be
// stored, while it answers other questions.
const maxSilent = 3

// mayStore decides what the error of an attempt to store something means, the
// latest of so many in a row. It returns nil if another attempt makes sense: a
// server that is gone may come back. One whose disk is full is there, and does
// not answer; it stores nothing until it is restarted.
func (c *Coordinator) mayStore(ctx context.Context, stream string, tries int, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !isTemporary(err):
		return fmt.Errorf("store in NATS stream %s: %w", stream, err)
	case tries < maxSilent:
		return nil
	}
	if _, gone := c.js.Stream(ctx, stream); gone != nil {
		return nil
	}
	if c.Server == nil {
		return fmt.Errorf("the NATS server answers, but does not store what is sent to stream %s: its disk may be full (%w); make room and restart it", stream, err)
	}
	if why := c.Server.tryWrite(); why != nil {
		err = why
	}
	return fmt.Errorf("matches under way can't be stored in %s: its disk may be full (%w); make room and resume the run", c.Server.folder, err)
}

// trim removes the results that have been acknowledged, which they are once
// done has written them, but for the last so many. A second result of a match
// whose first one is removed is stored, and queue.take ignores it, since the
// match is not pending.
func (c *Coordinator) trim(ctx context.Context, results jetstream.Stream, keep uint64) error {
	info, err := c.results.Info(ctx)
	if err != nil {
		return fmt.Errorf("look at results: %w", err)
	}
	if info.AckFloor.Stream <= keep {
		return nil
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
