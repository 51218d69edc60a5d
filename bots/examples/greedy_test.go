package examples

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/bots/catalog"
	"umpire/bots/examples/exampletest"
	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/protocols/vmukni"
	"umpire/referee/testlevel"
)

// taped is a case that records the replies in its matches.
type taped struct {
	protocols.Case
	replies []string
}

func (c *taped) Start(seats int) protocols.Match {
	return &tapedMatch{c.Case.Start(seats), c}
}

type tapedMatch struct {
	protocols.Match
	tape *taped
}

func (m *tapedMatch) Reply(seat int, text string) *protocols.Foul {
	m.tape.replies = append(m.tape.replies, fmt.Sprintf("%d:%s", seat, strings.TrimSpace(text)))
	return m.Match.Reply(seat, text)
}

// TestGreedy checks that the examples in each language play like the built-in
// bot, in both seats, against an opponent that uses no chance.
func TestGreedy(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, c := range []struct {
		game, opponent string
		examples       int
		cases          func(t *testing.T) []protocols.Case
	}{
		{"ioiwari", "optimal", 2, someBoards},
		{"vmukni", "greedy", 2, someTiles},
	} {
		sources, err := filepath.Glob(c.game + "/*reedy.*")
		if err != nil {
			t.Fatal(err)
		}
		if len(sources) != c.examples {
			t.Errorf("%d examples, expected %d: %v", len(sources), c.examples, sources)
		}
		for _, source := range sources {
			t.Run(source, func(t *testing.T) {
				program := exampletest.Bot(t, c.game, source)
				greedy, opponent := builtin(t, c.game, "greedy"), builtin(t, c.game, c.opponent)
				for seat := 1; seat <= 2; seat++ {
					for _, board := range c.cases(t) {
						got := moves(t, board, seat, program, opponent)
						if want := moves(t, board, seat, greedy, opponent); !slices.Equal(got, want) {
							t.Fatalf("%v, seat %d: plays %v, expected %v", board, seat, got, want)
						}
					}
				}
			})
		}
	}
}

// someBoards is every 480th board, thoroughly every 60th.
func someBoards(*testing.T) (cases []protocols.Case) {
	i, every := 0, testlevel.Times(480, 480, 60)
	for c := range ioiwari.Game().All() {
		if i%every == 0 {
			cases = append(cases, c)
		}
		i++
	}
	return cases
}

// someTiles is a case of the first group, thoroughly of each.
func someTiles(t *testing.T) (cases []protocols.Case) {
	game := vmukni.Game()
	for _, group := range game.Groups[:testlevel.Times(1, 1, len(game.Groups))] {
		c, err := game.Generate(group, 4)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// moves returns all moves of a match of b in a seat.
func moves(t *testing.T, c protocols.Case, seat int, b, opponent bots.Bot) []string {
	t.Helper()
	players := []bots.Bot{b, opponent}
	if seat == 2 {
		slices.Reverse(players)
	}
	tape := &taped{Case: c}
	bottest.Play(t, tape, players...)
	return tape.replies
}

func builtin(t *testing.T, game, name string) bots.Bot {
	t.Helper()
	all := catalog.Bots()
	i := slices.IndexFunc(all, func(b bots.Bot) bool { return b.Game == game && b.Name == name })
	if i < 0 {
		t.Fatalf("%s has no bot %s", game, name)
	}
	return all[i]
}
