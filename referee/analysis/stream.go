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
		queue := make(chan job, 2*jobs)
		go func() {
			defer close(queue)
			err := referee.Guard(func() error {
				feed(ctx, sources, queue, slots, func(r record.Record) (*Match, error) { return memory.Of(r, games, only) })
				return nil
			})
			if err != nil {
				failed(ctx, queue, err)
			}
		}()
		for {
			j, ok := next(ctx, queue)
			if !ok {
				return
			}
			r, ok := next(ctx, j.done)
			if !ok || !yield(r, j.err) || j.err != nil {
				return
			}
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

// job is a record that is being analysed.
type job struct {
	done chan Result
	err  error // of the sources
}

// feed starts the analysis of each record, as many at a time as there are slots.
func feed(ctx context.Context, sources iter.Seq2[Source, error], queue chan<- job, slots chan struct{}, of func(record.Record) (*Match, error)) {
	for source, err := range sources {
		if err != nil {
			failed(ctx, queue, err)
			return
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		j := job{done: make(chan Result, 1)}
		go func() {
			r := Result{Source: source}
			r.Err = referee.Guard(func() (err error) {
				r.Match, err = of(source.Record)
				return err
			})
			<-slots
			j.done <- r
		}()
		select {
		case queue <- j:
		case <-ctx.Done():
			return
		}
	}
}

// failed queues an error of the sources.
func failed(ctx context.Context, queue chan<- job, err error) {
	j := job{make(chan Result, 1), err}
	j.done <- Result{}
	select {
	case queue <- j:
	case <-ctx.Done():
	}
}
