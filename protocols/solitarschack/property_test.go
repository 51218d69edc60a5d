package solitarschack

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// drawCase draws a case of a group.
func drawCase(t *rapid.T) protocols.Case {
	c, err := generate(rapid.SampledFrom(groupNames()).Draw(t, "group"), rapid.Uint64().Draw(t, "seed"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Random play keeps the invariants of a position.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCase(t)
		m := c.Start(1).(*match)
		m.Next()
		for steps := rapid.IntRange(0, board.Layers*board.Area).Draw(t, "steps"); steps > 0 && m.Reachable() != 0; steps-- {
			choices := m.Choices(seat)
			choice := rapid.SampledFrom(choices[:len(choices)-1]).Draw(t, "square") // all but the end
			before := score(m)
			if foul := m.Reply(1, choice.Reply); foul != nil {
				t.Fatal(foul)
			}
			m.Next()
			if score(m) <= before {
				t.Fatalf("score went from %d to %d", before, score(m))
			}
			checkPosition(t, m, c.(*Case))
		}
	})
}

func checkPosition(t *rapid.T, m *match, layers *Case) {
	removals := 0
	for s, colour := range m.Colours {
		removals += int(colour)
		want := board.Blank
		if colour < board.Empty {
			want = layers[colour][s]
		}
		if m.Pieces[s] != want {
			t.Fatalf("%v holds %v, want %v", board.Square(s), m.Pieces[s], want)
		}
	}
	if removals != m.Tally.Removals || score(m) != removals+m.Tally.Bonus.Sum() {
		t.Fatalf("score %d of %d removals, %+v", score(m), removals, m.Tally.Bonus)
	}
	if m.Reachable().Has(m.From) {
		t.Fatalf("%v can be reached from itself", m.From)
	}
	if _, err := json.Marshal(m.State()); err != nil {
		t.Fatal(err)
	}
	if picture := m.String(); strings.HasSuffix(picture, "\n") {
		t.Fatalf("the picture ends with a newline: %q", picture)
	}
}

// One operation is a complete random match of group 6, driven like the referee
// does.
func BenchmarkRandomGame(b *testing.B) {
	c, err := generate("6", 1)
	if err != nil {
		b.Fatal(err)
	}
	var replies [board.Area]string
	for s := range replies {
		replies[s] = board.Square(s).String()
	}
	rng := rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	turns := 0
	for b.Loop() {
		m := c.Start(1).(*match)
		for len(m.Next().Await) > 0 {
			turns++
			reply := "0 0"
			if squares := m.Reachable(); squares != 0 {
				for range rng.IntN(squares.Len()) {
					squares &= squares - 1
				}
				reply = replies[squares.First()]
			}
			if foul := m.Reply(1, reply); foul != nil {
				b.Fatal(foul)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(turns), "ns/turn")
}

// One operation is the longest match there is: all 108 pieces of group 2.
func BenchmarkLongestGame(b *testing.B) {
	c, err := generate("2", 1)
	if err != nil {
		b.Fatal(err)
	}
	// A closed tour of the board, down and up column by column along its lower rows.
	var tour []string
	for column := 1; column <= board.Side; column++ {
		for i := 2; i <= board.Side; i++ {
			row := i
			if column%2 == 0 {
				row = board.Side + 2 - i
			}
			tour = append(tour, board.At(row, column).String())
		}
	}
	for column := board.Side; column >= 1; column-- {
		tour = append(tour, board.At(1, column).String())
	}
	b.ReportAllocs()
	for b.Loop() {
		m := c.Start(1)
		for range board.Layers {
			for _, reply := range tour {
				m.Next()
				if foul := m.Reply(1, reply); foul != nil {
					b.Fatal(foul)
				}
			}
		}
		m.Next()
		m.Reply(1, "0 0")
		if score(m) != 324 {
			b.Fatalf("score %d, want the maximum, 324", score(m))
		}
	}
}
