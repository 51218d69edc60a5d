package solitarschack

import (
	"strings"
	"testing"

	"umpire/protocols/solitarschack/board"
)

// add tallies a sequence of types, as the statement writes it.
func add(t testing.TB, sequence string) board.Tally {
	t.Helper()
	var tally board.Tally
	for name := range strings.FieldsSeq(sequence) {
		p, ok := board.ParsePiece(name)
		if !ok {
			t.Fatalf("no piece is called %q", name)
		}
		tally.Add(p)
	}
	return tally
}

func TestBonus(t *testing.T) {
	const digits, figures = " 1 2 3 4", " torn lopare dam springare"
	tests := []struct {
		about, sequence string
		want            board.Bonus
	}{
		{"statement: the first set takes the digits", "4 1 2 3 4 dam torn springare lopare", board.Bonus{Digits: 8, Pieces: 8}},
		{"statement: a run and a set overlap", "1 1 2 3 4", board.Bonus{Runs: 4, Digits: 12}},
		{"statement: the dialogue", "1 1 dam 1", board.Bonus{Runs: 4}},
		{"nothing", "", board.Bonus{}},
		{"one piece is no run", "dam", board.Bonus{}},
		{"two", "dam dam", board.Bonus{Runs: 4}},
		{"five", "dam dam dam dam dam", board.Bonus{Runs: 10}},
		{"two runs", "dam dam 1 dam dam dam", board.Bonus{Runs: 10}},
		{"in order", digits, board.Bonus{Digits: 12}},
		{"in reverse order", "4 3 2 1", board.Bonus{Digits: 12}},
		{"in another order", "2 1 3 4", board.Bonus{Digits: 8}},
		{"rotated", "2 3 4 1", board.Bonus{Digits: 8}},
		{"three digits", "1 2 3", board.Bonus{}},
		{"with a piece in between", "1 2 dam 3 4", board.Bonus{}},
		{"with one digit twice", "1 2 2 3 4", board.Bonus{Runs: 4}},
		{"pieces", figures, board.Bonus{Pieces: 8}},
		{"pieces in reverse", "springare dam lopare torn", board.Bonus{Pieces: 8}},
		{"sets do not overlap", "1 2 3 4 3 2 1", board.Bonus{Digits: 12}},
		{"sets of one kind make no chain", digits + digits, board.Bonus{Digits: 24}},
		{"reversed sets joined by a run", digits + " 4 3 2 1", board.Bonus{Digits: 24, Runs: 4}},
		{"a chain of two", digits + figures, board.Bonus{Digits: 12, Pieces: 8, Alternating: 16}},
		{"a chain of three", figures + digits + figures, board.Bonus{Digits: 12, Pieces: 16, Alternating: 24}},
		{"a chain of four", digits + figures + digits + figures, board.Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
		{"a piece in between", digits + " dam" + figures, board.Bonus{Digits: 12, Pieces: 8}},
		{"a piece that completes no set later", digits + " torn" + figures, board.Bonus{Digits: 12, Pieces: 8, Runs: 4}},
		{"a window that begins right after, broken", digits + " torn lopare torn dam springare", board.Bonus{Digits: 12, Pieces: 8}},
		{"a chain broken by a set of its kind", digits + digits + figures, board.Bonus{Digits: 24, Pieces: 8, Alternating: 16}},
		{"a chain that begins again", digits + figures + figures + digits, board.Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
		{"a set from the left breaks the chain later", digits + figures + " 4" + digits + figures,
			board.Bonus{Digits: 12 + 8, Pieces: 16, Alternating: 24}},
		{"two chains", digits + figures + " dam" + digits + figures, board.Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
	}
	for _, test := range tests {
		t.Run(test.about, func(t *testing.T) {
			tally := add(t, test.sequence)
			if tally.Bonus != test.want {
				t.Errorf("bonus of %q is %+v, want %+v", test.sequence, tally.Bonus, test.want)
			}
			if n := len(strings.Fields(test.sequence)); tally.Removals != n || tally.Score() != n+test.want.Sum() {
				t.Errorf("%d removals, score %d; want %d and %d", tally.Removals, tally.Score(), n, n+test.want.Sum())
			}
		})
	}
}

func TestReach(t *testing.T) {
	tests := []struct {
		piece board.Piece
		from  board.Square
		want  string
	}{
		{board.One, board.At(1, 1), "1 2, 2 1, 2 2"},
		{board.One, board.At(3, 3), "2 2, 2 3, 2 4, 3 2, 3 4, 4 2, 4 3, 4 4"},
		{board.Two, board.At(3, 3), "1 1, 1 3, 1 5, 3 1, 3 5, 5 1, 5 3, 5 5"},
		{board.Three, board.At(3, 3), "3 6, 6 3, 6 6"},
		{board.Four, board.At(2, 2), "2 6, 6 2, 6 6"},
		{board.Four, board.At(1, 3), "5 3"},
		{board.Four, board.At(3, 3), ""},
		{board.Four, board.At(3, 4), ""},
		{board.Four, board.At(4, 3), ""},
		{board.Four, board.At(4, 4), ""},
		{board.Torn, board.At(3, 2), "1 2, 3 1, 3 6, 6 2"},
		{board.Torn, board.At(1, 1), "1 6, 6 1"},
		{board.Torn, board.At(1, 3), "1 1, 1 6, 6 3"},
		{board.Lopare, board.At(3, 2), "1 4, 2 1, 4 1, 6 5"},
		{board.Lopare, board.At(1, 1), "6 6"},
		{board.Lopare, board.At(1, 3), "3 1, 4 6"},
		{board.Dam, board.At(3, 2), "1 2, 1 4, 2 1, 3 1, 3 6, 4 1, 6 2, 6 5"},
		{board.Dam, board.At(6, 6), "1 1, 1 6, 6 1"},
		{board.Springare, board.At(1, 1), "2 3, 3 2"},
		{board.Springare, board.At(3, 3), "1 2, 1 4, 2 1, 2 5, 4 1, 4 5, 5 2, 5 4"},
	}
	for _, test := range tests {
		if got := list(board.Reach(test.piece, test.from)); got != test.want {
			t.Errorf("%v at %v reaches %s, want %s", test.piece, test.from, got, test.want)
		}
	}
	for s := range board.Square(board.Area) {
		if board.Reach(board.Blank, s) != board.All {
			t.Errorf("before the first removal %#x is free, want every square", board.Reach(board.Blank, s))
		}
	}
}

func list(a board.Squares) string {
	var out []string
	for ; a != 0; a &= a - 1 {
		out = append(out, a.First().String())
	}
	return strings.Join(out, ", ")
}

// A 4 in the middle is the only piece that leads nowhere on a full board.
func TestReachNowhere(t *testing.T) {
	for p := board.One; p <= board.Springare; p++ {
		for s := range board.Square(board.Area) {
			middle := (s.Row() == 3 || s.Row() == 4) && (s.Column() == 3 || s.Column() == 4)
			if nowhere := board.Reach(p, s) == 0; nowhere != (p == board.Four && middle) {
				t.Errorf("%v at %v leads nowhere: %v", p, s, nowhere)
			}
		}
	}
}
