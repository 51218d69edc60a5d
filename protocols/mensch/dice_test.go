package mensch

import (
	"fmt"
	"strings"
	"testing"
)

func TestSequence(t *testing.T) {
	tests := []struct {
		dice Dice
		want string
	}{
		{Dice{37, 71, 101}, "6 1 3 5 4 3 4 4 3 4"},
		{Dice{479, 139, 911}, "2 2 1 2 5 4 6 4"},
	}
	for _, tt := range tests {
		s := tt.dice.Sequence()
		var got []string
		for range len(strings.Fields(tt.want)) {
			got = append(got, fmt.Sprint(s.Next()))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v gives %v, want %s", tt.dice, got, tt.want)
		}
	}
}

// 6,158 triples never show a six.
func TestEveryTriple(t *testing.T) {
	all := primes()
	if len(all) != 168 || all[167] != 997 {
		t.Fatalf("%d primes up to %d", len(all), all[len(all)-1])
	}
	never := 0
	for _, m := range all {
		for _, a := range all {
			for _, b := range all {
				if a < m && b < m && neverSix(t, Dice{a, b, m}) {
					never++
				}
			}
		}
	}
	if never != 6158 {
		t.Errorf("%d triples never show a six, want 6158", never)
	}
}

// neverSix fails the test if the sequence neither shows a six nor returns to X
// = 0 in time.
func neverSix(t *testing.T, d Dice) bool {
	s := d.Sequence()
	for range d.M {
		if s.Next() == 6 {
			return false
		}
		if s.x == 0 {
			return true
		}
	}
	t.Fatalf("%v does not pass through 0", d)
	return false
}

// A roll ends: the sequence comes to X = 0, which is a one, before it repeats.
func TestEveryRollEnds(t *testing.T) {
	for seed := range uint64(2000) {
		r := source("test", "rolls", seed)
		all := primes()
		d := Dice{all[r.IntN(168)], all[r.IntN(168)], all[r.IntN(168)]}
		if d.A >= d.M || d.B >= d.M {
			continue
		}
		s := d.Sequence()
		for k := 1; s.Next() != 1 || s.x != 0; k++ {
			if k == d.M {
				t.Fatalf("%v does not pass through 0", d)
			}
		}
	}
}

func TestCycle(t *testing.T) {
	length, faces := Dice{2, 2, 3}.cycle()
	if length != 2 || faces != [7]bool{1: true, 3: true} {
		t.Errorf("2 2 3 has a cycle of %d with faces %v, want 2 and 3, 1", length, faces)
	}
	for seed := range uint64(50) {
		c, err := generate(standard, seed)
		if err != nil {
			t.Fatal(err)
		}
		d := c.(Case).dice
		seen := map[int]bool{}
		s := d.Sequence()
		for range 99 {
			seen[s.Next()] = true
			if s.x == 0 {
				t.Fatalf("%v has a cycle shorter than 100", d)
			}
		}
		for range d.M {
			seen[s.Next()] = true
		}
		if len(seen) != 6 {
			t.Errorf("%v shows only %v", d, seen)
		}
	}
}

func TestRoll(t *testing.T) {
	tests := []struct {
		roll    Roll
		text    string
		numbers int
	}{
		{Roll{}, "", 0}, {Roll{0, 4}, "4", 1}, {Roll{2, 1}, "6 6 1", 3}, {Roll{3, 0}, "6 6 6", 3},
	}
	for _, tt := range tests {
		if got := tt.roll.String(); got != tt.text {
			t.Errorf("%+v prints %q, want %q", tt.roll, got, tt.text)
		}
		if got := tt.roll.Numbers(); got == nil || len(got) != tt.numbers {
			t.Errorf("%+v has the numbers %v", tt.roll, got)
		}
	}
	r := Roll{2, 1}
	if !r.Has(6) || !r.Has(1) || r.Has(2) || r.Without(6) != (Roll{1, 1}) || r.Without(1) != (Roll{2, 0}) || r.None() {
		t.Errorf("the roll 6 6 1 does not keep count")
	}
}
