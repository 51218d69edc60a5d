package board

import (
	"strings"
	"testing"
)

// add tallies a sequence of types, as the statement writes it.
func add(t testing.TB, sequence string) Tally {
	t.Helper()
	var tally Tally
	for name := range strings.FieldsSeq(sequence) {
		p, ok := ParsePiece(name)
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
		want            Bonus
	}{
		{"statement: the first set takes the digits", "4 1 2 3 4 dam torn springare lopare", Bonus{Digits: 8, Pieces: 8}},
		{"statement: a run and a set overlap", "1 1 2 3 4", Bonus{Runs: 4, Digits: 12}},
		{"statement: the dialogue", "1 1 dam 1", Bonus{Runs: 4}},
		{"nothing", "", Bonus{}},
		{"one piece is no run", "dam", Bonus{}},
		{"two", "dam dam", Bonus{Runs: 4}},
		{"five", "dam dam dam dam dam", Bonus{Runs: 10}},
		{"two runs", "dam dam 1 dam dam dam", Bonus{Runs: 10}},
		{"in order", digits, Bonus{Digits: 12}},
		{"in reverse order", "4 3 2 1", Bonus{Digits: 12}},
		{"in another order", "2 1 3 4", Bonus{Digits: 8}},
		{"rotated", "2 3 4 1", Bonus{Digits: 8}},
		{"three digits", "1 2 3", Bonus{}},
		{"with a piece in between", "1 2 dam 3 4", Bonus{}},
		{"with one digit twice", "1 2 2 3 4", Bonus{Runs: 4}},
		{"pieces", figures, Bonus{Pieces: 8}},
		{"pieces in reverse", "springare dam lopare torn", Bonus{Pieces: 8}},
		{"sets do not overlap", "1 2 3 4 3 2 1", Bonus{Digits: 12}},
		{"sets of one kind make no chain", digits + digits, Bonus{Digits: 24}},
		{"reversed sets joined by a run", digits + " 4 3 2 1", Bonus{Digits: 24, Runs: 4}},
		{"a chain of two", digits + figures, Bonus{Digits: 12, Pieces: 8, Alternating: 16}},
		{"a chain of three", figures + digits + figures, Bonus{Digits: 12, Pieces: 16, Alternating: 24}},
		{"a chain of four", digits + figures + digits + figures, Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
		{"a piece in between", digits + " dam" + figures, Bonus{Digits: 12, Pieces: 8}},
		{"a piece that completes no set later", digits + " torn" + figures, Bonus{Digits: 12, Pieces: 8, Runs: 4}},
		{"a window that begins right after, broken", digits + " torn lopare torn dam springare", Bonus{Digits: 12, Pieces: 8}},
		{"a chain broken by a set of its kind", digits + digits + figures, Bonus{Digits: 24, Pieces: 8, Alternating: 16}},
		{"a chain that begins again", digits + figures + figures + digits, Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
		{"a set from the left breaks the chain later", digits + figures + " 4" + digits + figures,
			Bonus{Digits: 12 + 8, Pieces: 16, Alternating: 24}},
		{"two chains", digits + figures + " dam" + digits + figures, Bonus{Digits: 24, Pieces: 16, Alternating: 32}},
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
		piece Piece
		from  Square
		want  string
	}{
		{One, At(1, 1), "1 2, 2 1, 2 2"},
		{One, At(3, 3), "2 2, 2 3, 2 4, 3 2, 3 4, 4 2, 4 3, 4 4"},
		{Two, At(3, 3), "1 1, 1 3, 1 5, 3 1, 3 5, 5 1, 5 3, 5 5"},
		{Three, At(3, 3), "3 6, 6 3, 6 6"},
		{Four, At(2, 2), "2 6, 6 2, 6 6"},
		{Four, At(1, 3), "5 3"},
		{Four, At(3, 3), ""},
		{Four, At(3, 4), ""},
		{Four, At(4, 3), ""},
		{Four, At(4, 4), ""},
		{Torn, At(3, 2), "1 2, 3 1, 3 6, 6 2"},
		{Torn, At(1, 1), "1 6, 6 1"},
		{Torn, At(1, 3), "1 1, 1 6, 6 3"},
		{Lopare, At(3, 2), "1 4, 2 1, 4 1, 6 5"},
		{Lopare, At(1, 1), "6 6"},
		{Lopare, At(1, 3), "3 1, 4 6"},
		{Dam, At(3, 2), "1 2, 1 4, 2 1, 3 1, 3 6, 4 1, 6 2, 6 5"},
		{Dam, At(6, 6), "1 1, 1 6, 6 1"},
		{Springare, At(1, 1), "2 3, 3 2"},
		{Springare, At(3, 3), "1 2, 1 4, 2 1, 2 5, 4 1, 4 5, 5 2, 5 4"},
	}
	for _, test := range tests {
		if got := list(Reach(test.piece, test.from)); got != test.want {
			t.Errorf("%v at %v reaches %s, want %s", test.piece, test.from, got, test.want)
		}
	}
	for s := range Square(Area) {
		if Reach(Blank, s) != All {
			t.Errorf("before the first removal %#x is free, want every square", Reach(Blank, s))
		}
	}
}

func list(a Squares) string {
	var out []string
	for ; a != 0; a &= a - 1 {
		out = append(out, a.First().String())
	}
	return strings.Join(out, ", ")
}

// A 4 in the middle is the only piece that leads nowhere on a full board.
func TestReachNowhere(t *testing.T) {
	for p := One; p <= Springare; p++ {
		for s := range Square(Area) {
			middle := (s.Row() == 3 || s.Row() == 4) && (s.Column() == 3 || s.Column() == 4)
			if nowhere := Reach(p, s) == 0; nowhere != (p == Four && middle) {
				t.Errorf("%v at %v leads nowhere: %v", p, s, nowhere)
			}
		}
	}
}
