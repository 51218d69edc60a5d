package solitarschack

import (
	"flag"
	"math"
	"strings"
	"testing"
	"time"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/protocols"
	protocol "umpire/protocols/solitarschack"
	rules "umpire/protocols/solitarschack/board"
	"umpire/referee/testlevel"
)

// stopped is a clock that stands still.
func stopped() time.Time { return time.Time{} }

// unhurried is a player whose clock stands still: how much it thinks does not
// depend on the load of the machine.
func unhurried(b bots.Bot) bots.Bot {
	if b.Name == "strong" {
		b.Play = func(t *bots.Table) error { return playStrongBy(t, stopped) }
	}
	return b
}

// groups are the groups of boards in order.
var groups = []string{"1", "2", "3", "4", "5", "6"}

// score plays a board of a group.
func score(t testing.TB, b bots.Bot, group string, seed int) float64 {
	t.Helper()
	c, err := protocol.Game().Generate(group, uint64(seed))
	if err != nil {
		t.Fatal(err)
	}
	return bottest.Play(t, c, b)[0].Score.Float()
}

// mean plays the first boards of a group and returns the mean score.
func mean(t testing.TB, b bots.Bot, group string, boards int) float64 {
	t.Helper()
	sum := 0.0
	for seed := range boards {
		sum += score(t, b, group, seed+1)
	}
	return sum / float64(boards)
}

// The players have at least their known strength, with a margin for the few
// boards. All replies are legal and all matches end with 0 0, or Play fails.
func TestStrength(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	tests := []struct {
		name   string
		boards int
		want   [6]float64 // mean scores of groups 1 to 6
	}{
		{"random", 100, [6]float64{100, 100, 165, 23, 45, 50}},
		{"greedy", 100, [6]float64{200, 200, 240, 29, 160, 130}},
		{"strong", 4, [6]float64{324, 324, 290, 65, 270, 260}},
	}
	for _, test := range tests {
		for i, group := range groups {
			boards := test.boards
			if i < 2 {
				boards = 1 // they are all the same
			}
			got := mean(t, unhurried(bottest.Named(t, Bots(), game, test.name)), group, boards)
			t.Logf("%s, group %s: %.1f", test.name, group, got)
			if got < test.want[i] {
				t.Errorf("%s reaches %.1f in group %s, want %.0f", test.name, got, group, test.want[i])
			}
		}
	}
}

var measure = flag.Int("measure", 0, "play so many boards of each group with the players as they are")

// TestMeasure measures the players: the mean score of each group with its standard error,
// and the slowest match, in process and without limits.
func TestMeasure(t *testing.T) {
	if *measure == 0 {
		t.Skip("measures only with -measure N")
	}
	for _, b := range Bots() {
		for _, group := range groups {
			sum, squares, slowest, n := 0.0, 0.0, time.Duration(0), float64(*measure)
			for seed := range *measure {
				begun := time.Now()
				x := score(t, b, group, seed+1)
				sum, squares, slowest = sum+x, squares+x*x, max(slowest, time.Since(begun))
			}
			variance := max(0, squares-sum*sum/n) / max(1, n-1)
			t.Logf("%s, group %s: %.1f ± %.1f, slowest %.2f s", b.Name, group, sum/n, math.Sqrt(variance/n), slowest.Seconds())
		}
	}
}

// The same board is played the same way.
func TestDeterminism(t *testing.T) {
	for _, b := range Bots() {
		b = unhurried(b)
		first, again := mean(t, b, "6", 2), mean(t, b, "6", 2)
		if first != again {
			t.Errorf("%s reaches %.1f and then %.1f on the same boards", b.Name, first, again)
		}
	}
}

// A case may hold pieces that no group's cases hold: the tour ends where
// another type appears, and the planner learns new types as they appear.
func TestMixedLayers(t *testing.T) {
	layer := func(p string) string { return strings.Repeat(strings.Repeat(p+" ", 6)+"\n", 6) }
	for _, layers := range [][3]string{
		{"1", "2", "dam"},
		{"springare", "springare", "4"},
		{"torn", "1", "lopare"},
		{"4", "4", "4"},
		{"2", "springare", "3"},
		{"1", "1", "springare"},
	} {
		c, err := protocol.Game().Parse(layer(layers[0]) + layer(layers[1]) + layer(layers[2]))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range Bots() {
			score := bottest.Play(t, c, b)[0].Score.Float()
			t.Logf("%s on %v: %v", b.Name, layers, score)
			if score == 0 {
				t.Errorf("%s scores nothing on %v", b.Name, layers)
			}
		}
	}
}

func TestTours(t *testing.T) {
	for p := rules.One; p <= rules.Springare; p++ {
		tour := tourOf(p)
		if tour == nil {
			if p == rules.One || p == rules.Springare {
				t.Errorf("there is no tour for %v", p)
			}
			continue
		}
		var seen rules.Squares
		at := rules.Square(0)
		for range rules.Area {
			if seen.Has(at) || !rules.Reach(p, at).Has(tour[at]) {
				t.Fatalf("the tour of %v is broken at %v", p, at)
			}
			seen |= 1 << at
			at = tour[at]
		}
		if at != 0 || seen != rules.All {
			t.Errorf("the tour of %v is not closed", p)
		}
	}
}

// The player thinks less when time runs short, and stops before it runs out.
func TestStrongInAHurry(t *testing.T) {
	c, err := protocol.Game().Generate("6", 1)
	if err != nil {
		t.Fatal(err)
	}
	hurried := func(spent time.Duration) bots.Bot {
		return bots.Bot{Game: game, Name: "hurried", Play: func(t *bots.Table) error {
			p, _, err := readBoard(t)
			if err != nil {
				return err
			}
			s := &strong{spent: spent, now: stopped, idle: stopped()}
			return play(t, p, s.choose)
		}}
	}
	if score := bottest.Play(t, c, hurried(narrowUntil))[0].Score.Float(); score < 100 {
		t.Errorf("in a hurry it reaches %v, want at least 100", score)
	}
	if score := bottest.Play(t, c, hurried(stopAt+1))[0].Score; score != protocols.Points(0) {
		t.Errorf("without time it reaches %d, want it to stop", score)
	}
}

// A malformed board is an error, not a match.
func TestBadInput(t *testing.T) {
	for _, b := range Bots() {
		for _, text := range []string{"1 1 1\n", "1 1 1 1 1 blank\n", strings.Repeat("1 1 1 1 1 1\n", 6) + "wrong\n"} {
			var out strings.Builder
			err := bots.Run(b, bots.NewTable(game, 1, 1, strings.NewReader(text), &out))
			if err == nil || !strings.Contains(err.Error(), "expected") {
				t.Errorf("%s reads %s: error %v, want what was expected", b.Name, protocols.Quote(text), err)
			}
		}
		if err := bots.Run(b, bots.NewTable(game, 1, 1, strings.NewReader(""), new(strings.Builder))); err != nil {
			t.Errorf("%s at the end of input: %v", b.Name, err)
		}
	}
}
