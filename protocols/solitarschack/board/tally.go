package board

// Bonus is the points beyond those for removals, by reason.
type Bonus struct {
	Runs        int `json:"runs"`        // 2N for a maximal run of N ≥ 2 equal types
	Digits      int `json:"digits"`      // 12 or 8 a digit set
	Pieces      int `json:"pieces"`      // 8 a piece set
	Alternating int `json:"alternating"` // 8K for a maximal chain of K ≥ 2 sets, digits and pieces in turn
}

// Sum is the total bonus.
func (b Bonus) Sum() int { return b.Runs + b.Digits + b.Pieces + b.Alternating }

// Points of the bonuses.
const (
	perRun      = 2  // for a piece of a run
	perOrdered  = 12 // for a digit set in order, or in reverse order
	perSet      = 8  // for any other set
	perChained  = 8  // for a set in a chain
	SizeOfSet   = 4  // pieces of a set
	ordered     = 0x1234
	reversed    = 0x4321
	windowBits  = 4 * SizeOfSet
	digitTypes  = 1<<One | 1<<Two | 1<<Three | 1<<Four
	figureTypes = 1<<Torn | 1<<Lopare | 1<<Dam | 1<<Springare
)

// Tally counts the score of a sequence of removed pieces, one piece at a time.
// The zero value is the empty sequence's. It holds no pointers: a copy goes on
// by itself.
type Tally struct {
	Removals int
	Bonus    Bonus

	last   Piece
	run    int    // length of the current run, of type last
	window uint16 // the last four pieces since the last set, four bits each, the newest lowest
	held   int    // number of pieces since the last set; 0 right after one
	set    int    // types of the last set; 0 if there was none
	chain  int    // length of the chain that the last set ends, in sets
}

// Score is the removals and the bonus together.
func (t *Tally) Score() int { return t.Removals + t.Bonus.Sum() }

// Run is the number of equal types that the sequence ends with.
func (t *Tally) Run() int { return t.run }

// Last is the type removed last, Blank at the start.
func (t *Tally) Last() Piece { return t.last }

// Add counts the removal of one more piece. As all sets have four pieces,
// taking each set as soon as it is complete is the same as taking them from the
// left.
func (t *Tally) Add(p Piece) {
	t.Removals++
	t.extendRun(p)
	t.window = t.window<<4&(1<<windowBits-1) | uint16(p)
	t.held++
	if t.held < SizeOfSet {
		return
	}
	switch types := t.types(); types {
	case digitTypes:
		t.Bonus.Digits += worth(t.window)
		t.close(types)
	case figureTypes:
		t.Bonus.Pieces += perSet
		t.close(types)
	}
}

func (t *Tally) extendRun(p Piece) {
	if p != t.last {
		t.last, t.run = p, 1
		return
	}
	if t.run == 1 {
		t.Bonus.Runs += perRun // for the piece that began the run
	}
	t.run++
	t.Bonus.Runs += perRun
}

// types is the set of types in the window, a bit each.
func (t *Tally) types() int {
	w := t.window
	return 1<<(w&15) | 1<<(w>>4&15) | 1<<(w>>8&15) | 1<<(w>>12)
}

func worth(window uint16) int {
	if window == ordered || window == reversed {
		return perOrdered
	}
	return perSet
}

// close ends a set. The set continues the last set's chain if the last set is
// of the other kind and no piece lies between them.
func (t *Tally) close(types int) {
	if t.held == SizeOfSet && t.set != 0 && t.set != types {
		if t.chain == 1 {
			t.Bonus.Alternating += perChained // for the set that began the chain
		}
		t.chain++
		t.Bonus.Alternating += perChained
	} else {
		t.chain = 1
	}
	t.set, t.held, t.window = types, 0, 0
}

// Canonical is a tally that gives the same points as t for any continuation,
// but counts from zero and has forgotten everything that no longer matters.
// There are only a few hundred different ones, so they can be the keys of a
// table.
func (t Tally) Canonical() Tally {
	t.Removals, t.Bonus = 0, Bonus{}
	t.run, t.chain = min(t.run, 2), min(t.chain, 2)
	if n := t.Useful(); n < t.held {
		t.held, t.set = n, 0
	}
	t.window &= 1<<(4*t.held) - 1
	if t.held > 0 && t.kind() == t.set {
		t.set = 0
	}
	if t.set == 0 {
		t.chain = 0
	}
	return t
}

// Useful returns how many of the latest pieces since the last set may still be
// part of a set: pieces of one kind that are all different.
func (t *Tally) Useful() int {
	n, seen := 0, 0
	for ; n < min(t.held, SizeOfSet-1); n++ {
		bit := 1 << (t.window >> (4 * n) & 15)
		if bit&t.kind() == 0 || bit&seen != 0 {
			break
		}
		seen |= bit
	}
	return n
}

// kind returns the types of the set that the latest piece may be part of.
func (t *Tally) kind() int {
	if t.last.Digit() {
		return digitTypes
	}
	return figureTypes
}
