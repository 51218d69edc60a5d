package client

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"umpire/referee"
	"umpire/referee/remote"
)

// Joining is a player of this machine that plays one match after the other at another
// umpire.
type Joining struct {
	*Client
	Game   string // "": any
	Player referee.Player
	Most   int // matches that count; 0: no limit
	// Ended is called with each match and how it ended, one at a time.
	Ended func(remote.SeatInfo, remote.TurnInfo)
	// Over is called by each session that ends since the other umpire has.
	Over func()

	one     sync.Mutex   // guards Ended
	started atomic.Int64 // matches, except void ones
	played  atomic.Bool  // a match
}

// Run plays in so many concurrent sessions.
func (j *Joining) Run(ctx context.Context, sessions int) error {
	group, ctx := errgroup.WithContext(ctx)
	for n := range sessions {
		name := ""
		if n > 0 {
			name = fmt.Sprint(n + 1)
		}
		group.Go(func() error { return referee.Guard(func() error { return j.play(ctx, name) }) })
	}
	return group.Wait()
}

// IsMistake reports whether a problem is with what the user has given: the key, the
// game, or the URL, which leads to another host or path than umpire's.
func (p *Problem) IsMistake() bool {
	return slices.Contains([]string{remote.CodeKey, remote.CodeArgument, "address", "host", codeURL}, p.Code)
}

// play plays one match after the other in one session.
func (j *Joining) play(ctx context.Context, session string) error {
	for c := *j.Client; j.Most == 0 || j.started.Add(1) <= int64(j.Most); {
		seat, err := c.Join(ctx, j.Game, session)
		if err == nil {
			err = j.match(ctx, seat)
			c.over = err == nil
		}
		var p *Problem
		switch {
		case errors.As(err, &p) && p.Code == remote.CodeStopping, errors.Is(err, ErrNoAnswer) && j.played.Load():
			j.Over()
			return nil
		case errors.As(err, &p) && p.Code == remote.CodeSuperseded:
			return fmt.Errorf("another program plays with this key: %w", err)
		case errors.As(err, &p) && p.Code == remote.CodeTicket:
			j.started.Add(-1) // the other umpire was started again: the match is void
		case err != nil:
			return err
		}
	}
	return nil
}

// match plays one match.
func (j *Joining) match(ctx context.Context, seat remote.SeatInfo) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	end, err := j.Play(ctx, seat, j.Player)
	if err != nil {
		return err
	}
	if j.played.Store(true); end.State == remote.TurnVoid {
		j.started.Add(-1)
	}
	j.one.Lock()
	defer j.one.Unlock()
	j.Ended(seat, end)
	return nil
}
