package arena

import (
	"context"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// Host brings players from outside, and onlookers, to matches.
type Host interface {
	// Open opens the seats of players from outside, if there are any, in a
	// match that is about to be played. The caller must end or cancel it.
	Open(f Fixture) Table
}

// Table is a hosted match.
type Table interface {
	// ID is the id of the match, which is random.
	ID() string
	// Gather waits until all players from outside are there. The error says who
	// did not come.
	Gather(ctx context.Context) error
	// Watch returns the Watcher by which the table follows the match.
	Watch(m protocols.Match) referee.Watcher
	// End tells the players how the match ended. It is called when the record
	// has been kept: what they have been told is never lost.
	End(r record.Record)
	// Cancel tells the players that the match does not count, and why.
	Cancel(why error)
}
