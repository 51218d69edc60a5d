package patolli

import (
	"math/bits"
	"strconv"
)

const (
	// Last is the last location of the path; a marker that reaches it leaves.
	Last = 52
	// Markers is the number of markers each side begins with.
	Markers = 3
	// walk is the most locations that a marker walks on from a prime or back from
	// a square.
	walk = 6
)

// set is a set of locations, one bit each.
type set uint64

// has reports whether a location is in the set.
func (s set) has(location int) bool { return s>>location&1 != 0 }

// The locations of rules 4, 5 and 6. At a corner the path turns from a row into
// a column.
const (
	primes set = 1<<2 | 1<<3 | 1<<5 | 1<<7 | 1<<11 | 1<<13 | 1<<17 | 1<<19 | 1<<23 | 1<<29 |
		1<<31 | 1<<37 | 1<<41 | 1<<43 | 1<<47
	squares set = 1<<9 | 1<<16 | 1<<25 | 1<<36 | 1<<49
	corners set = 1<<7 | 1<<12 | 1<<17 | 1<<22 | 1<<27 | 1<<35 | 1<<40 | 1<<45 | 1<<50
)

// Position holds the markers, each at its own location 1..51.
type Position struct {
	opponent, player set
}

// Rule is the number of the rule that decides a roll, 1..7.
type Rule int

// The rules, in the order in which they are tried. S is the marker's location
// and e = s + roll.
const (
	Beyond   Rule = 1 + iota // e > 52: it stays
	Taken                    // e is occupied: it stays
	Leaves                   // e = 52: it leaves the grid
	Prime                    // e is prime: it walks on
	Square                   // e is a square of 3..7: it walks back
	Corner                   // a horizontal step and, later, a vertical one: the multiple of the roll
	Standing                 // otherwise it stands on e
)

// Move is the effect of a roll.
type Move struct {
	From, To int  // 52 if it left, From if it stayed
	Rule     Rule // 0 if no marker was left and the roll is void
}

// Over reports whether the player has no marker left.
func (p *Position) Over() bool { return p.player == 0 }

// Locations are the player's markers, ascending.
func (p *Position) Locations() []int { return p.player.list() }

// list returns the locations of a set, ascending.
func (s set) list() []int {
	out := make([]int, 0, Markers)
	for ; s != 0; s &= s - 1 {
		out = append(out, bits.TrailingZeros64(uint64(s)))
	}
	return out
}

// String is the line that answers the position: the player's markers in order,
// or GAME OVER.
func (p *Position) String() string { return string(p.append(nil)) }

// append is String without an allocation of its own.
func (p *Position) append(to []byte) []byte {
	if p.Over() {
		return append(to, gameOver...)
	}
	for s := p.player; s != 0; s &= s - 1 {
		if s != p.player {
			to = append(to, ' ')
		}
		to = strconv.AppendInt(to, int64(bits.TrailingZeros64(uint64(s))), 10)
	}
	return to
}

// gameOver is the answer if no marker is left.
const gameOver = "GAME OVER"

// Roll moves the player's marker at the lowest location by a roll of 1..6.
func (p *Position) Roll(roll int) Move {
	if p.Over() {
		return Move{}
	}
	from := bits.TrailingZeros64(uint64(p.player))
	p.player &^= 1 << from
	to, rule := p.target(from, roll)
	if to != Last {
		p.player |= 1 << to
	}
	return Move{from, to, rule}
}

// target is the location that a marker, itself taken off the grid, moves to
// from s.
func (p *Position) target(s, roll int) (int, Rule) {
	occupied := p.opponent | p.player
	e := s + roll
	switch {
	case e > Last:
		return s, Beyond
	case occupied.has(e):
		return s, Taken
	case e == Last:
		return Last, Leaves
	case primes.has(e):
		return onward(occupied, e), Prime
	case squares.has(e):
		return backward(occupied, e), Square
	case corners&between(s, e) != 0:
		multiple := e - e%roll // the one in s+1..e
		if occupied.has(multiple) {
			return s, Corner
		}
		return multiple, Corner
	}
	return e, Standing
}

// open reports whether the statement leaves open the effect of a roll, so that
// the rules here are a choice: a marker that reaches 52 past a corner (by rule
// 3, or by rule 6 unless both lead there), a walk from 47 that would pass 52,
// and a walk back from a square to where the marker itself comes from or
// beyond.
func (p *Position) open(roll int) bool {
	if p.Over() {
		return false
	}
	s := bits.TrailingZeros64(uint64(p.player))
	e := s + roll
	others := (p.opponent | p.player) &^ (1 << s)
	switch {
	case e > Last || others.has(e):
		return false
	case e == Last:
		return corners&between(s, e) != 0 && e%roll != 0
	case e == 47:
		return others&between(e, Last) == 0
	}
	return squares.has(e) && others&between(s, e) == 0
}

// between is the set of the locations s+1..e-1.
func between(s, e int) set { return (1<<e - 1) &^ (1<<(s+1) - 1) }

// onward walks from a prime up to six locations, stopping before the first
// occupied one. A walk that nothing stops before 52 does not take place: only
// one from 47 could be such a walk.
func onward(occupied set, prime int) int {
	for to := prime; to < prime+walk; to++ {
		if occupied.has(to + 1) {
			return to
		}
		if to+1 == Last {
			return prime
		}
	}
	return prime + walk
}

// backward walks from a square up to six locations back, stopping before the
// first occupied one.
func backward(occupied set, square int) int {
	for to := square; to > square-walk; to-- {
		if occupied.has(to - 1) {
			return to
		}
	}
	return square - walk
}
