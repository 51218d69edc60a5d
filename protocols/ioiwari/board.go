package ioiwari

// Pits is how many pits there are; a pit's label is its index plus 1.
const Pits = 7

// PitMax is how many beads a pit can hold: sowing takes a bead from a pit of
// so many instead of adding one.
const PitMax = 5

// Board is the beads in each pit, 0 to 5, clockwise from pit 1.
type Board [Pits]int8

// Beads is how many beads are left in all pits.
func (b *Board) Beads() int {
	n := 0
	for _, beads := range b {
		n += int(beads)
	}
	return n
}

// Sow plays the pit with that label, 1 to 7, which must not be empty. It
// returns how many beads the move brings to the bank of the mover, and to that
// of the opponent.
func (b *Board) Sow(pit int) (own, other int) {
	at := pit - 1
	hand := b[at]
	b[at] = 0
	for {
		if at++; at == Pits {
			at = 0
		}
		switch beads := b[at]; {
		case hand > 1 && beads == PitMax: // a bead of the pit goes to the bank
			b[at]--
			own++
		case hand > 1:
			b[at]++
			hand--
		case beads == 0 || beads == PitMax: // the last bead is lost
			return own, 1
		default:
			b[at] = 0
			return own + int(beads) + 1, 0
		}
	}
}
