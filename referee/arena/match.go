package arena

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/record"
)

// Match is a match between players, ready to be played.
type Match struct {
	referee.Setup
	Record  string           // the full name of the match; "" if it has no record
	Players []referee.Player // seat 1 first
	Watch   referee.Watcher
	Voids   []*referee.VoidError // why the match was void before: see referee.Lines
	Stalls  referee.Stalls       // of umpire; nil: unknown
	// CPUs are the processors that the thread is pinned to. If there are several,
	// each seat gets its own, and umpire may use all of them.
	CPUs []int
	// Table is where players from outside take their seats, and onlookers watch;
	// nil if the match is not hosted.
	Table Table
	// Judge, if not nil, begins the match with a judge; end must be called when it is
	// over.
	Judge func() (m protocols.Match, end func())
	// Conductor, if not nil, makes what leads a match on a case in place of lines. Again
	// seats the player of seat 1 once more.
	Conductor func(c protocols.Case, again func(context.Context) (referee.Contestant, error)) (referee.Conductor, error)

	offers protocols.Chooser // the match, once it has been made, if it says what may be replied
	given  []referee.Given   // of the player of seat 1, by the Conductor
}

// Equipper is a Conductor that gives the player of seat 1 something, which sits down as
// often as it says. Its own files are in folder own, unless that is "". End is called when
// the match is over.
type Equipper interface {
	Equip(own string) (given []referee.Given, end func(), err error)
}

// Judges leads the matches of one job whose rules are said by a judge. It is for one
// goroutine, which is locked to its thread.
type Judges interface {
	// Match begins the match of a fixture on a case; end must be called when it is
	// over.
	Match(f Fixture, c protocols.Case) (m protocols.Match, end func())
	// Close ends the judges that are left.
	Close()
}

// Play seats the players, plays the match and ends it. The started processes
// inherit the CPU affinity of the calling goroutine's thread, to which the
// goroutine stays locked meanwhile. An error is umpire's or that of ctx.
func (m Match) Play(ctx context.Context) (referee.Result, error) {
	if m.Table != nil {
		// Before the programs start, which could think meanwhile.
		if err := m.Table.Gather(ctx); err != nil {
			return referee.Result{}, err
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if m.Conductor != nil {
		return m.conduct(ctx)
	}
	var lines referee.Lines
	if err := referee.Guard(func() error { lines = m.Lines(); return nil }); err != nil {
		return referee.Result{}, err
	}
	if m.Judge != nil {
		var end func()
		lines.Match, end = m.Judge()
		defer end()
	}
	m.offers, _ = lines.Match.(protocols.Chooser)
	lines.Voids, lines.Stalls, lines.Person = m.Voids, m.Stalls, slices.ContainsFunc(m.Players, isPerson)
	if m.Table != nil {
		m.Watch = m.Watch.With(m.Table.Watch(lines.Match))
	}
	var scale *contestant.Scale
	if m.isWeighed() {
		scale = contestant.NewScale(int64(len(m.Players)) * m.Limits.Memory)
	}
	seats, err := m.sit(ctx)
	if err != nil {
		return referee.Result{}, err
	}
	if scale != nil {
		m.weigh(seats, scale)
	}
	played, err := lines.Conduct(ctx, seats, m.Limits, m.Watch)
	if scale != nil {
		m.blame(seats, err)
	}
	if err == nil {
		err = m.unchanged(ctx)
	}
	return played, err
}

// conduct plays the match under its own Conductor.
func (m Match) conduct(ctx context.Context) (referee.Result, error) {
	conductor, err := m.Conductor(m.Case, func(ctx context.Context) (referee.Contestant, error) {
		return m.Players[0].Sit(ctx, m.seating(1, 0))
	})
	if err != nil {
		return referee.Result{}, err
	}
	if e, ok := conductor.(Equipper); ok {
		own := ""
		if p, ok := m.Players[0].(Program); ok && p.Program != nil {
			own = p.Program.Dir
		}
		var end func()
		if m.given, end, err = e.Equip(own); err != nil {
			return referee.Result{}, err
		}
		defer end()
	}
	seats, err := m.sit(ctx)
	for i := 1; i < len(m.given) && err == nil; i++ {
		var again referee.Contestant
		if again, err = m.Players[0].Sit(ctx, m.seating(1, i)); err == nil {
			seats = append(seats, again)
		} else {
			stop(seats)
		}
	}
	if err != nil {
		return referee.Result{}, err
	}
	played, err := conductor.Conduct(ctx, seats, m.Limits, m.Watch)
	if err == nil {
		err = m.unchanged(ctx)
	}
	return played, err
}

func isPerson(p referee.Player) bool { return p.Identity().Kind == record.KindHuman }

// sit makes all players take their seats, or none.
func (m Match) sit(ctx context.Context) ([]referee.Contestant, error) {
	own := len(m.CPUs) > 1
	if own {
		defer setAffinity(m.CPUs...) // as it was for the whole job
	}
	seats := make([]referee.Contestant, 0, len(m.Players))
	for i, p := range m.Players {
		if own {
			_ = setAffinity(m.CPUs[i])
		}
		if why := m.convicted(i + 1); why != nil {
			seats = append(seats, broken{*why})
			continue
		}
		c, err := p.Sit(ctx, m.seating(i+1, 0))
		if err != nil {
			stop(seats)
			return nil, fmt.Errorf("start bot %s: %w", p.Identity().Name, err)
		}
		seats = append(seats, c)
	}
	return seats, nil
}

func stop(seats []referee.Contestant) {
	for _, s := range seats {
		s.Stop()
	}
}

// seating is how a player sits down, which may do so several times: process is how often it
// has done that in this match.
func (m Match) seating(seat, process int) referee.Seating {
	s := referee.Seating{Record: m.Record, Game: m.Game.Name, Seat: seat, Seats: m.Seats, Limits: m.Limits}
	if seat == 1 && process < len(m.given) {
		s.Given = m.given[process]
	}
	if m.Table != nil {
		s.Match = m.Table.ID()
	}
	if m.offers != nil {
		s.Choices = func() []protocols.Choice { return m.offers.Choices(seat) }
	}
	return s
}

// unchanged checks that the players still match their digests: a player whose
// files changed during the match may not have been the one it claims to be. A
// player whose files are gone did play as itself, and fails at its next start.
func (m Match) unchanged(ctx context.Context) error {
	for _, p := range m.Players {
		checked, ok := p.(interface{ Check(context.Context) error })
		if !ok {
			continue
		}
		if err := checked.Check(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("bot %s: %w", p.Identity().Name, err)
		}
	}
	return nil
}

// Reproduce starts a player in r.Seat of a recorded match, and has it play
// against the record: see referee.Reproduction.
func Reproduce(ctx context.Context, p referee.Player, r referee.Reproduction) ([]referee.Compared, referee.Usage, error) {
	if err := r.Check(); err != nil {
		return nil, referee.Usage{}, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := p.Sit(ctx, Match{Setup: r.Setup}.seating(r.Seat, 0))
	if err != nil {
		return nil, referee.Usage{}, fmt.Errorf("start bot %s: %w", p.Identity().Name, err)
	}
	return r.Conduct(ctx, c)
}
