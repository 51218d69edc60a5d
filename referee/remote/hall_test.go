package remote_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/keys"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// hall is a hub with players, and the runner of its matches.
type hall struct {
	t *testing.T
	*remote.Hub
	keys   map[string]string
	keysOf *keys.File
	local  arena.Local
	limits record.Limits // of matches
	stored func(record.Record)
}

// newHall makes a hall in which the named players have keys.
func newHall(t *testing.T, names ...string) *hall {
	return newHallOf(t, remote.Config{Join: time.Minute, Idle: 10 * time.Minute}, names...)
}

func newHallOf(t *testing.T, c remote.Config, names ...string) *hall {
	h := &hall{t: t, keys: make(map[string]string), limits: record.Limits{Clock: "wall"}}
	file, err := keys.Open("", keys.Player)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if h.keys[name], err = file.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	games := []protocols.Game{protocoltest.Relay(), protocoltest.Morra(), protocoltest.Sum()}
	h.keysOf = file
	c.Games, c.Keys = games, file
	h.Hub = remote.NewHub(c)
	h.local = arena.Local{Games: games, Host: h.Hub, Jobs: 4}
	return h
}

// fixture makes a match of a game between players: `remote:NAME`, `human:NAME`,
// or the name of one of the runner's.
func (h *hall) fixture(game, text string, labels ...string) arena.Fixture {
	f := arena.Fixture{Game: game, Case: record.Case{Name: "test", Text: text}, Limits: h.limits}
	for _, label := range labels {
		seat := arena.Seat{Bot: label, Digest: label}
		if kind, name, ok := program.SplitGuest(label); ok {
			p := remote.Player{Hub: h.Hub, Kind: kind, Guest: name, Name: name, Label: label}
			if !slices.ContainsFunc(h.local.Players, func(other referee.Player) bool { return other == referee.Player(p) }) {
				h.local.Players = append(h.local.Players, p)
			}
			id := p.Identity()
			seat = arena.Seat{Bot: id.Name, Digest: id.Digest, Kind: id.Kind, Guest: id.Guest}
		}
		f.Seats = append(f.Seats, seat)
	}
	return f
}

// run plays matches and returns their records, in order.
func (h *hall) run(ctx context.Context, fixtures ...arena.Fixture) ([]record.Record, error) {
	records := make([]record.Record, len(fixtures))
	err := h.local.Run(ctx, slices.Values(fixtures), func(n int, r record.Record) error {
		if h.stored != nil {
			h.stored(r)
		}
		records[n] = r
		return nil
	})
	return records, err
}

// client is a player's program.
type client struct {
	*hall
	name    string
	session string
	think   func(remote.TurnInfo) string
	takes   time.Duration // for each reply
	twice   bool          // it sends every request twice
	// Every second answer is lost, and it repeats the request; ever more seldom
	// it loses all it knew, and starts again.
	loses bool

	asked int
	end   remote.TurnInfo // as last told, though the answer may have been lost
}

var errLost = errors.New("the answer was lost")

// ask makes a request as a disturbed client would.
func ask[T any](c *client, f func() (T, error)) (T, error) {
	out, err := f()
	c.asked++
	if err == nil && (c.twice || c.loses && c.asked%2 == 0) {
		out, err = f()
	}
	if err == nil && c.loses && c.asked > 4 && c.asked&(c.asked-1) == 0 {
		return out, errLost
	}
	return out, err
}

// play plays one match, and returns what it is told at the end.
func (c *client) play() remote.TurnInfo {
	for {
		err := c.attempt()
		if err == nil || hasCode(err, remote.CodeStopping) && c.end.State != "" {
			return c.end
		}
		if !errors.Is(err, errLost) {
			c.t.Errorf("%s: %v", c.name, err)
			return c.end
		}
	}
}

// turn notes what the client is told at the end of the match.
func (c *client) turn(f func() (remote.TurnInfo, error)) (remote.TurnInfo, error) {
	return ask(c, func() (remote.TurnInfo, error) {
		info, err := f()
		if err == nil && (info.State == remote.TurnOver || info.State == remote.TurnVoid) {
			c.end = info
		}
		return info, err
	})
}

// attempt plays from the first turn on, until the match has ended or an answer
// is lost.
func (c *client) attempt() error {
	seat, err := ask(c, func() (remote.SeatInfo, error) {
		return c.Join(context.Background(), c.keys[c.name], "", c.session, remote.MaxWait)
	})
	if err != nil || seat.State != "seated" {
		return cmpOr(err, errLost)
	}
	a := remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait}
	info, err := c.turn(func() (remote.TurnInfo, error) { return c.Turn(context.Background(), a) })
	for err == nil {
		switch info.State {
		case remote.TurnOver, remote.TurnVoid:
			return nil
		case remote.TurnWait:
			info, err = c.turn(func() (remote.TurnInfo, error) { return c.Turn(context.Background(), a) })
			continue
		}
		text := c.think(info)
		if info.State == remote.TurnDone {
			text = *info.Reply
		} else if c.takes > 0 {
			time.Sleep(c.takes)
		}
		info, err = c.turn(func() (remote.TurnInfo, error) { return c.Reply(context.Background(), a, text) })
		a.Turn++
	}
	return err
}

func cmpOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// always replies the same.
func always(text string) func(remote.TurnInfo) string {
	return func(remote.TurnInfo) string { return text }
}

// dialogue plays relay: it rolls until it has read two numbers, and holds.
func dialogue() func(remote.TurnInfo) string {
	return func(info remote.TurnInfo) string {
		if info.Turn%3 == 0 {
			return "hold"
		}
		return "roll"
	}
}

// finish runs matches while clients play, and returns the records and what
// each client was told at the end.
func (h *hall) finish(fixtures []arena.Fixture, clients ...*client) ([]record.Record, []remote.TurnInfo) {
	h.t.Helper()
	ends := make([]remote.TurnInfo, len(clients))
	var wait group
	for i, c := range clients {
		c.hall = h
		wait.Go(func() { ends[i] = c.play() })
	}
	records, err := h.run(h.t.Context(), fixtures...)
	if err != nil {
		h.t.Fatal(err)
	}
	time.Sleep(time.Hour)
	h.Stop() // for those that have lost the last answer
	wait.Wait()
	return records, ends
}

// group waits for goroutines.
type group struct{ running []chan struct{} }

func (g *group) Go(f func()) {
	done := make(chan struct{})
	g.running = append(g.running, done)
	go func() { defer close(done); f() }()
}

func (g *group) Wait() {
	for _, done := range g.running {
		<-done
	}
}
