// Package board is the board of Solitärschack: its pieces and squares, a player's
// view of a match, and the points of a sequence of removals. It knows no protocol.
package board

import (
	"fmt"
	"math/bits"
	"slices"
)

// Side is the number of rows and of columns of the board.
const Side = 6

// Piece is a type of piece. A piece's colour depends on its square alone: the
// first piece of a square is bronze, the second silver, the third gold.
type Piece uint8

// The eight types, and Blank for an empty square or no piece at all.
const (
	Blank Piece = iota
	One
	Two
	Three
	Four
	Torn      // rook
	Lopare    // bishop
	Dam       // queen
	Springare // knight
)

// Types is the number of types of pieces; they are numbered from 1.
const Types = 8

var names = [Types + 1]string{"blank", "1", "2", "3", "4", "torn", "lopare", "dam", "springare"}

// String is the piece's name in the protocol.
func (p Piece) String() string { return names[p] }

// Names returns the names of all types, in order.
func Names() []string { return names[One:] }

// Digit reports whether p is one of the types 1, 2, 3 and 4.
func (p Piece) Digit() bool { return One <= p && p <= Four }

// ParsePiece reads the name of a piece or "blank".
func ParsePiece(name string) (p Piece, ok bool) {
	i := slices.Index(names[:], name)
	return Piece(max(i, 0)), i >= 0
}

// Group is a group of the case set, with the types its cases are made of.
type Group struct {
	Name  string
	Types []Piece
}

// Groups lists the groups in the statement's order.
var Groups = []Group{
	{"1", []Piece{Springare}},
	{"2", []Piece{One}},
	{"3", []Piece{One, Two}},
	{"4", []Piece{Torn, Lopare, Dam}},
	{"5", []Piece{One, Two, Three, Four}},
	{"6", []Piece{One, Two, Three, Four, Torn, Lopare, Dam, Springare}},
}

// Square is a square of the board, 0 to 35, row by row.
type Square int8

// Area is the number of squares.
const Area = Side * Side

// At is the square in a row and a column, both from 1 to Side.
func At(row, column int) Square { return Square((row-1)*Side + column - 1) }

// Row is the square's row, from 1.
func (s Square) Row() int { return int(s)/Side + 1 }

// Column is the square's column, from 1.
func (s Square) Column() int { return int(s)%Side + 1 }

// String is the square as the protocol writes it, "row column".
func (s Square) String() string { return fmt.Sprintf("%d %d", s.Row(), s.Column()) }

// Squares is a set of squares.
type Squares uint64

// All is every square of the board.
const All Squares = 1<<Area - 1

// Has reports whether s is in the set.
func (a Squares) Has(s Square) bool { return a>>s&1 != 0 }

// Len is the number of squares in the set.
func (a Squares) Len() int { return bits.OnesCount64(uint64(a)) }

// First is the lowest square of a set that is not empty.
func (a Squares) First() Square { return Square(bits.TrailingZeros64(uint64(a))) }

// Reach is the set of squares that may be played after a piece p was removed at
// from, if they hold a piece.
func Reach(p Piece, from Square) Squares { return reach[p][from] }

// reach holds the results of Reach. After no piece at all, every square is
// free.
var reach = reaches()

func reaches() (table [Types + 1][Area]Squares) {
	for from := range Square(Area) {
		table[Blank][from] = All
		for down := -1; down <= 1; down++ {
			for across := -1; across <= 1; across++ {
				if down != 0 || across != 0 {
					addLine(&table, from, down, across)
				}
			}
		}
		for _, jump := range [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			if to, ok := from.plus(jump[0], jump[1]); ok {
				table[Springare][from] |= 1 << to
			}
		}
	}
	return table
}

// addLine adds the squares that types lead to from one square in a direction, as the
// statement puts it: 1 to 4 by that many squares straight or diagonally; torn, lopare and
// dam as in chess, but only to the border.
func addLine(table *[Types + 1][Area]Squares, from Square, down, across int) {
	end := Squares(0)
	for steps := 1; ; steps++ {
		to, ok := from.plus(steps*down, steps*across)
		if !ok {
			break
		}
		end = 1 << to
		if p := Piece(steps); p.Digit() {
			table[p][from] |= end
		}
	}
	table[Dam][from] |= end
	if down == 0 || across == 0 {
		table[Torn][from] |= end
	} else {
		table[Lopare][from] |= end
	}
}

// plus returns the square that many rows down and columns across from s, and whether
// there is one.
func (s Square) plus(down, across int) (to Square, ok bool) {
	row, column := s.Row()+down, s.Column()+across
	return At(row, column), 1 <= row && row <= Side && 1 <= column && column <= Side
}
