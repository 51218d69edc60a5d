package referee

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee/contestant"
	"umpire/referee/contestant/sandbox"
)

// Match is a match between bots, ready to be played.
type Match struct {
	Game      protocols.Game
	Case      protocols.Case
	Bots      []contestant.Bot // seat 1 first
	Limits    protocols.Limits
	Launcher  sandbox.Launcher
	Pondering contestant.Pondering
	// Voided, if not nil, is why the match was void before: if it is so again,
	// that is the loss of the seat concerned, where one is known.
	Voided *contestant.Void
	// Place, if not nil, is called before each seat is started, and with 0 when
	// all are, on the thread that starts them: it may change its affinity.
	Place func(seat int)
	Watch Watcher
}

// Play starts the bots, plays the match and ends them. The started processes
// inherit the CPU affinity of the calling goroutine's thread, to which it stays
// locked meanwhile. An error is umpire's or that of ctx.
func (m Match) Play(ctx context.Context) (Played, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var started protocols.Match
	if err := Guard(func() error { started = m.Case.Start(len(m.Bots)); return nil }); err != nil {
		return Played{}, err
	}
	seats := make([]Contestant, 0, len(m.Bots))
	if m.Place != nil {
		defer m.Place(0) // also where a start fails
	}
	for i, bot := range m.Bots {
		if m.Place != nil {
			m.Place(i + 1)
		}
		c, err := contestant.Start(bot, m.options(i+1))
		if err != nil {
			for _, s := range seats {
				s.Stop()
			}
			return Played{}, fmt.Errorf("start bot %s: %w", bot.Name, err)
		}
		seats = append(seats, c)
	}
	if m.Place != nil {
		m.Place(0)
	}
	d := &driver{match: started, limits: m.Limits, watch: m.Watch, before: m.Voided, pondering: m.Pondering}
	level := m.Launcher.Level()
	d.loose = level == sandbox.None || level == sandbox.Basic
	played, err := d.play(ctx, seats)
	if err == nil {
		err = m.unchanged(ctx)
	}
	return played, err
}

// unchanged finds out whether the bots are still what their digests say: one
// that changed while it was played may have been another player. One that is
// gone was itself, and fails at its next start.
func (m Match) unchanged(ctx context.Context) error {
	for _, bot := range m.Bots {
		if err := bot.Check(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("bot %s: %w", bot.Name, err)
		}
	}
	return nil
}

func (m Match) options(seat int) contestant.Options {
	budget := m.Limits.Time
	if budget == 0 {
		budget = m.Limits.PerMove
	}
	return contestant.Options{
		Launcher: m.Launcher, Limits: m.sandboxLimits(), Seat: seat,
		Env: contestant.Environment(m.Game.Name, seat, len(m.Bots), budget),
	}
}

// sandboxLimits are what a contestant of the match may use of the machine. This
// is the only place where the limits of a match become those of a sandbox; the
// sandbox fills in its defaults for what the match does not limit.
func (m Match) sandboxLimits() sandbox.Limits {
	return sandbox.Limits{Memory: m.Limits.Memory, CPU: m.cpuBackstop()}
}

// cpuBackstop is more CPU time than any process of an honest contestant can use
// in the match, with a thread on every processor and the opponents' turns to
// think in; 0 if the match does not limit its time. The clocks end a contestant
// long before: the kernel's limit is for a process that no clock is charged for.
func (m Match) cpuBackstop() time.Duration {
	if m.Limits.Time == 0 {
		return 0
	}
	turns := time.Duration(max(1, len(m.Bots))) * (10*(m.Limits.Time+m.Limits.Startup) + 10*time.Second)
	return turns * time.Duration(runtime.NumCPU())
}

// CheckStart starts the bot of a seat as the match would, and kills it at once.
// The error says why it can't be started.
func (m Match) CheckStart(seat int) error {
	return contestant.CheckStart(m.Bots[seat-1], m.options(seat))
}

// Clock is a limit's clock by name, as in flags and records.
func Clock(l protocols.Limits) string {
	if l.CPU {
		return "cpu"
	}
	return "wall"
}
