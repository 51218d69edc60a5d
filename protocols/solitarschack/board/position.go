package board

// Colour is the colour of a square's visible piece and, as a number, how many
// pieces were removed from the square.
type Colour uint8

// The colours, in the order in which they appear, and the end of them.
const (
	Bronze Colour = iota
	Silver
	Gold
	Empty
)

// Layers is the number of pieces a square holds over the course of a match.
const Layers = 3

// String is the colour's name, "empty" if nothing is left.
func (c Colour) String() string { return [...]string{"bronze", "silver", "gold", "empty"}[c] }

// Letter is the colour's letter, a dot if nothing is left.
func (c Colour) Letter() byte { return "bsg."[c] }

// Position is a player's view of a match: the board, the piece removed last and
// the score so far. The zero value is not a position; see NewPosition.
type Position struct {
	Pieces  [Area]Piece  // visible pieces, Blank if nothing is left
	Colours [Area]Colour // their colours
	From    Square       // square of the last removal; meaningless before the first
	Tally   Tally
}

// NewPosition is the start, with a full board of bronze.
func NewPosition(bronze [Area]Piece) Position { return Position{Pieces: bronze} }

// Occupied is the set of squares that hold a piece.
func (p *Position) Occupied() Squares {
	var a Squares
	for s, piece := range p.Pieces {
		if piece != Blank {
			a |= 1 << s
		}
	}
	return a
}

// Reachable is the set of squares that may be removed next.
func (p *Position) Reachable() Squares {
	return Reach(p.Tally.Last(), p.From) & p.Occupied()
}

// Reaches reports whether s may be removed next.
func (p *Position) Reaches(s Square) bool {
	return p.Pieces[s] != Blank && Reach(p.Tally.Last(), p.From).Has(s)
}

// Remove removes the piece on s, which must be reachable; next is the piece
// that appears there, Blank after gold.
func (p *Position) Remove(s Square, next Piece) {
	p.Tally.Add(p.Pieces[s])
	p.From = s
	p.Pieces[s] = next
	p.Colours[s]++
}
