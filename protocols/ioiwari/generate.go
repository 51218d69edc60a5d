package ioiwari

import (
	"iter"
	"math/rand/v2"
	"slices"

	"umpire/protocols"
)

// startBoards is the number of boards a match can start from.
const startBoards = 357

func groupNames() []string { return []string{"random"} }

// generate draws one of all boards, with equal chances.
func generate(group string, seed uint64) (protocols.Case, error) {
	if !slices.Contains(groupNames(), group) {
		return nil, &protocols.UnknownGroup{Game: "ioiwari", Group: group, Known: groupNames()}
	}
	left := rand.New(rand.NewPCG(seed, 0)).IntN(startBoards)
	for c := range all() {
		if left == 0 {
			return c, nil
		}
		left--
	}
	panic("ioiwari: there are fewer boards than startBoards")
}

// all lists the 357 boards a match can start from, in ascending order when read
// as numbers of seven digits, p1 first.
func all() iter.Seq[protocols.Case] {
	return func(yield func(protocols.Case) bool) {
		var b Board
		complete(&b, 0, beadsAtStart, yield)
	}
}

// complete yields every way to put that many beads into the pits from index at
// on, and reports whether to continue.
func complete(b *Board, at, beads int, yield func(protocols.Case) bool) bool {
	if at == Pits {
		return beads != 0 || yield(Case{*b})
	}
	for n := pitMinStart; n <= min(pitMaxStart, beads); n++ {
		b[at] = int8(n)
		if !complete(b, at+1, beads-n, yield) {
			return false
		}
	}
	return true
}
