package ioiwari

import (
	"strconv"
	"testing"
)

// margin is the mover's final margin under perfect play, found without a table.
func margin(b Board) int {
	if b.Beads() == 0 {
		return 0
	}
	best := -1 << 30
	for i, beads := range b {
		if beads > 0 {
			after := b
			own, other := after.Sow(i + 1)
			best = max(best, own-other-margin(after))
		}
	}
	return best
}

// TestValues: the value of a pit is the margin at the end, what is in the banks
// included, and play along its line ends with that margin.
func TestValues(t *testing.T) {
	for _, start := range []struct {
		board Board
		banks [2]int
		turn  int
	}{
		{Board{0, 0, 0, 0, 1, 1, 1}, [2]int{8, 9}, 0},
		{Board{0, 4, 0, 4, 1, 0, 2}, [2]int{3, 6}, 1},
		{Board{5, 0, 1, 0, 3, 1, 0}, [2]int{7, 3}, 0},
		{Board{2, 1, 0, 3, 0, 2, 1}, [2]int{6, 5}, 1},
	} {
		m := newMatch(start.board)
		m.banks, m.turn = start.banks, start.turn
		if values, _ := m.Values(2 - start.turn); values != nil {
			t.Errorf("%v: the seat that is not awaited has values %v", start, values)
		}
		values, exact := m.Values(start.turn + 1)
		if !exact {
			t.Errorf("%v: not exact", start)
		}
		for _, v := range values {
			pit, err := strconv.Atoi(v.Reply)
			if err != nil {
				t.Fatal(err)
			}
			after := start.board
			own, other := after.Sow(pit)
			banks := start.banks
			want := banks[start.turn] - banks[1-start.turn] + own - other - margin(after)
			if v.Value != float64(want) {
				t.Errorf("%v: pit %d is worth %v, expected %d", start, pit, v.Value, want)
			}
			end := newMatch(start.board)
			end.banks, end.turn = start.banks, start.turn
			for _, reply := range append([]string{v.Reply}, v.Line...) {
				if foul := end.Reply(end.turn+1, reply); foul != nil {
					t.Fatalf("%v: line %v: %v", start, v.Line, foul)
				}
			}
			if got := end.banks[start.turn] - end.banks[1-start.turn]; !end.over || got != want {
				t.Errorf("%v: pit %d and then %v end at %d, over %v, expected %d", start, pit, v.Line, got, end.over, want)
			}
		}
	}
}
