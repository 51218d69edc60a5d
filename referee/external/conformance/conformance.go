// Package conformance plays the game of a folder in all the ways that its judge has to
// withstand, and says what is wrong with the folder. Its players are functions, but for
// the folder's own bots. It knows nothing of commands.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/external"
	"umpire/referee/talk"
)

// Suite checks the game of a folder.
type Suite struct {
	Folder  *external.Folder
	Judge   external.Judge
	Bots    []arena.Program // of the folder
	Matches int             // of random play, each of them twice
	Jobs    int             // judges at a time, at least 1
	// Told is called with each part of the suite when it is over.
	Told func(Part)

	game protocols.Game
	set  cases.Set
	// What was played by the folder's bots, and, with pictures, at random.
	seen, drawn []played
}

// Part is a part of the suite, as it went.
type Part struct {
	Name     string    `json:"part"`
	Did      string    `json:"did,omitempty"` // in words; "" where something is wrong
	Matches  int       `json:"matches"`
	Wrong    *Finding  `json:"wrong,omitempty"`
	Warnings []Finding `json:"warnings,omitempty"`
}

// Finding is something that is wrong with a folder.
type Finding struct {
	What    string   `json:"what"`
	Where   []string `json:"where,omitempty"`   // the match, and what was said in it
	Instead string   `json:"instead,omitempty"` // what to write

	judge bool // it is the judge's: no match can count on it
}

func (f *Finding) Error() string { return f.What }

// wrongf returns a finding without a place.
func wrongf(instead, format string, args ...any) *Finding {
	return &Finding{What: fmt.Sprintf(format, args...), Instead: instead}
}

// Run runs all parts, and reports whether nothing is wrong. After one in which a judge
// erred no other is run. An error is umpire's, or that of ctx.
func (s *Suite) Run(ctx context.Context) (ok bool, err error) {
	s.game, ok = s.Folder.Game(), true
	for _, part := range []struct {
		name string
		run  func(context.Context, *Part) error
	}{
		{"cases", s.cases}, {"generate", s.generate}, {"bots", s.bots}, {"play", s.play}, {"pictures", s.pictures}, {"failures", s.failures}, {"rules", s.rules},
	} {
		if part.name == "generate" && s.Folder.Generate == "" {
			continue
		}
		p := Part{Name: part.name}
		if err := part.run(ctx, &p); err != nil {
			wrong, isFinding := errors.AsType[*Finding](err)
			if !isFinding || ctx.Err() != nil {
				return false, err
			}
			p.Wrong, p.Did, ok = wrong, "", false
		}
		if s.Told != nil {
			s.Told(p)
		}
		if p.Wrong != nil && (p.Wrong.judge || part.name == "cases") {
			return false, nil
		}
	}
	return ok, nil
}

// setup is the case, the number of seats and the repetition of a match.
type setup struct {
	cases.Case
	seats      int
	repetition int // of the case, from 1: another deal where the judge draws
}

// fixture returns what a judge is told of a match.
func (s *Suite) fixture(u setup) arena.Fixture {
	return arena.Fixture{
		Game: s.game.Name, Case: u.Record(), Seats: make([]arena.Seat, u.seats), Repetition: u.repetition, Random: s.Folder.Random, Seed: 1,
		Want: talk.Shown,
	}
}

// setups returns the setups of n matches: all cases with all numbers of seats, in turn.
func (s *Suite) setups(n int) (list []setup) {
	for round := 1; len(list) < n; round++ {
		for _, c := range s.set.Cases {
			for seats := s.game.MinSeats; seats <= s.game.MaxSeats; seats++ {
				list = append(list, setup{c, seats, round})
			}
		}
	}
	return list[:n]
}

// table is where matches are played, one at a time, by the judges of a job.
type table struct {
	suite  *Suite
	judges arena.Judges
}

// each calls do for 0 to n-1 at Jobs tables, until one returns an error; that of the
// lowest number is returned.
func (s *Suite) each(ctx context.Context, n int, do func(ctx context.Context, t *table, i int) error) error {
	var mu sync.Mutex
	next, failed := 0, n
	var first error
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		i, next = next, next+1
		return i, i < failed && ctx.Err() == nil
	}
	var group errgroup.Group
	for range min(n, max(1, s.Jobs)) {
		group.Go(func() error {
			return referee.Guard(func() error {
				runtime.LockOSThread() // see arena.Judges
				defer runtime.UnlockOSThread()
				t := &table{s, s.Judge.Judges()}
				defer t.judges.Close()
				for i, ok := take(); ok; i, ok = take() {
					if err := do(ctx, t, i); err != nil {
						mu.Lock()
						if i < failed {
							first, failed = err, i
						}
						mu.Unlock()
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
	return first
}

// played is a match that was played.
type played struct {
	setup
	events []referee.Event
	talk   string
	result referee.Result
}

// match plays a match of players, and again if it is void. An error is a Finding if the
// judge is wrong.
func (t *table) match(ctx context.Context, u setup, players []*player) (p played, err error) {
	return t.again(ctx, u, func(m protocols.Match) (referee.Result, error) {
		table := make([]referee.Contestant, len(players))
		for i, one := range players {
			one.begin(m, i+1)
			table[i] = one
		}
		return referee.Lines{Match: m}.Conduct(ctx, table, protocols.Limits{}, referee.Watcher{})
	})
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
