package ioiwari

// boards is the number of boards with every pit 0 to 5.
const boards = 6 * 6 * 6 * 6 * 6 * 6 * 6

// Solver knows how boards end under optimal play. It solves each board it is
// asked for, and all that can follow from it, once: some 5,000 boards from the
// start of a match, 279,936 in all, a byte for each. The zero value is ready
// for use by one goroutine at a time.
type Solver struct {
	known [boards]uint8 // the mover's value by Board.index, raised to be above 0
}

// raise is added to a value, which is -35 to 35, in the table.
const raise = Pits*PitMax + 1

// Best returns the mover's best pit, by its label, under optimal play, and the
// difference it leads to: the beads still to come to the mover's bank less
// those to come to the opponent's. Among equal pits it is the lowest label; 0
// on an empty board.
func (s *Solver) Best(b Board) (pit, difference int) {
	for i, beads := range b {
		if beads == 0 {
			continue
		}
		after := b
		own, other := after.Sow(i + 1)
		if d := own - other - s.value(after); pit == 0 || d > difference {
			pit, difference = i+1, d
		}
	}
	return pit, difference
}

// value is Best's difference. The search ends because every move brings a bead
// to a bank.
func (s *Solver) value(b Board) int {
	known := &s.known[b.index()]
	if *known == 0 {
		_, difference := s.Best(b)
		*known = uint8(difference + raise)
	}
	return int(*known) - raise
}

// index is the board's place in the table: its pits as the digits of a number
// in base 6, pit 1 last.
func (b *Board) index() int {
	return int(b[0]) + 6*int(b[1]) + 36*int(b[2]) + 216*int(b[3]) + 1296*int(b[4]) + 7776*int(b[5]) + 46656*int(b[6])
}
