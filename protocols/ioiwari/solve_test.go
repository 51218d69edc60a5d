package ioiwari

import (
	"testing"
)

// next turns the board into the one with the next index.
func (b *Board) next() {
	for i := range b {
		if b[i]++; b[i] <= PitMax {
			return
		}
		b[i] = 0
	}
}

// TestSolveAll solves all 279,936 boards and checks that each is worth as much
// as its best pit brings, that no other pit brings more, and no lower one as
// much.
func TestSolveAll(t *testing.T) {
	s := new(Solver)
	var b Board
	for i := range boards {
		if b.index() != i {
			t.Fatalf("%v has index %d, expected %d", b, b.index(), i)
		}
		pit, difference := s.Best(b)
		if most := b.Beads(); difference < -most || difference > most {
			t.Fatalf("%v is worth %d with %d beads", b, difference, most)
		}
		for label := 1; label <= Pits; label++ {
			if b[label-1] == 0 {
				continue
			}
			after := b
			own, other := after.Sow(label)
			_, theirs := s.Best(after)
			d := own - other - theirs
			if d > difference || d == difference && label < pit || d != difference && label == pit {
				t.Fatalf("%v: pit %d brings %d, best is %d with %d", b, label, d, pit, difference)
			}
		}
		b.next()
	}
	if (b != Board{}) {
		t.Errorf("%v is left", b)
	}
}

// TestBestAgreesWithNaive checks the solver against minimax over the naive
// rules, from all 357 boards: the value, and the lowest of the best pits.
func TestBestAgreesWithNaive(t *testing.T) {
	s := new(Solver)
	known := map[Board]int{}
	var value func(Board) int
	value = func(b Board) int {
		if v, ok := known[b]; ok {
			return v
		}
		best, pit := 0, 0
		for label := Pits; label >= 1; label-- {
			if b[label-1] == 0 {
				continue
			}
			n := newNaive(b)
			n.play(label)
			if d := n.mover - n.rival - value(n.board()); pit == 0 || d >= best {
				best, pit = d, label
			}
		}
		if gotPit, got := s.Best(b); gotPit != pit || got != best {
			t.Fatalf("%v: best is %d with %d, naive %d with %d", b, gotPit, got, pit, best)
		}
		known[b] = best
		return best
	}
	for c := range all() {
		value(c.(Case).board)
	}
}

// TestFirstPlayerWins checks what the task's author published: the first player
// can win from all 357 boards, which are 51 up to rotation.
func TestFirstPlayerWins(t *testing.T) {
	s := new(Solver)
	turned := map[Board]bool{}
	classes, count := 0, 0
	for c := range all() {
		b := c.(Case).board
		if _, difference := s.Best(b); difference <= 0 {
			t.Errorf("%v is worth %d to the first player", b, difference)
		}
		count++
		if !turned[b] {
			classes++
		}
		for range Pits {
			b = Board{b[1], b[2], b[3], b[4], b[5], b[6], b[0]}
			turned[b] = true
		}
	}
	if count != 357 || classes != 51 {
		t.Errorf("%d boards, %d when turned, expected 357 and 51", count, classes)
	}
}

func TestBestOfEmptyBoard(t *testing.T) {
	if pit, difference := new(Solver).Best(Board{}); pit != 0 || difference != 0 {
		t.Errorf("pit %d with %d, expected none", pit, difference)
	}
}

// BenchmarkSolve solves all 279,936 boards.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		s := new(Solver)
		var board Board
		for range boards {
			s.value(board)
			board.next()
		}
	}
}

// BenchmarkSolveMatch solves all that can follow from one board at the start.
func BenchmarkSolveMatch(b *testing.B) {
	for b.Loop() {
		new(Solver).Best(Board{4, 3, 2, 4, 2, 3, 2})
	}
}
