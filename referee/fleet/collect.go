package fleet

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee"
)

// collect takes results until the queue is settled.
func (q *queue) collect(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-q.settled:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		err := q.fetch(ctx, fetchWait)
		select {
		case <-q.settled:
			return q.failure()
		default:
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if err := wait(ctx, beatEvery/4); err != nil {
				return err
			}
		}
	}
}

// maxFetch is how many results are asked for at a time.
const maxFetch = 256

// fetch takes the results that come within a time. An acknowledgement covers all
// results before it, those included that take would see again: their fixtures
// stay pending, and are found by audit.
func (q *queue) fetch(ctx context.Context, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	batch, err := q.results.Fetch(maxFetch, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	var last jetstream.Msg // that has been taken and is not acknowledged
	for msg := range batch.Messages() {
		if q.take(msg) {
			last = msg
		} else if q.failure() != nil {
			break
		}
		if last != nil && len(batch.Messages()) == 0 {
			_ = last.Ack()
			last = nil
		}
	}
	if last != nil {
		_ = last.Ack()
	}
	return batch.Error()
}

// drain takes the results that lie ready after the Run was interrupted.
func (q *queue) drain() {
	select {
	case <-q.settled:
	default:
		q.mu.Lock()
		q.drained = true
		q.mu.Unlock()
		_ = referee.Guard(func() error { return q.fetch(context.Background(), beatEvery/2) })
	}
}
