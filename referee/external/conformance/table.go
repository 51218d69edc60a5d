package conformance

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
)

// each calls do for 0 to n-1 at Jobs tables, until one returns an error; that of the
// lowest number is returned.
func (s *Suite) each(ctx context.Context, n int, do func(t *table, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group errgroup.Group
	for range min(n, max(1, s.Jobs)) {
		group.Go(func() error {
			return referee.Guard(func() error {
				runtime.LockOSThread() // see arena.Judges
				defer runtime.UnlockOSThread()
				t := &table{s, s.Judge.Judges()}
				defer t.judges.Close()
				for !failed.Load() && ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= n {
						break
					}
					if errs[i] = do(t, i); errs[i] != nil {
						failed.Store(true)
					}
				}
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return cmp.Or(errs...)
}

// match plays a match of players, and again if it is void. An error is a Finding if the
// judge is wrong.
func (t *table) match(ctx context.Context, u setup, players []*player) (p played, err error) {
	return t.again(ctx, u, func(m protocols.Match) (referee.Result, error) {
		return conduct(ctx, m, players, func([]int) bool { return true })
	})
}

// errLeft ends a match of which no more is to be known.
var errLeft = errors.New("no more of the match is to be known")

// conduct leads a match of players as long as goesOn, which hears which seats are asked next,
// reports true.
func conduct(ctx context.Context, m protocols.Match, players []*player, goesOn func(seats []int) bool) (referee.Result, error) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	table := make([]referee.Contestant, len(players))
	for i, one := range players {
		one.begin(m, i+1)
		table[i] = one
	}
	result, err := referee.Lines{Match: m}.Conduct(ctx, table, protocols.Limits{}, referee.Watcher{Awaited: func(seats []int, _ protocols.Match) {
		if !goesOn(seats) {
			leave(errLeft)
		}
	}})
	if errors.Is(err, errLeft) {
		err = nil
	}
	return result, err
}

// again plays a match with a judge, until it is not void.
func (t *table) again(ctx context.Context, u setup, play func(protocols.Match) (referee.Result, error)) (p played, err error) {
	f := t.suite.fixture(u)
	c, err := t.suite.game.Parse(u.String())
	if err != nil {
		return p, err
	}
	for range referee.MaxPlays {
		m, end := t.judges.Match(f, c)
		p = played{setup: u}
		p.result, err = play(m)
		p.events, p.talk = p.result.Events, p.result.Talk
		end()
		if !referee.IsVoid(err) || ctx.Err() != nil {
			break
		}
	}
	return p, t.explain(err, p)
}
