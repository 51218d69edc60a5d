package tournament

import (
	"fmt"
	"testing"
)

// TestNeighbours: over (seats-1)! cases every bot sits right behind every other equally
// often, and so at any distance; before that, the numbers are never far apart. On every
// case all meet, and sit in every seat, equally often.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct{ bots, seats, cases int }{{3, 3, 2}, {4, 3, 2}, {7, 3, 2}, {4, 4, 6}, {5, 4, 6}, {9, 4, 6}, {5, 5, 24}, {11, 5, 24}} {
		p := plan(RoundRobin, c.bots, c.seats, 2*c.cases)
		p.Seating = Neighbours
		round, _ := p.Next(nil)
		behind := make([]map[[2]int]int, c.seats) // by how far
		for far := range behind {
			behind[far] = make(map[[2]int]int)
		}
		per := round.Len / len(p.Plays)
		var tables [][]int
		for m := range round.Matches {
			if tables = append(tables, m.Bots); len(tables)%per > 0 {
				continue
			}
			name := fmt.Sprintf("%d bots, %d seats, case %d", c.bots, c.seats, m.Case)
			checkBalance(t, name, c.bots, tables[len(tables)-per:])
			for _, table := range tables[len(tables)-per:] {
				for far := 1; far < c.seats; far++ {
					for i, bot := range table {
						behind[far][[2]int{table[(i+far)%c.seats], bot}]++
					}
				}
			}
			least, most := spreadOf(behind[1], c.bots)
			if whole := (m.Case+1)%c.cases == 0; whole {
				for far := 2; far < c.seats; far++ {
					if low, high := spreadOf(behind[far], c.bots); low != high {
						t.Errorf("%s: %d to %d times %d behind another", name, low, high, far)
					}
				}
				if least != most {
					t.Errorf("%s: %d to %d times right behind another", name, least, most)
				}
			} else if most-least > 2*per {
				t.Errorf("%s: %d to %d times right behind another", name, least, most)
			}
		}
	}
}

// spreadOf returns the least and the greatest number of times that a bot sits behind
// another.
func spreadOf(behind map[[2]int]int, bots int) (least, most int) {
	least = 1 << 30
	for a := range bots {
		for b := range bots {
			if a != b {
				least, most = min(least, behind[[2]int{a, b}]), max(most, behind[[2]int{a, b}])
			}
		}
	}
	return least, most
}

// TestRotations: runs that earlier versions have begun are seated as then, alike on
// every case, as a new one is on its first case.
func TestRotations(t *testing.T) {
	p := plan(RoundRobin, 4, 4, 3)
	want := "[0 1 2 3][1 2 3 0][2 3 0 1][3 0 1 2]"
	for _, seating := range []Seating{Rotations, Neighbours} {
		p.Seating = seating
		round, _ := p.Next(nil)
		got := make([]string, 3)
		for m := range round.Matches {
			got[m.Case] += fmt.Sprint(m.Bots)
		}
		for i, text := range got {
			if (text == want) != (seating == Rotations || i == 0) {
				t.Errorf("seating %d, case %d: found %s", seating, i, text)
			}
		}
	}
}

// TestManySeats: also where not all orders of turns are used, each comes once, and seat
// 1 keeps its place.
func TestManySeats(t *testing.T) {
	for seats := 3; seats <= 16; seats++ {
		seen := make(map[string]bool)
		for _, a := range arrangements(seats) {
			if key := fmt.Sprint(a); seen[key] || len(a) != seats || a[0] != 0 {
				t.Errorf("%d seats: found %s", seats, key)
			} else {
				seen[key] = true
			}
		}
		if len(seen) < min(2, seats-1) {
			t.Errorf("%d seats: found %d orders", seats, len(seen))
		}
	}
}
