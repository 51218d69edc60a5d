package analysis

import (
	"context"
	"iter"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Source is a record and where it was read.
type Source struct {
	File   string
	Number int // of the line, from 1
	Record record.Record
}

// Result is the analysis of a Source, or why there is none.
type Result struct {
	Source
	Match *Match
	Err   error
}

// Stream analyses records, several at a time, and yields the results in order.
// It reads a few records ahead. An error of sources is yielded alone, and ends
// it; so does the end of ctx. It does not wait for a source that is blocked.
func Stream(ctx context.Context, sources iter.Seq2[Source, error], games []protocols.Game, only func(record.Seat) bool, jobs int) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		slots, memory := make(chan struct{}, jobs), new(Memory)
		queue := make(chan (<-chan Result), 2*jobs)
		var broken error // of the sources; known when the queue is closed
		go func() {
			defer close(queue)
			broken = referee.Guard(func() error {
				return feed(ctx, sources, queue, slots, func(r record.Record) (*Match, error) { return memory.Of(r, games, only) })
			})
		}()
		for done, more := next(ctx, queue); more; done, more = next(ctx, queue) {
			r, ok := next(ctx, done)
			if !ok || !yield(r, nil) {
				return
			}
		}
		if ctx.Err() == nil && broken != nil { // else the queue may be open
			yield(Result{}, broken)
		}
	}
}

// next receives from a channel; it is not ok at the end of the channel or of ctx.
func next[T any](ctx context.Context, from <-chan T) (one T, ok bool) {
	select {
	case one, ok = <-from:
	case <-ctx.Done():
	}
	return one, ok
}

// feed starts the analysis of each record, as many at a time as there are slots, and queues
// where its result will be. It returns an error of the sources.
func feed(ctx context.Context, sources iter.Seq2[Source, error], queue chan<- <-chan Result, slots chan struct{}, of func(record.Record) (*Match, error)) error {
	for source, err := range sources {
		if err != nil {
			return err
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		done := make(chan Result, 1)
		go func() {
			r := Result{Source: source}
			r.Err = referee.Guard(func() (err error) {
				r.Match, err = of(source.Record)
				return err
			})
			<-slots
			done <- r
		}()
		select {
		case queue <- done:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
