package mensch

import (
	"testing"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/protocols"
	"umpire/protocols/mensch"
	"umpire/referee/testlevel"
)

func gameNamed(t testing.TB, name string) protocols.Game {
	t.Helper()
	for _, g := range mensch.Games() {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("no game %s", name)
	return protocols.Game{}
}

// The references answer every kind of case correctly.
func TestReferences(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	for _, g := range mensch.Games()[1:] {
		for _, group := range g.Groups {
			for seed := range uint64(6) {
				c, err := g.Generate(group, seed)
				if err != nil {
					t.Fatal(err)
				}
				if o := bottest.Play(t, c, bottest.Named(t, Bots(), g.Name, "reference")); o[0].Score != protocols.Points(1) {
					t.Errorf("%s, %s %d: %s", g.Name, group, seed, o[0].Wrong)
				}
			}
		}
	}
	for game, text := range map[string]string{
		"mensch-2": "2 2 3\n1", "mensch-3": "37 71 101\n1\ngiveup", "mensch-4": "2 2 3\n1\ndice", "mensch-5": "37 71 101\n1\ngiveup",
	} {
		c, err := gameNamed(t, game).Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if o := bottest.Play(t, c, bottest.Named(t, Bots(), game, "reference")); o[0].Score != protocols.Points(1) {
			t.Errorf("%s, %q: %s", game, text, o[0].Wrong)
		}
	}
}

// points plays matches with every bot in each seat equally often, and returns
// each bot's mean score per match.
func points(t *testing.T, cases int, names ...string) []float64 {
	t.Helper()
	seats := len(names)
	sums := make([]float64, seats)
	for i := range cases {
		c, err := gameNamed(t, "mensch").Generate("standard", uint64(1000+i))
		if err != nil {
			t.Fatal(err)
		}
		players := make([]bots.Bot, seats)
		for shift := range seats {
			for j, name := range names {
				players[(j+shift)%seats] = bottest.Named(t, Bots(), "mensch", name)
			}
			for seat, o := range bottest.Play(t, c, players...) {
				sums[((seat-shift)%seats+seats)%seats] += o.Score.Float()
			}
		}
	}
	for j := range sums {
		sums[j] /= float64(cases * seats)
	}
	return sums
}

func TestPlayersInOrder(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	cases := testlevel.Times(20, 20, 60)
	for _, names := range [][]string{
		{"random", "runner"},
		{"runner", "cautious"},
		{"random", "cautious", "random"},
		{"random", "runner", "random", "runner"},
		{"runner", "cautious", "runner", "cautious"},
	} {
		got := points(t, cases, names...)
		t.Logf("%v: %.2f", names, got)
		if got[1] <= got[0] {
			t.Errorf("%v score %.2f a match, want the second to lead", names, got)
		}
	}
}
