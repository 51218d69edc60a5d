package ioiwari

import (
	"flag"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

var update = flag.Bool("update", false, "write the golden pictures instead of comparing them")

// TestSVG compares the pictures of some positions with files checked by eye.
func TestSVG(t *testing.T) {
	for _, test := range []struct {
		name  string
		board Board
		pits  string
		seat  int
	}{
		{"start", Board{4, 3, 2, 4, 2, 3, 2}, "", 1},
		{"captured", Board{4, 3, 2, 4, 2, 3, 2}, "2", 2},
		{"from-a-pit-of-five", Board{4, 3, 2, 4, 2, 3, 2}, "23", 0},
		{"lost-after-a-round", Board{5, 3, 5, 5, 0, 1, 1}, "1", 2},
		{"over", Board{4, 3, 2, 4, 2, 3, 2}, "235457", 1},
	} {
		m := newMatch(test.board)
		for i := range test.pits {
			play(t, m, test.pits[i:i+1])
		}
		m.Next()
		protocoltest.Golden(t, test.name, m.SVG(test.seat), *update)
	}
	m := newMatch(Board{4, 3, 2, 4, 2, 3, 2})
	play(t, m, "2")
	m.Next()
	m.Fail(2, protocols.Failure{Kind: protocols.KindTime})
	protocoltest.Golden(t, "failed", m.SVG(0), *update)
}

// play makes the next move.
func play(t *testing.T, m *match, pit string) {
	t.Helper()
	step := m.Next()
	if foul := m.Reply(step.Await[0], pit); foul != nil {
		t.Fatal(foul)
	}
}

// TestSowing checks how a picture describes a move, by hand.
func TestSowing(t *testing.T) {
	for _, test := range []struct {
		board Board
		pit   string
		want  string // effects on the pits, and how many were visited
	}{
		// One bead each into 3 and 4; the last takes the two of 5.
		{Board{4, 3, 2, 4, 2, 3, 2}, "2", "[  +1 +1 −2  ] 3"},
		// Into 4; 5 holds five and gives one; into 6; the last one is lost at the empty 7.
		{Board{1, 1, 3, 1, 5, 1, 0}, "3", "[   +1 −1 +1  lost] 4"},
		// Round to where it began: 3 and 4 hold five; the last bead is lost at 1.
		{Board{5, 3, 5, 5, 0, 1, 1}, "1", "[ lost +1 −1 −1 +1 +1 +1] 7"},
		// Beyond where it began: 2, 3, 4 give one each, 5 to 7 and 1 get one each, and
		// the last bead takes the four that are left in 2.
		{Board{5, 5, 5, 5, 0, 0, 0}, "1", "[+1 −5 −1 −1 +1 +1 +1] 8"},
	} {
		m := newMatch(test.board)
		play(t, m, test.pit)
		at, visits, _, _ := m.sowing(allPits)
		if got := fmt.Sprint(at, visits); got != test.want {
			t.Errorf("%v, pit %s: %s, expected %s", test.board, test.pit, got, test.want)
		}
	}
}

// TestSowingAddsUp checks that the move as pictured leads from the board before
// it to the one after it, and to the gain.
func TestSowingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Board
		for i := range b {
			b[i] = int8(rapid.IntRange(0, PitMax).Draw(t, "beads"))
		}
		pits := filled(b)
		if len(pits) == 0 {
			return
		}
		pit := rapid.SampledFrom(pits).Draw(t, "pit")
		m := newMatch(b)
		m.Next()
		m.Reply(1, digit[pit-1:pit])
		at, _, _, _ := m.sowing(allPits)
		after, own := b, 0
		after[pit-1] = 0
		for i, s := range at {
			after[i] += int8(s.added - s.taken)
			own += s.taken
			if s.captured {
				own++ // the bead in hand
			}
		}
		_, visits, board, banks := m.sowing(allPits)
		if board != m.board || banks != m.banks || len(m.Phases()) != visits || visits >= allPits {
			t.Fatalf("%v, pit %d: bead by bead, in %d phases, it leads to %v and %v, expected %v and %v", b, pit, len(m.Phases()), board, banks, m.board, m.banks)
		}
		// What is missing on the way is in the hand, and each pit visited but the last
		// takes or gives one bead.
		sum := func(board Board, banks [2]int) (all int) {
			for _, beads := range board {
				all += int(beads)
			}
			return all + banks[0] + banks[1]
		}
		hand := int(b[pit-1])
		for way := range visits {
			if _, _, board, banks := m.sowing(way); sum(board, banks) > sum(b, [2]int{}) || sum(board, banks) < sum(b, [2]int{})-hand {
				t.Fatalf("%v, pit %d: after %d pits %v and %v", b, pit, way, board, banks)
			}
		}
		if after != m.board || own != m.banks[0] {
			t.Fatalf("%v, pit %d: %+v leads to %v and %d, expected %v and %d", b, pit, at, after, own, m.board, m.banks[0])
		}
	})
}
