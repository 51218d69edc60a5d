package ioiwari

import (
	"math/rand/v2"
	"testing"

	"umpire/referee/testlevel"
)

// TestSow has a row for every rule of the page, and every move of its worked
// example.
func TestSow(t *testing.T) {
	for _, test := range []struct {
		name       string
		board      Board
		pit        int
		after      Board
		own, other int
	}{
		{"last bead finds 1", Board{1, 1}, 1, Board{}, 2, 0},
		{"last bead finds 4", Board{1, 4}, 1, Board{}, 5, 0},
		{"last bead finds an empty pit", Board{1, 0, 3}, 1, Board{0, 0, 3}, 0, 1},
		{"last bead finds 5", Board{1, 5}, 1, Board{0, 5}, 0, 1},
		{"last bead finds 5 after sowing", Board{2, 1, 5}, 1, Board{0, 2, 5}, 0, 1},
		{"sowing over 4", Board{2, 4, 1}, 1, Board{0, 5, 0}, 2, 0},
		{"sowing over 5", Board{2, 5, 3, 1}, 1, Board{0, 4, 4, 0}, 3, 0},
		{"clockwise past pit 7", Board{2, 3, 0, 0, 0, 0, 2}, 7, Board{3, 0}, 4, 0},
		{"the emptied pit again, three pits of 5", Board{5, 5, 5, 5, 0, 0, 0}, 1, Board{1, 0, 4, 4, 1, 1, 1}, 8, 0},
		{"the emptied pit as the last", Board{5, 5, 5, 0, 0, 0, 0}, 1, Board{0, 4, 4, 1, 1, 1, 1}, 2, 1},
		{"all pits of 5", Board{5, 5, 5, 5, 5, 5, 5}, 1, Board{1, 5, 5, 5, 0, 4, 4}, 11, 0},

		{"example, move 1", Board{4, 3, 2, 4, 2, 3, 2}, 2, Board{4, 0, 3, 5, 0, 3, 2}, 3, 0},
		{"example, move 2", Board{4, 0, 3, 5, 0, 3, 2}, 3, Board{4, 0, 0, 4, 1, 4, 0}, 4, 0},
		{"example, move 3", Board{4, 0, 0, 4, 1, 4, 0}, 5, Board{4, 0, 0, 4}, 5, 0},
		{"example, move 4", Board{4, 0, 0, 4}, 4, Board{0, 0, 0, 0, 1, 1, 1}, 5, 0},
		{"example, move 5", Board{0, 0, 0, 0, 1, 1, 1}, 5, Board{0, 0, 0, 0, 0, 0, 1}, 2, 0},
		{"example, move 6", Board{0, 0, 0, 0, 0, 0, 1}, 7, Board{}, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			board := test.board
			own, other := board.Sow(test.pit)
			if board != test.after || own != test.own || other != test.other {
				t.Errorf("%v, pit %d: %v, %d and %d, expected %v, %d and %d",
					test.board, test.pit, board, own, other, test.after, test.own, test.other)
			}
		})
	}
}

// naive is the position of a second implementation of the rules, written from
// the page alone: pits and banks by name, one sentence of the page per line.
type naive struct {
	pits         map[int]int // by label
	mover, rival int         // banks
}

func newNaive(b Board) naive {
	n := naive{pits: map[int]int{}}
	for i, beads := range b {
		n.pits[i+1] = int(beads)
	}
	return n
}

func (n *naive) play(label int) {
	hand := n.pits[label]
	n.pits[label] = 0
	for place := label%7 + 1; hand > 0; place = place%7 + 1 {
		holds := n.pits[place]
		if hand > 1 && holds == 5 {
			n.pits[place] = 4
			n.mover++
		} else if hand > 1 {
			n.pits[place]++
			hand--
		} else if holds >= 1 && holds <= 4 {
			n.mover += holds + 1
			n.pits[place] = 0
			hand = 0
		} else {
			n.rival++
			hand = 0
		}
	}
}

func (n *naive) board() Board {
	var b Board
	for label, beads := range n.pits {
		b[label-1] = int8(beads)
	}
	return b
}

func TestSowAgreesWithNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	count := testlevel.Times(10_000, 10_000, 100_000)
	for range count {
		var board Board
		for i := range board {
			board[i] = int8(rng.IntN(PitMax + 1))
		}
		pit := 1 + rng.IntN(Pits)
		if board[pit-1] == 0 {
			continue
		}
		n := newNaive(board)
		n.play(pit)
		after := board
		own, other := after.Sow(pit)
		if after != n.board() || own != n.mover || other != n.rival {
			t.Fatalf("%v, pit %d: %v, %d and %d; naive %v, %d and %d",
				board, pit, after, own, other, n.board(), n.mover, n.rival)
		}
	}
}
