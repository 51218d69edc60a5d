package solitarschack

import (
	"math/rand/v2"
	"testing"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
	"umpire/referee/testlevel"
)

// TestValues: to end is worth the score, and to take a piece from which nothing
// can be reached is worth exactly one point and its bonus more.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	dead := 0
	for seed := range uint64(testlevel.Times(2, 8, 8)) {
		c, err := generate("6", seed)
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(1).(*match)
		for m.Next(); !m.ended; m.Next() {
			values, _ := m.Values(seat)
			end := values[len(values)-1]
			if end.Reply != endReply || end.Value != float64(m.Tally.Score()) {
				t.Fatalf("to end is worth %v, the score is %d", end, m.Tally.Score())
			}
			for i, rest := 0, m.Reachable(); rest != 0; i, rest = i+1, rest&(rest-1) {
				s := rest.First()
				after := m.Tally
				after.Add(m.Pieces[s])
				left := m.Occupied()
				if m.Colours[s] == board.Gold {
					left &^= 1 << s
				}
				if board.Reach(m.Pieces[s], s)&left != 0 {
					continue
				}
				dead++
				if values[i].Value != float64(after.Score()) || len(values[i].Line) != 0 {
					t.Errorf("%v ends the match with %d points and is worth %v", s, after.Score(), values[i])
				}
			}
			m.Reply(seat, reply(m, seat, rng))
		}
	}
	if dead == 0 {
		t.Error("found no move that ends the match")
	}
}

// TestValuesAreEstimates: what lies below the pieces in sight does not show.
func TestValuesAreEstimates(t *testing.T) {
	a, err := generate("5", 1)
	if err != nil {
		t.Fatal(err)
	}
	other := *a.(*Case)
	other[board.Silver], other[board.Gold] = other[board.Gold], other[board.Silver]
	first, second := a.Start(1), other.Start(1)
	first.Next()
	second.Next()
	x, exact := first.(protocols.Analyst).Values(seat)
	y, _ := second.(protocols.Analyst).Values(seat)
	if exact || len(x) != board.Area+1 {
		t.Fatalf("%d values, exact %v", len(x), exact)
	}
	for i := range x {
		if x[i].Value != y[i].Value {
			t.Errorf("%s is worth %v, above other pieces %v", x[i].Reply, x[i].Value, y[i].Value)
		}
	}
}
