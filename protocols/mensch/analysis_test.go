package mensch

import (
	"cmp"
	"slices"
	"testing"

	"umpire/protocols"
)

// at is a match of red and blue with pieces on cells, in which red has rolled.
func at(t *testing.T, left Roll, cells map[string]int) *match {
	t.Helper()
	m := newMatch(Dice{A: 37, B: 71, M: 101}, 2)
	m.Next()
	for name, cell := range cells {
		m.board.Place(parsePiece(name, 2), cell)
	}
	m.board.left = left
	return m
}

func bestOf(t *testing.T, m *match) protocols.Value {
	t.Helper()
	values, exact := m.Values(1)
	if exact || len(values) == 0 {
		t.Fatalf("values %v, exact %v", values, exact)
	}
	return slices.MaxFunc(values, func(a, b protocols.Value) int { return cmp.Compare(a.Value, b.Value) })
}

// TestValues has positions whose best request is plain.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		name  string
		left  Roll
		cells map[string]int
		want  string
		then  []string
	}{
		{"sends a piece back", Roll{Last: 3}, map[string]int{"R1": 5, "R2": 20, "B1": 23}, "move R2 3", nil},
		{"goes home", Roll{Last: 2}, map[string]int{"R1": 39, "R2": 5, "B1": 38}, "move R1 2", nil},
		{"the six enters where the rest goes on", Roll{Sixes: 1, Last: 3}, map[string]int{"R1": 10}, "enter R2", []string{"move R2 3"}},
	} {
		best := bestOf(t, at(t, test.left, test.cells))
		if best.Reply != test.want || test.then != nil && !slices.Equal(best.Line, test.then) {
			t.Errorf("%s: best is %v, expected %s, then %v", test.name, best, test.want, test.then)
		}
	}
}

// TestValuesOfARun: a roll of many sixes takes no longer than one of three.
func TestValuesOfARun(t *testing.T) {
	m := at(t, Roll{Sixes: 40, Last: 1}, map[string]int{"R1": 1, "R2": 2, "R3": 3, "R4": 4, "B1": 20})
	if best := bestOf(t, m); len(best.Line) > maxRest {
		t.Errorf("looks %d numbers ahead, expected at most %d", len(best.Line), maxRest)
	}
}
