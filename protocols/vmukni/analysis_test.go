package vmukni

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"umpire/protocols"
)

// worth is the mover's points less the opponent's if all tiles are visible: the
// search without its short cuts. With alone, the opponent plays way 6 only.
func worth(b Board, tiles []int, mover, alone bool) int {
	if len(tiles) == 0 {
		return 0
	}
	best := -1 << 30
	for way := 1; way <= Ways; way++ {
		if alone && !mover && way != 6 {
			continue
		}
		after := b
		gain := after.Gain(way, tiles[0])
		best = max(best, gain-worth(after, tiles[1:], !mover, alone))
	}
	return best
}

// drawn is a match in which moves have been made at random until few are left.
func drawn(t *testing.T, seed uint64, left int) *match {
	t.Helper()
	c, err := generate(groupNames()[0], seed)
	if err != nil {
		t.Fatal(err)
	}
	c.(*Case).faceUp = c.(*Case).Moves()
	m := c.Start(Seats).(*match)
	rng := rand.New(rand.NewPCG(seed, 0))
	for m.Next(); m.c.Moves()-len(m.ways) > left; m.Next() {
		if foul := m.Reply(m.mover()+1, strconv.Itoa(1+rng.IntN(Ways))); foul != nil {
			t.Fatal(foul)
		}
	}
	return m
}

// TestValues: near the end, where all tiles are visible, each way is worth the
// margin that best play leads to, and is said to be exact.
func TestValues(t *testing.T) {
	for seed := range uint64(6) {
		m := drawn(t, seed, 3)
		seat := m.mover() + 1
		margin := m.points[seat-1] - m.points[Seats-seat]
		values, exact := m.Values(seat)
		if !exact || len(values) != Ways {
			t.Fatalf("seed %d: %d values, exact %v", seed, len(values), exact)
		}
		for i, v := range values {
			after := m.board
			gain := after.Gain(i+1, m.visible()[0])
			if want := margin + gain - worth(after, m.visible()[1:], false, false); v.Value != float64(want) {
				t.Errorf("seed %d: way %d is worth %v, expected %d", seed, i+1, v.Value, want)
			}
		}
	}
}

// TestValuesAlone: a seat that has failed plays way 6, and values know it.
func TestValuesAlone(t *testing.T) {
	differs := false
	for seed := range uint64(6) {
		m := drawn(t, seed, 4)
		m.Fail(m.mover()+1, protocols.Failure{Kind: protocols.KindTime})
		m.Next()
		seat := m.mover() + 1
		margin := m.points[seat-1] - m.points[Seats-seat]
		values, _ := m.Values(seat)
		for i, v := range values {
			after := m.board
			gain := after.Gain(i+1, m.visible()[0])
			rest := worth(after, m.visible()[1:], false, true)
			differs = differs || rest != worth(after, m.visible()[1:], false, false)
			if want := margin + gain - rest; v.Value != float64(want) {
				t.Errorf("seed %d: way %d is worth %v, expected %d", seed, i+1, v.Value, want)
			}
		}
	}
	if !differs {
		t.Error("the failure makes no difference to any of these values")
	}
}

// TestValuesAreEstimates: a match with tiles face down has no exact values, and
// the tile to come does not show in them.
func TestValuesAreEstimates(t *testing.T) {
	text := "4 1 3\n1 1 2 3 1\n2 3 1 2 3\n3 1 2 3 1\n1 2 3 1 2\n2 3 1 2 3\n1 "
	var seen []protocols.Value
	for _, hidden := range []string{"1 1 1", "2 3 2", "3 3 3"} {
		c, err := parse(text + hidden)
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(Seats)
		m.Next()
		values, exact := m.(protocols.Analyst).Values(1)
		if exact {
			t.Errorf("queue %s: exact", hidden)
		}
		for i := range seen {
			if values[i].Value != seen[i].Value {
				t.Errorf("queue %s: way %d is worth %v, with another queue %v", hidden, i+1, values[i].Value, seen[i].Value)
			}
		}
		seen = values
	}
}
