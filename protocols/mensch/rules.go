package mensch

// Board is a game in progress: the pieces, the dice and whose turn it is. It
// knows no end: which colours are home, and what ends a match, is up to its
// caller.
type Board struct {
	Position
	dice    Sequence
	colours Colour // number of colours that play
	skipped [4]bool
	turn    Colour
	left    Roll // unused numbers of the last roll
}

// NewBoard starts a game of 1 to 4 colours, in turn order; red begins.
func NewBoard(d Dice, colours int) Board {
	return Board{Position: NewPosition(colours), dice: d.Sequence(), colours: Colour(colours)}
}

// Turn is the colour whose turn it is.
func (b *Board) Turn() Colour { return b.turn }

// Left is the unused part of the last roll; none before the roll.
func (b *Board) Left() Roll { return b.left }

// Skip takes away a colour's turns from now on, including the current one. If
// that leaves no colour, the turn stays where it is.
func (b *Board) Skip(c Colour) {
	b.skipped[c] = true
	if b.turn == c {
		b.pass()
	}
}

// Do answers a request of the colour whose turn it is. A refused request changes
// nothing; the turn passes when the last unused number has been used or given
// up.
func (b *Board) Do(r Request) Reply {
	switch r.Verb {
	case RollDice:
		return b.roll()
	case Enter:
		return b.enter(r.Piece)
	case Move:
		return b.move(r.Piece, int(r.Steps))
	}
	if b.left.None() {
		return Reply{Refusal: NotRolled}
	}
	b.pass()
	return Reply{}
}

func (b *Board) roll() Reply {
	if !b.left.None() {
		return Reply{Refusal: NumbersLeft}
	}
	b.left = b.dice.Roll()
	return Reply{Roll: b.left}
}

func (b *Board) enter(p Piece) Reply {
	start := b.turn.StartCell()
	switch {
	case p.Colour() != b.turn:
		return Reply{Refusal: NotYourTurn}
	case b.In(p):
		return Reply{Refusal: IsIn}
	case !b.left.Has(6):
		return Reply{Refusal: NeedSix}
	case b.Own(b.turn, start):
		return Reply{Refusal: BusyStart}
	}
	return b.advance(p, start, 6)
}

func (b *Board) move(p Piece, s int) Reply {
	switch {
	case p.Colour() != b.turn:
		return Reply{Refusal: NotYourTurn}
	case !b.left.Has(s):
		return Reply{Refusal: InvalidMove}
	case !b.In(p):
		return Reply{Refusal: NotIn}
	}
	cell := b.Ahead(p, s)
	switch {
	case cell == 0:
		return Reply{Refusal: CanNotMove}
	case b.Own(b.turn, cell):
		return Reply{Refusal: BusyDestination}
	}
	return b.advance(p, cell, s)
}

// advance puts a piece on a cell for one unused number.
func (b *Board) advance(p Piece, cell, number int) Reply {
	captured := b.Place(p, cell)
	b.left = b.left.Without(number)
	if b.left.None() {
		b.pass()
	}
	return Reply{Cell: cell, Captured: captured}
}

// pass drops the unused numbers and gives the turn to the next colour that has
// turns.
func (b *Board) pass() {
	b.left = Roll{}
	for range b.colours {
		b.turn = (b.turn + 1) % b.colours
		if !b.skipped[b.turn] {
			return
		}
	}
}
