package vmukni

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
)

// The bounds of a case.
const (
	MinPictures = 3
	MaxPictures = 7
	MaxMoves    = 200 // the number of moves is even and at least 2
)

// Case is a board and a queue. It is immutable.
type Case struct {
	pictures int   // P: the tiles are 1..pictures
	faceUp   int   // K: tiles of the queue that are visible at first
	board    Board // full, without a run of three
	queue    []int // N tiles, the front one first
}

// Moves is N, the number of moves of both players together.
func (c *Case) Moves() int { return len(c.queue) }

// parse reads `N K P`, five rows of five tiles, and one line with the N tiles
// of the queue. Its errors are of type *protocols.CaseError.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	head := r.Ints(3, "N K P, N even, K at most N, P from 3 to 7", 1, MaxMoves)
	c := &Case{faceUp: head[1], pictures: head[2]}
	c.checkHead(r, head[0])
	if err := r.Err(); err != nil {
		return nil, err
	}
	for row := 1; row <= Size; row++ {
		for i, tile := range r.Ints(Size, "row "+strconv.Itoa(row)+" of the board", 1, c.pictures) {
			c.board.Put(row, i+1, tile)
		}
		c.checkRow(r, row)
	}
	c.queue = r.Ints(head[0], "the queue", 1, c.pictures)
	if err := r.End(); err != nil {
		return nil, err
	}
	return c, nil
}

// checkHead checks the line `N K P`.
func (c *Case) checkHead(r *protocols.CaseReader, moves int) {
	switch {
	case moves < 2 || moves%2 != 0:
		r.Fail("N = "+strconv.Itoa(moves), "an even N from 2 to 200")
	case c.faceUp < 1 || c.faceUp > moves:
		r.Fail("K = "+strconv.Itoa(c.faceUp), fmt.Sprintf("a K from 1 to N = %d", moves))
	case c.pictures < MinPictures || c.pictures > MaxPictures:
		r.Fail("P = "+strconv.Itoa(c.pictures), "a P from 3 to 7")
	}
}

// checkRow refuses a run of three in the row of the board read last, counted
// from 1, or completed by it.
func (c *Case) checkRow(r *protocols.CaseReader, row int) {
	for column := 1; column <= Size; column++ {
		if line, ok := c.board.completes(row, column); ok {
			r.Fail(fmt.Sprintf("three equal tiles in a %s, the last one at row %d, column %d", line, row, column),
				"a board without three equal tiles in a straight run")
		}
	}
}

// completes reports whether a cell ends three equal tiles, with those to the
// left of it or those above it.
func (b *Board) completes(row, column int) (Line, bool) {
	tile := b.At(row, column)
	switch {
	case column >= 3 && b.At(row, column-1) == tile && b.At(row, column-2) == tile:
		return Row, true
	case row >= 3 && b.At(row-1, column) == tile && b.At(row-2, column) == tile:
		return Column, true
	}
	return Row, false
}

// String is the canonical text.
func (c *Case) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d\n", c.Moves(), c.faceUp, c.pictures)
	for row := 1; row <= Size; row++ {
		b.WriteString(c.row(row))
		b.WriteByte('\n')
	}
	b.WriteString(protocols.Join(c.queue))
	return b.String()
}

// row is a row of the board, 1..5, as a line of text.
func (c *Case) row(row int) string {
	var tiles [Size]int
	for i := range tiles {
		tiles[i] = c.board.At(row, i+1)
	}
	return protocols.Join(tiles[:])
}

// Limits are 0.2 s for each of a player's N/2 moves, all together, plus 1 s for
// starting, and 256 MiB.
func (c *Case) Limits(int) protocols.Limits {
	return protocols.Limits{
		Time:    time.Duration(c.Moves()/Seats) * 200 * time.Millisecond,
		Startup: time.Second,
		Memory:  256 << 20,
	}
}

// Start begins a match of two seats.
func (c *Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("vmukni", seats, Seats, Seats)
	return newMatch(c)
}
