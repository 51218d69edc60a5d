package arena

import (
	"context"
	"iter"

	"umpire/referee/record"
)

// Runner is where matches are played. Package arenatest holds its conformance
// test.
type Runner interface {
	// Run plays all fixtures and calls done for the record of each as its match
	// ends, one at a time but in no particular order; n is the fixture's place in
	// the sequence, from 0. Each fixture has exactly one record; that of one that
	// can't be played says why in Error. Run stops at the first error of done, or
	// when ctx ends, and returns that; what was being played then is lost.
	Run(ctx context.Context, fixtures iter.Seq[Fixture], done func(n int, r record.Record) error) error
}
