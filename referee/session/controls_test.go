package session

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"umpire/bots"
	botcatalog "umpire/bots/catalog"
	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/record"
)

// named is a built-in bot that plays a match under a name, maybe not its own. It replies
// what it does if it plays from the start.
type named struct {
	referee.Setup
	name  string
	play  Steady
	seat  int
	input bytes.Buffer
	given int            // replies
	fails protocols.Kind // in place of its second reply; "": it does not
}

func (n *named) Identity() referee.Identity { return referee.Identity{Name: n.name, Digest: n.name} }

func (n *named) Sit(_ context.Context, s referee.Seating) (referee.Contestant, error) {
	return &named{Setup: n.Setup, play: n.play, seat: s.Seat, fails: n.fails}, nil
}

func (n *named) Send(text string)    { n.input.WriteString(text + "\n") }
func (n *named) CloseInput()         {}
func (n *named) Stop() referee.Usage { return referee.Usage{} }
func (n *named) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	if n.given++; n.given == 2 && n.fails != "" {
		return referee.Reply{}, &protocols.Failure{Kind: n.fails, Detail: "of its machine"}
	}
	return referee.Reply{Text: repliesOf(n.play, n.Setup, n.seat, bytes.NewReader(n.input.Bytes()))[n.given-1]}, nil
}

// TestControls: the record of a match of built-in bots proves nothing against its worker;
// one in which another bot replied in the place of one does, or in which one wrote too much. If one
// failed as on a machine that is broken, the match has not been played.
func TestControls(t *testing.T) {
	for _, g := range catalog.Games() {
		c := &controls{[]protocols.Game{g}, make(map[string]Steady)}
		var names []string
		for _, b := range botcatalog.Bots() {
			if b.Game == g.Name && !b.Timed {
				names = append(names, b.Name)
				c.steady[b.Name] = func(game string, seat, seats int, in io.Reader, out io.Writer) error {
					return bots.Run(b, bots.NewTable(game, seat, seats, in, out))
				}
			}
		}
		one, err := cases.Generate(g, "", 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		// play has a bot play under another's name, against others of that name.
		play := func(bot, as string, fails protocols.Kind) record.Record {
			t.Helper()
			f := arena.Fixture{Game: g.Name, Case: record.Case{Name: "x", Text: one.String()}, Limits: record.NewLimits(protocols.Limits{}, ""), Repetition: 1}
			f.Seats = slices.Repeat([]arena.Seat{{Bot: as, Digest: as}}, g.MaxSeats)
			f.Seats[0] = arena.Seat{Bot: "first", Digest: "first"}
			setup := referee.Setup{Game: g, Case: one.Case, Seats: g.MaxSeats}
			players := []referee.Player{&named{Setup: setup, name: as, play: c.steady[as]}, &named{Setup: setup, name: "first", play: c.steady[bot], fails: fails}}
			var played record.Record
			local := arena.Local{Games: c.games, Players: players, Jobs: 1}
			if err := local.Run(t.Context(), slices.Values([]arena.Fixture{f}), func(_ int, r record.Record) error { played = r; return nil }); err != nil || played.Error != "" {
				t.Fatalf("%s: %s as %s: %v, %s", g.Name, bot, as, err, played.Error)
			}
			played.Seats[0].Bot, played.Seats[0].Digest = as, as
			return played
		}
		for _, bot := range names {
			for _, as := range names {
				r := play(bot, as, "")
				if err := c.check(&r, true); (err != nil) != (bot != as) {
					t.Errorf("%s: %s as %s: found %v", g.Name, bot, as, err)
				}
			}
			for kind, want := range map[protocols.Kind]string{protocols.KindCrash: "void", protocols.KindIdle: "void", protocols.KindOutput: "proof", protocols.KindTime: "", protocols.KindMemory: ""} {
				r := play(bot, bot, kind)
				if r.Seats[0].Verdict != string(kind) { // it replies once
					continue
				}
				err := c.check(&r, false)
				if (err != nil) != (want == "proof") || (r.Error != "") != (want == "void") || r.Error != "" && r.Seats[0].Verdict != "" {
					t.Errorf("%s: %s fails with %s: found error %v, and %q", g.Name, bot, kind, err, r.Error)
				}
			}
		}
	}
}
