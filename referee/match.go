package referee

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

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
	Sandbox   sandbox.Limits
	Pondering contestant.Pondering
	Watch     Watcher
}

// Play starts the bots, plays the match and ends them. The started processes
// inherit the CPU affinity of the calling goroutine's thread, to which it stays
// locked meanwhile. An error is umpire's or that of ctx.
func (m Match) Play(ctx context.Context) (Played, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	seats := make([]Contestant, 0, len(m.Bots))
	for i, bot := range m.Bots {
		c, err := contestant.Start(bot, m.options(i+1))
		if err != nil {
			for _, s := range seats {
				s.Stop()
			}
			return Played{}, fmt.Errorf("start bot %s: %w", bot.Name, err)
		}
		seats = append(seats, c)
	}
	played, err := Play(ctx, m.Case.Start(len(seats)), seats, m.Limits, m.Watch)
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
		Launcher: m.Launcher, Limits: m.Sandbox, Memory: m.Limits.Memory,
		Seat: seat, Pondering: m.Pondering,
		Env: contestant.Environment(m.Game.Name, seat, len(m.Bots), budget),
	}
}

// Clock is a limit's clock by name, as in flags and records.
func Clock(l protocols.Limits) string {
	if l.CPU {
		return "cpu"
	}
	return "wall"
}
