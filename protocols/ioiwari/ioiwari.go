// Package ioiwari is the game IOIWARI of the International Olympiad in
// Informatics 2001: two players sow beads around a circle of seven pits. It
// holds the rules, the line protocol, and an exact solver.
package ioiwari

import (
	_ "embed"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"umpire/protocols"
)

// What a board is like at the start (the task's statement).
const (
	beadsAtStart = 20
	pitMinStart  = 2
	pitMaxStart  = 4
)

// startBoards is how many boards are like that.
const startBoards = 357

//go:embed rules.md
var rules string

// Game is ioiwari. The default formula is the task's scoring: 4 points for a
// win, 2 for a tie.
func Game() protocols.Game {
	return protocols.Game{
		Name:     "ioiwari",
		Title:    "Ioiwari",
		Rules:    rules,
		MinSeats: 2,
		MaxSeats: 2,
		Tests:    []int{1},
		House:    "optimal",
		Formula:  "P * (win + tie / 2)",
		Points:   4,
		Rank:     protocols.ByWins,
		Parse:    parse,
		Groups:   groupNames(),
		Generate: generate,
		All:      all,
	}
}

// parse reads a case: the beads in the pits, `p1 … p7`.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	var b Board
	for i, beads := range r.Ints(Pits, "the beads in the pits", pitMinStart, pitMaxStart) {
		b[i] = int8(beads)
	}
	if n := b.Beads(); r.Err() == nil && n != beadsAtStart {
		r.Fail(fmt.Sprintf("%d beads", n), fmt.Sprintf("%d beads in all", beadsAtStart))
	}
	if err := r.End(); err != nil {
		return nil, err
	}
	return start{b}, nil
}

func groupNames() []string { return []string{"random"} }

// generate draws one of all boards, each as likely as any other.
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

// all lists the boards a match can start from, all 357 of them, in ascending
// order when they are read as numbers of seven digits, p1 first.
func all() iter.Seq[protocols.Case] {
	return func(yield func(protocols.Case) bool) {
		var b Board
		complete(&b, 0, beadsAtStart, yield)
	}
}

// complete yields every way to put so many beads into the pits from index at
// on, and reports whether there may be more.
func complete(b *Board, at, beads int, yield func(protocols.Case) bool) bool {
	if at == Pits {
		return beads != 0 || yield(start{*b})
	}
	for n := pitMinStart; n <= min(pitMaxStart, beads); n++ {
		b[at] = int8(n)
		if !complete(b, at+1, beads-n, yield) {
			return false
		}
	}
	return true
}

// start is a case: the board a match starts from.
type start struct{ board Board }

// String is the canonical text, `p1 … p7`.
func (s start) String() string { return s.board.line() }

// Limits are one second for the whole match, start of the process included, and
// 256 MiB.
func (s start) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Memory: 256 << 20}
}

// Start begins a match of two seats.
func (s start) Start(seats int) protocols.Match {
	protocols.CheckSeats("ioiwari", seats, 2, 2)
	return newMatch(s.board)
}
