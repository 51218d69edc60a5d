// Package mensch is the game منچ, known elsewhere as Ludo or Mensch ärgere dich
// nicht, after an Iranian programming project in five parts: the parts as batch
// tasks, mensch-1 to mensch-5, and a match game for two to four seats, mensch.
// One rule engine, Board, serves them all.
package mensch

// Colour is one of the four colours, numbered in turn order.
type Colour uint8

// The colours in turn order.
const (
	Red Colour = iota
	Blue
	Green
	Yellow
)

const (
	letters = "RBGY" // letters of the colours, in turn order
	each    = 4      // pieces of a colour
	track   = 40     // cells of the track
	path    = 44     // cells of a colour's path: the track, then its final cells
	cells   = 72     // cells in all
)

// Letter is the colour's name in requests and pictures: R, B, G or Y.
func (c Colour) Letter() string { return letters[c : c+1] }

// String is the colour's name.
func (c Colour) String() string {
	return [...]string{"red", "blue", "green", "yellow"}[c]
}

// StartCell is the track cell that the colour's pieces enter: 1, 11, 21 or 31.
func (c Colour) StartCell() int { return 10*int(c) + 1 }

// corner is the cell of the colour's i-th corner, i from 0 to 3.
func (c Colour) corner(i int) int { return 41 + 8*int(c) + i }

// PathCell is the cell that many steps along the colour's path: 1 is its start
// cell, 41 to 44 are its final cells.
func (c Colour) PathCell(step int) int {
	if step > track {
		return c.corner(each) + step - track - 1
	}
	return (c.StartCell()+step-2)%track + 1
}

// Pieces are the colour's four pieces.
func (c Colour) Pieces() [each]Piece {
	first := Piece(each*int(c) + 1)
	return [each]Piece{first, first + 1, first + 2, first + 3}
}

// Piece is one of the sixteen pieces: 1 to 4 are R1 to R4, then those of the
// other colours in turn order. NoPiece is none of them.
type Piece uint8

// NoPiece stands for the absence of a piece.
const NoPiece Piece = 0

const pieces = 16

// Colour is the colour of the piece.
func (p Piece) Colour() Colour { return Colour(p-1) / each }

// String is the piece's name, R1 to Y4.
func (p Piece) String() string { return pieceNames[2*p : 2*p+2] }

const pieceNames = "--R1R2R3R4B1B2B3B4G1G2G3G4Y1Y2Y3Y4"

// Position holds the cells of the pieces. Cells are numbered from 1 to 72 as in
// the statement: the track, then for every colour its corners and its final
// cells. The zero value has no pieces at all.
type Position struct {
	at [pieces + 1]uint8 // cell of each piece, 0 if it does not take part
	on [cells + 1]Piece  // piece on each cell
}

// NewPosition puts the pieces of that many colours, red first, on their corners.
func NewPosition(colours int) Position {
	var p Position
	for c := range Colour(colours) {
		for i, piece := range c.Pieces() {
			p.set(piece, c.corner(i))
		}
	}
	return p
}

func (p *Position) set(piece Piece, cell int) {
	p.at[piece] = uint8(cell)
	p.on[cell] = piece
}

// Cell is the cell where the piece stands, 0 if it does not take part.
func (p *Position) Cell(piece Piece) int { return int(p.at[piece]) }

// On is the piece on a cell, or NoPiece.
func (p *Position) On(cell int) Piece { return p.on[cell] }

// Steps is the piece's progress along its path: 0 in a corner, 1 on its start
// cell, 41 to 44 in the final cells.
func (p *Position) Steps(piece Piece) int {
	c, cell := piece.Colour(), p.Cell(piece)
	switch {
	case cell == 0:
		return 0
	case cell <= track:
		return (cell-c.StartCell()+track)%track + 1
	case cell < c.corner(each):
		return 0
	}
	return cell - c.corner(each) + track + 1
}

// In reports whether the piece is in play or home, and not in a corner.
func (p *Position) In(piece Piece) bool { return p.Steps(piece) > 0 }

// Ahead is the cell s steps further along the path of a piece that is in, or 0
// if the path ends before that.
func (p *Position) Ahead(piece Piece, s int) int {
	to := p.Steps(piece) + s
	if to > path {
		return 0
	}
	return piece.Colour().PathCell(to)
}

// Target is the cell that an accepted entry or move leads to.
func (p *Position) Target(r Request) int {
	if r.Verb == Enter {
		return r.Piece.Colour().StartCell()
	}
	return p.Ahead(r.Piece, int(r.Steps))
}

// Own reports whether a piece of the colour stands on the cell.
func (p *Position) Own(c Colour, cell int) bool {
	on := p.on[cell]
	return on != NoPiece && on.Colour() == c
}

// Place moves a piece to a cell of its path on which no piece of its colour
// stands. Another colour's piece there goes back to the lowest-numbered empty
// corner of its colour, and is returned.
func (p *Position) Place(piece Piece, cell int) (captured Piece) {
	captured = p.on[cell]
	if captured != NoPiece {
		p.set(captured, p.emptyCorner(captured.Colour()))
	}
	p.on[p.at[piece]] = NoPiece
	p.set(piece, cell)
	return captured
}

// emptyCorner always finds one when asked: a colour has as many corners as
// pieces, and the captured piece is in none of them.
func (p *Position) emptyCorner(c Colour) int {
	cell := c.corner(0)
	for p.on[cell] != NoPiece {
		cell++
	}
	return cell
}

// Progress is the total of the path steps the colour's pieces have made, 0 to
// 170.
func (p *Position) Progress(c Colour) int {
	sum := 0
	for _, piece := range c.Pieces() {
		sum += p.Steps(piece)
	}
	return sum
}

// Home reports whether all four pieces of the colour stand in its final cells.
func (p *Position) Home(c Colour) bool {
	for i := range each {
		if p.on[c.corner(each)+i] == NoPiece {
			return false
		}
	}
	return true
}

// Options appends the entries and moves that would be accepted from a colour
// with these unused numbers.
func (p *Position) Options(dst []Request, c Colour, left Roll) []Request {
	for _, piece := range c.Pieces() {
		if !p.In(piece) {
			if left.Has(6) && !p.Own(c, c.StartCell()) {
				dst = append(dst, Request{Verb: Enter, Piece: piece})
			}
			continue
		}
		for _, s := range [...]int{left.Last, 6} {
			if s == 0 || !left.Has(s) {
				continue
			}
			if cell := p.Ahead(piece, s); cell > 0 && !p.Own(c, cell) {
				dst = append(dst, Request{Verb: Move, Piece: piece, Steps: uint8(s)})
			}
		}
	}
	return dst
}
