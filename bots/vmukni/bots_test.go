package vmukni

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"umpire/bots"
	"umpire/bots/bottest"
	"umpire/protocols"
	"umpire/protocols/vmukni"
)

func generate(t testing.TB, group string, seed uint64) protocols.Case {
	t.Helper()
	c, err := vmukni.Game().Generate(group, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// quick is lookahead with few insertions and without a clock.
func quick() bots.Bot {
	return bot("quick", "", func(*position) chooser {
		return func(p *position) int { return p.Best(2_000) }
	})
}

// TestPlay checks that every bot plays every kind of case to the end, and
// repeats a match in the same way.
func TestPlay(t *testing.T) {
	players := []bots.Bot{Bots()[0], Bots()[1], quick()}
	for _, group := range vmukni.Game().Groups {
		for seed := range uint64(4) {
			c := generate(t, group, seed)
			for i, first := range players {
				second := players[(i+int(seed))%len(players)]
				a := bottest.Play(t, c, first, second)
				b := bottest.Play(t, c, first, second)
				if a[0] != b[0] || a[1] != b[1] {
					t.Errorf("%s and %s play two matches on %s %d", first.Name, second.Name, group, seed)
				}
			}
		}
	}
}

func TestGreedy(t *testing.T) {
	for _, test := range []struct {
		name string
		row  [5]int
		tile int
		want int
	}{
		{"nothing to gain: the lowest way", [5]int{3, 4, 0, 0, 0}, 1, 1},
		{"the lowest of equal ways", [5]int{1, 1, 0, 2, 2}, 1, 5},
		{"a run of three", [5]int{2, 1, 0, 1, 3}, 1, 8},
		{"the longer run", [5]int{3, 1, 0, 1, 1}, 1, 8},
	} {
		p := &position{vmukni.View{Visible: []int{test.tile}, Moves: 2, Pictures: 4}}
		for i, tile := range test.row {
			p.Board.Put(vmukni.Size, i+1, tile)
		}
		if got := newGreedy(p)(p); got != test.want {
			t.Errorf("%s: way %d, want %d", test.name, got, test.want)
		}
	}
}

// value is the value of a board to the mover if all tiles are visible: the
// search without its short cuts.
func value(b vmukni.Board, tiles []int) int {
	if len(tiles) == 0 {
		return 0
	}
	best := -1 << 30
	for way := 1; way <= vmukni.Ways; way++ {
		board := b
		gain := board.Gain(way, tiles[0])
		best = max(best, gain-value(board, tiles[1:]))
	}
	return best
}

// TestLookAhead checks that with few moves left the search finds a best way.
func TestLookAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		p := &position{vmukni.View{Moves: 3, Pictures: 3 + r.IntN(2)}}
		for range 40 {
			p.Board.Gain(1+r.IntN(vmukni.Ways), 1+r.IntN(p.Pictures))
		}
		for range p.Moves {
			p.Visible = append(p.Visible, 1+r.IntN(p.Pictures))
		}
		way := p.Best(1 << 30)
		board := p.Board
		got := board.Gain(way, p.Visible[0]) - value(board, p.Visible[1:])
		if want := value(p.Board, p.Visible); got != want {
			t.Errorf("%s, %v: way %d gives %d, the best %d", p.Board.String(), p.Visible, way, got, want)
		}
	}
}

// tally is the outcome of mirrored games: every case is played both ways round.
type tally struct{ games, points, theirs, wins, losses int }

func mirrored(t *testing.T, player, opponent bots.Bot, groups []string, cases int) (sum tally) {
	t.Helper()
	for i := range cases {
		c := generate(t, groups[i%len(groups)], uint64(1000+i))
		for _, outcomes := range [][]protocols.Outcome{
			bottest.Play(t, c, player, opponent),
			reversed(bottest.Play(t, c, opponent, player)),
		} {
			mine, theirs := int(outcomes[0].Score.Float()), int(outcomes[1].Score.Float())
			sum.games++
			sum.points += mine
			sum.theirs += theirs
			if mine > theirs {
				sum.wins++
			} else if mine < theirs {
				sum.losses++
			}
		}
	}
	return sum
}

func reversed(o []protocols.Outcome) []protocols.Outcome { return []protocols.Outcome{o[1], o[0]} }

// TestLookaheadBeatsGreedy asserts the margin of a much reduced search.
func TestLookaheadBeatsGreedy(t *testing.T) {
	sum := mirrored(t, quick(), Bots()[1], []string{"small"}, 60)
	t.Logf("%+v", sum)
	if 10*sum.points < 14*sum.theirs || sum.wins < 3*sum.losses {
		t.Errorf("lookahead against greedy: %+v", sum)
	}
}

func TestGreedyBeatsRandom(t *testing.T) {
	sum := mirrored(t, Bots()[1], Bots()[0], []string{"small"}, 60)
	t.Logf("%+v", sum)
	if sum.points < 2*sum.theirs || sum.wins < 5*sum.losses {
		t.Errorf("greedy against random: %+v", sum)
	}
}

var measure = flag.Int("measure", 0, "play lookahead itself against greedy on this many cases")

// TestMeasure measures the claims in the bots' descriptions.
func TestMeasure(t *testing.T) {
	if *measure == 0 {
		t.Skip("measures only with -measure N")
	}
	var slowest, spent time.Duration
	moves := 0
	lookahead := bot("lookahead", "", func(p *position) chooser {
		choose := newLookahead(p)
		return func(p *position) int {
			begun := time.Now()
			way := choose(p)
			took := time.Since(begun)
			slowest, spent, moves = max(slowest, took), spent+took, moves+1
			return way
		}
	})
	for _, group := range []string{"small", "medium", "large"} {
		sum := mirrored(t, lookahead, Bots()[1], []string{group}, *measure)
		t.Logf("%s: %+v", group, sum)
	}
	t.Logf("%d moves, mean %v, slowest %v", moves, spent/time.Duration(moves), slowest)
}
