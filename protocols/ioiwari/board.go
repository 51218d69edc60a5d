package ioiwari

// Pits is the number of pits; a pit's label is its index plus 1.
const Pits = 7

// PitMax is the most beads a pit can hold: sowing takes a bead from a pit that
// has this many instead of adding one.
const PitMax = 5

// Board holds the beads in each pit, 0 to 5, clockwise from pit 1.
type Board [Pits]int8

// Beads is the number of beads left in all pits.
func (b *Board) Beads() int {
	n := 0
	for _, beads := range b {
		n += int(beads)
	}
	return n
}

// Sow plays the pit with that label, 1 to 7, which must not be empty. It
// returns how many beads the move brings to the mover's bank, and to the
// opponent's.
func (b *Board) Sow(pit int) (own, other int) {
	at := pit - 1
	hand := b[at]
	b[at] = 0
	for hand > 0 {
		if at++; at == Pits {
			at = 0
		}
		var v visit
		b[at], hand, v = sowInto(b[at], hand)
		own += v.own
		other += v.other
	}
	return own, other
}

// visit counts the beads that go to the banks at one pit.
type visit struct{ own, other int }

// sowInto visits a pit of some beads with at least one in hand.
func sowInto(beads, hand int8) (left, inHand int8, v visit) {
	switch {
	case hand > 1 && beads == PitMax: // a bead of the pit goes to the bank
		return beads - 1, hand, visit{own: 1}
	case hand > 1:
		return beads + 1, hand - 1, visit{}
	case beads == 0 || beads == PitMax: // the last bead is lost
		return beads, 0, visit{other: 1}
	}
	return 0, 0, visit{own: int(beads) + 1}
}
