package examples

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/bots/examples/exampletest"
	ioiwaribots "umpire/bots/ioiwari"
	"umpire/protocols"
	"umpire/protocols/ioiwari"
)

// taped is a case that writes down what is replied in its matches.
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

// TestIoiwariGreedy checks that the example in each language plays as the
// built-in bot does, in both seats against optimal play.
func TestIoiwariGreedy(t *testing.T) {
	sources, err := filepath.Glob("ioiwari/*reedy.*")
	if err != nil {
		t.Fatal(err)
	}
	if len(sources) != 7 {
		t.Errorf("%d examples, expected 7: %v", len(sources), sources)
	}
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			program := exampletest.Bot(t, "ioiwari", source)
			for seat := 1; seat <= 2; seat++ {
				for _, c := range someBoards() {
					got := movesOf(t, c, program, seat)
					if want := movesOf(t, c, ioiwariBot(t, "greedy"), seat); !slices.Equal(got, want) {
						t.Fatalf("%v, seat %d: plays %v, expected %v", c, seat, got, want)
					}
				}
			}
		})
	}
}

// someBoards is every 60th board.
func someBoards() (cases []protocols.Case) {
	i := 0
	for c := range ioiwari.Game().All() {
		if i%60 == 0 {
			cases = append(cases, c)
		}
		i++
	}
	return cases
}

// movesOf are all moves of a match of b against optimal play.
func movesOf(t *testing.T, c protocols.Case, b bots.Bot, seat int) []string {
	t.Helper()
	players := []bots.Bot{b, ioiwariBot(t, "optimal")}
	if seat == 2 {
		slices.Reverse(players)
	}
	tape := &taped{Case: c}
	bottest.Play(t, tape, players...)
	return tape.replies
}

func ioiwariBot(t *testing.T, name string) bots.Bot {
	t.Helper()
	all := ioiwaribots.Bots()
	i := slices.IndexFunc(all, func(b bots.Bot) bool { return b.Name == name })
	if i < 0 {
		t.Fatalf("there is no bot %s", name)
	}
	return all[i]
}
