// Package house hosts the matches that somebody asks for: it finds their players, has each
// begin when these are there and a place is free, and keeps the records. It knows nothing
// of HTTP, nor of who may ask for what.
package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/session"
	"umpire/referee/settings"
)

// House plays the matches that are asked for, each as soon as its players are
// there. Its records go to a results file.
type House struct {
	Hub     *remote.Hub
	Keys    *keys.File
	Archive *archive.Archive
	Games   Games
	Store   session.Store                  // of the records
	Local   arena.Local                    // how matches are played: games, isolation and version
	Judges  map[string]func() arena.Judges // what leads those of games that are not built in, by game
	Grace   time.Duration
	Places  Places // what may run concurrently
	// Program finds a program that may take a seat, by its name; ok is false if
	// there is none.
	Program func(game, name string) (p referee.Player, ok bool, err error)
	// Failed, if not nil, is called when umpire itself has failed at a match.
	// Calls may be concurrent.
	Failed func(error)
}

// ended is why somebody has ended a match which was being played.
type ended struct{ error }

var (
	errStopped = ended{arena.ErrStopped}
	errVoided  = ended{errors.New("voided by the organiser")}
)

// Make makes the match of an order, and returns its table when it is open; the match is
// played in the background. An error that is a *remote.Problem is for the one who asked.
func (h *House) Make(ctx context.Context, o Order) (*remote.Table, error) {
	f, players, err := h.fixture(o)
	if err != nil {
		return nil, err
	}
	programs := 0
	for _, s := range f.Seats {
		if s.Kind == "" {
			programs++
		}
	}
	memory := int64(programs) * f.Limits.Limits().Memory
	if f.Package != nil {
		programs++ // its judge
	}
	matchCtx, place, err := h.Places.order(o.By, programs, memory)
	if err != nil {
		return nil, err
	}
	f.Repetition = h.Archive.Next(f.Record())
	host := &opening{Hub: h.Hub, place: place, opened: make(chan *remote.Table, 1)}
	var failed error
	go func() {
		defer place.end()
		failed = referee.Guard(func() error { return h.play(matchCtx, f, players, host) })
		if _, wanted := failed.(ended); failed != nil && !wanted && h.Failed != nil {
			h.Failed(failed)
		}
		close(host.opened)
	}()
	select {
	case t, ok := <-host.opened: // a match that fails at its start has a table all the same
		if !ok {
			return nil, cmp.Or(failed, errors.New("the match ended before it began"))
		}
		return t, nil
	case <-ctx.Done():
		place.cancel(errVoided)
		return nil, ctx.Err()
	}
}

// play plays one match and keeps its record.
func (h *House) play(ctx context.Context, f arena.Fixture, players []referee.Player, host *opening) error {
	local := h.Local
	local.Players, local.Jobs, local.Host, local.Cut = players, 1, host, h.keep
	local.Judges = h.Judges[f.Game]
	return local.Run(ctx, slices.Values([]arena.Fixture{f}), func(_ int, r record.Record) error {
		err := h.keep(r)
		if err == nil && r.Error != "" && h.Failed != nil && h.began(r) {
			h.Failed(fmt.Errorf("%s: %s", r.Match, r.Error))
		}
		return err
	})
}

// began reports whether a match has begun: anybody may give up as many as it likes
// before.
func (h *House) began(r record.Record) bool {
	t := h.Hub.Table(r.Match)
	return t == nil || t.Info().State != remote.Waiting
}

// keep writes a record, which can't be lost afterwards, unless the match has not begun.
func (h *House) keep(r record.Record) error {
	if !h.began(r) {
		return nil
	}
	if _, err := h.Store.Keep(r); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// Cancel ends a match that is not over. It reports false if there is none with the id.
func (h *House) Cancel(id string) bool { return h.Places.cancel(id, errVoided) }

// Void ends a match as Cancel does, for a reason.
func (h *House) Void(id string, why error) { h.Places.cancel(id, ended{why}) }

// Close ends all matches, and waits until their records have been written.
func (h *House) Close() {
	h.Places.close(errStopped)
	h.Places.wait.Wait()
}

// fixture makes the match of an order, with its players.
func (h *House) fixture(o Order) (f arena.Fixture, players []referee.Player, err error) {
	g, err := h.Games.Find(o.Game)
	if err != nil {
		return f, nil, err
	}
	if n := len(o.Seats); n < g.MinSeats || n > g.MaxSeats {
		return f, nil, refused(CodeSeats, fmt.Sprintf("seats: found %d, %s has %s", n, g.Name, g.SeatRange()))
	}
	seed := o.seed()
	c, err := g.choose(o, seed)
	if err != nil {
		return f, nil, err
	}
	k := session.Conditions{Game: g.Game}
	if g.Conditions != nil {
		k = g.Conditions(seed)
	}
	k.Grace = h.Grace
	if k.Pondering, err = settings.Policy(settings.Pondering.Default, g.Game); err != nil {
		return f, nil, err
	}
	if k.Limits, err = o.limits(); err != nil {
		return f, nil, err
	}
	f = k.Fixture(c, len(o.Seats), true)
	batch := session.IsBatch(c, len(o.Seats))
	for _, label := range o.Seats {
		p, err := h.player(g, label)
		if err != nil {
			return f, nil, err
		}
		id := p.Identity()
		if id.Kind == remote.Human && batch {
			return f, nil, refused(CodeSeats, "found "+remote.Quote(label)+", but the case is a batch task, which is for programs")
		}
		players = append(players, p)
		f.Seats = append(f.Seats, session.SeatOf(id, false))
	}
	return f, players, nil
}

// player finds the player for a seat by its name alone: nothing from outside is
// ever a path or a command.
func (h *House) player(g Game, label string) (referee.Player, error) {
	if kind, name, ok := program.SplitGuest(label); ok {
		if err := keys.Player.CheckName(name); err != nil {
			return nil, refused(CodeSeats, err.Error())
		}
		if kind == remote.Program && !h.Keys.Has(name) {
			return nil, refused(CodeSeats, "there is no player "+name)
		}
		return remote.Player{Hub: h.Hub, Kind: kind, Guest: name, Name: name, Label: label}, nil
	}
	p, ok, err := h.Program(g.Name, label)
	if err != nil {
		return nil, err
	}
	if !ok {
		expected := "remote:NAME, human:NAME"
		for _, b := range g.Bots {
			expected += ", " + b.Name
		}
		return nil, refused(CodeSeats, "found "+remote.Quote(label)+", expected one of "+expected)
	}
	return p, nil
}
