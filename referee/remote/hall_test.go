package remote_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
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

// inHall runs a test in a bubble, with a hall in which alice, bob, carol, dan and eve have keys.
func inHall(t *testing.T, test func(t *testing.T, h *hall)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, newHall(t, remote.Config{Join: time.Minute, Idle: 10 * time.Minute}))
	})
}

func newHall(t *testing.T, c remote.Config) *hall {
	h := &hall{t: t, keys: make(map[string]string), limits: record.Limits{Clock: "wall"}}
	file, err := keys.Open("", keys.Player)
	must(t, err)
	for _, name := range []string{"alice", "bob", "carol", "dan", "eve"} {
		h.keys[name], err = file.Add(name)
		must(t, err)
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
	twice   bool          // it sends every reply twice
}

// play plays one match, and returns what it is told at the end.
func (c *client) play() remote.TurnInfo {
	var seat remote.SeatInfo
	var err error
	for err == nil && seat.State != "seated" {
		seat, err = c.Join(context.Background(), c.keys[c.name], "", c.session, remote.MaxWait)
	}
	a := remote.Ask{Ticket: seat.Ticket, Turn: 1, Wait: remote.MaxWait}
	info := remote.TurnInfo{State: remote.TurnWait}
	for err == nil && info.State != remote.TurnOver && info.State != remote.TurnVoid {
		if info.State == remote.TurnWait {
			info, err = c.Turn(context.Background(), a)
			continue
		}
		text := c.think(info)
		time.Sleep(c.takes)
		info, err = c.Reply(context.Background(), a, text)
		if err == nil && c.twice {
			info, err = c.Reply(context.Background(), a, text)
		}
		a.Turn++
	}
	if err != nil {
		c.t.Errorf("%s: %v", c.name, err)
	}
	return info
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
	var wait sync.WaitGroup
	for i, c := range clients {
		c.hall = h
		wait.Go(func() { ends[i] = c.play() })
	}
	records, err := h.run(h.t.Context(), fixtures...)
	must(h.t, err)
	wait.Wait()
	return records, ends
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
