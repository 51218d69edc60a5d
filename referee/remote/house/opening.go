package house

import (
	"context"

	"umpire/referee/arena"
	"umpire/referee/remote"
)

// opening is a host whose matches begin when they have their place. It hands on the
// first table that it opens.
type opening struct {
	*remote.Hub
	place  *place
	opened chan *remote.Table
}

// Open implements arena.Host.
func (o *opening) Open(f arena.Fixture) arena.Table {
	t := o.Hub.Open(f).(*remote.Table)
	o.place.opened(t.ID())
	select {
	case o.opened <- t:
	default: // the match was void, and is played again
	}
	return placed{t, o.place}
}

// placed is a table whose match needs a place.
type placed struct {
	*remote.Table
	place *place
}

// Gather implements arena.Table.
func (p placed) Gather(ctx context.Context) error {
	if err := p.Table.Gather(ctx); err != nil {
		return err
	}
	return p.place.begin(ctx)
}
