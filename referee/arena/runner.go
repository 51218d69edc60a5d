package arena

import (
	"context"
	"iter"

	"umpire/referee/record"
)

// Runner plays matches. Package arenatest holds its conformance test.
type Runner interface {
	// Run plays all fixtures and calls done with the record of each as its
	// match ends, one call at a time but in no particular order; n is the
	// fixture's index in the sequence. Each fixture has exactly one record; if
	// it can't be played, the record's Error says why. Run stops at the first
	// error of done, or when ctx ends, and returns that error; matches in
	// progress are lost.
	Run(ctx context.Context, fixtures iter.Seq[Fixture], done func(n int, r record.Record) error) error
}
