// Package tournament plays many matches: it runs them at once, and for
// tournaments makes the schedule and the standings. It knows of one match only
// what its record says.
package tournament

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/contestant/sandbox"
	"umpire/referee/record"
)

// Fixture is one match that is to be played.
type Fixture struct {
	Case       cases.Case
	Bots       []contestant.Bot // seat 1 first
	House      []bool           // by seat: a built-in bot that takes a free seat
	Repetition int              // from 1
}

// Runner plays fixtures, all under the same conditions.
type Runner struct {
	Game      protocols.Game
	Limits    func(c protocols.Case, seats int) protocols.Limits
	Launcher  sandbox.Launcher
	Pondering contestant.Pondering
	Umpire    string // version, for records
	Jobs      int    // matches at once, at least 1
	// CPUs are the processors to pin matches to; none: no pinning. A match has
	// one of them or, where each of its seats needs one, Spread.
	CPUs   []int
	Spread int
	// Watch, if not nil, makes what follows each match.
	Watch func(Fixture) referee.Watcher
	// Voided, if not nil, is called when a match was void and is played again;
	// by several goroutines at once.
	Voided func(f Fixture, why error)
}

// match is the match of a fixture.
func (r Runner) match(f Fixture) referee.Match {
	m := referee.Match{
		Game: r.Game, Case: f.Case.Case, Bots: f.Bots, Limits: r.Limits(f.Case.Case, len(f.Bots)),
		Launcher: r.Launcher, Pondering: r.Pondering,
	}
	if r.Watch != nil {
		m.Watch = r.Watch(f)
	}
	return m
}

// CheckStart starts a bot under the conditions of a match on c, and kills it at
// once. The error says why it can't be started.
func (r Runner) CheckStart(c cases.Case, bot contestant.Bot) error {
	return r.match(Fixture{Case: c, Bots: slices.Repeat([]contestant.Bot{bot}, r.Game.MaxSeats)}).CheckStart(1)
}

// facts are what the record of a fixture says besides how it was played.
func (r Runner) facts(f Fixture) record.Facts {
	return record.Facts{
		Umpire: r.Umpire, Isolation: r.Launcher.Level(), Repetition: f.Repetition, House: f.House,
		Case: record.Case{
			Name: f.Case.Name, Group: f.Case.Group, Points: f.Case.Points, Text: f.Case.String(),
			Combine: string(f.Case.Combine), Baseline: f.Case.Baseline,
		},
	}
}

// Play plays one match, in the calling goroutine. One that is void is played
// again, once.
func (r Runner) Play(ctx context.Context, f Fixture) record.Record { return r.play(ctx, f, nil) }

// play is Play on the given processors.
func (r Runner) play(ctx context.Context, f Fixture, cpus []int) record.Record {
	m, facts := r.match(f), r.facts(f)
	m.Place = place(cpus)
	facts.Started = time.Now()
	played, err := m.Play(ctx)
	if first, void := referee.Void(err); void && ctx.Err() == nil {
		if r.Voided != nil {
			r.Voided(f, err)
		}
		m = r.match(f) // a watcher of its own
		m.Voided, m.Place = first, place(cpus)
		before := err
		played, err = m.Play(ctx)
		if _, void = referee.Void(err); void {
			err = fmt.Errorf("%w; and the first time: %w", err, before)
		}
	}
	facts.Wall = time.Since(facts.Started)
	return record.New(m, played, err, facts)
}

// ID is the id that the record of a fixture has.
func (r Runner) ID(f Fixture) string {
	return record.New(r.match(f), referee.Played{}, nil, r.facts(f)).ID
}

// Run plays all fixtures, Jobs at once, and calls done for each record as its
// match ends, one at a time but in no particular order; n is the fixture's
// place in the sequence, from 0. It stops at the first error of done, or when
// ctx ends; what was being played then is lost.
func (r Runner) Run(ctx context.Context, fixtures iter.Seq[Fixture], done func(n int, r record.Record) error) error {
	type numbered struct {
		n int
		Fixture
	}
	group, ctx := errgroup.WithContext(ctx)
	// The next matches lie ready, so that no job waits for another goroutine.
	todo := make(chan numbered, 2*max(1, r.Jobs))
	work := func(f func() error) { group.Go(func() error { return referee.Guard(f) }) }
	work(func() error {
		defer close(todo)
		n := 0
		for f := range fixtures {
			select {
			case todo <- numbered{n, f}:
				n++
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	var one sync.Mutex // guards done
	report := func(n int, r record.Record) error {
		one.Lock()
		defer one.Unlock()
		return done(n, r)
	}
	for job := range max(1, r.Jobs) {
		work(func() error {
			cpus := r.cpus(job)
			defer pin(cpus)()
			for m := range todo {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				played := r.play(ctx, m.Fixture, cpus)
				if played.Error != "" && ctx.Err() != nil {
					return context.Cause(ctx) // it was broken off
				}
				if err := report(m.n, played); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// cpus are the processors of a job.
func (r Runner) cpus(job int) []int {
	if len(r.CPUs) == 0 {
		return nil
	}
	var list []int
	for i := range max(1, r.Spread) {
		list = append(list, r.CPUs[(job*max(1, r.Spread)+i)%len(r.CPUs)])
	}
	return list
}

// pin ties a job's goroutine to its thread, and that to the job's processors.
// A pinned thread is never given back: it ends with the goroutine.
func pin(cpus []int) (unpin func()) {
	if len(cpus) == 0 {
		return func() {}
	}
	runtime.LockOSThread()
	if err := setAffinity(cpus...); err != nil {
		return runtime.UnlockOSThread
	}
	return func() {}
}

// place gives each seat of a match a processor of its own, where there are
// several; umpire may use all of them.
func place(cpus []int) func(seat int) {
	if len(cpus) < 2 {
		return nil
	}
	return func(seat int) {
		own := cpus
		if seat > 0 {
			own = cpus[seat-1 : seat]
		}
		_ = setAffinity(own...) // as it was for the whole job
	}
}
