package solitarschack

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols/solitarschack/board"
)

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
