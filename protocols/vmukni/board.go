package vmukni

import "math/bits"

// Size is the number of rows, and of columns, of a board.
const Size = 5

// Ways is the number of ways to insert a tile, 1..Ways, all of them always
// legal: 1..5 from the left into rows 1..5, 6..10 from above into columns
// 1..5, 11..15 from the right into rows 1..5.
const Ways = 15

// Board holds the tiles. It is comparable, small enough to copy at every node
// of a search, and the zero Board is empty.
//
// There is one word per column, from the left, with four bits per cell, the
// lowest bits for the bottom cell: its picture 1..7, or 0 if it is empty. So
// the highest bit of every cell is free, and one subtraction compares two
// columns cell by cell.
type Board [Size]uint32

const (
	cellBits = 4
	cellMask = 1<<cellBits - 1
	topShift = cellBits * (Size - 1) // of the cells of row 1
	highBits = 0x88888               // the free bit of every cell of a column
	allCells = 0x77777               // all other bits
)

// shift is the position of a row's cells, 1..5, in the words.
func shift(row int) int { return cellBits * (Size - row) }

// At is the picture at a row and a column, each 1..5, or 0.
func (b *Board) At(row, column int) int {
	return int(b[column-1] >> shift(row) & cellMask)
}

// Put sets a cell, row and column 1..5, to a picture 1..7 or to 0.
func (b *Board) Put(row, column, tile int) { b.swap(row, column, uint32(tile)) }

// swap sets a cell and returns what it held.
func (b *Board) swap(row, column int, tile uint32) (was uint32) {
	s := shift(row)
	word := b[column-1]
	b[column-1] = word&^(cellMask<<s) | tile<<s
	return word >> s & cellMask
}

// Insert plays a move on a board at rest and returns its effect: the tile, of
// picture 1..7, goes in, the tiles fall, and as long as there is a run of three
// or more, one run goes and the tiles fall again.
func (b *Board) Insert(way, tile int) Move {
	m := Move{Way: way, Tile: tile, Dropped: b.push(way, tile)}
	b.fall()
	for {
		g, ok := b.group()
		if !ok {
			return m
		}
		b.remove(g)
		b.fall()
		m.add(g)
	}
}

// Gain plays a move like Insert, but returns only its points. Searches use it.
func (b *Board) Gain(way, tile int) (sum int) {
	b.push(way, tile)
	b.fall()
	for ordinal := 1; ; ordinal++ {
		g, ok := b.group()
		if !ok {
			return sum
		}
		b.remove(g)
		b.fall()
		sum += points(int(g.Length), ordinal)
	}
}

// push inserts a tile at an edge cell and moves the tiles before the first gap
// on by one cell. It returns the tile that falls off a full line, or 0.
func (b *Board) push(way, tile int) int {
	carry := uint32(tile)
	switch {
	case way <= Size:
		for column := 1; column <= Size && carry != 0; column++ {
			carry = b.swap(way, column, carry)
		}
	case way <= 2*Size:
		column := &b[way-Size-1]
		if *column>>topShift == 0 {
			*column |= carry << topShift
			return 0
		}
		// At rest, a tile in the top cell means a full column.
		*column, carry = *column>>cellBits|carry<<topShift, *column&cellMask
	default:
		for column := Size; column >= 1 && carry != 0; column-- {
			carry = b.swap(way-2*Size, column, carry)
		}
	}
	return int(carry)
}

// fall lets every tile fall until something is under it.
func (b *Board) fall() {
	for i, word := range b {
		for {
			// The empty cells under a tile; the lowest one goes first.
			taken := (word + allCells) & highBits
			holes := ^taken & highBits & (1<<bits.Len32(word) - 1)
			if holes == 0 {
				break
			}
			below := uint32(1)<<(bits.TrailingZeros32(holes)-cellBits+1) - 1
			word = word&below | word>>cellBits&^below
		}
		b[i] = word
	}
}

// remove takes away a group's tiles.
func (b *Board) remove(g Group) {
	row, column := int(g.Row), int(g.Column)
	for range g.Length {
		b.Put(row, column, 0)
		if g.Line == Row {
			column++
		} else {
			row++
		}
	}
}

// same marks the cells that hold a tile in both words, and the same one.
func same(x, y uint32) uint32 {
	return (highBits - (x ^ y)) & (x + allCells) & highBits
}

// group finds the run that goes next: the longest; of equally long ones a row
// before a column, then the one that starts higher, then the one further left.
func (b *Board) group() (Group, bool) {
	// A run of three or more in a row covers column 3. These are the rows in
	// which it reaches one or two cells further to either side.
	left1, right1 := same(b[1], b[2]), same(b[2], b[3])
	left2, right2 := left1&same(b[0], b[1]), right1&same(b[3], b[4])
	rows := [3]uint32{left2 | left1&right1 | right2, left2&right1 | left1&right2, left2 & right2}

	columns := uint32(0)
	var pairs [Size]uint32 // cells whose upper neighbour is equal
	for i, word := range b {
		pairs[i] = same(word>>cellBits, word)
		columns |= pairs[i] & (pairs[i] >> cellBits)
	}
	if rows[0]|columns == 0 {
		return Group{}, false
	}
	best := Group{}
	if columns != 0 {
		best = b.columnGroup(&pairs)
	}
	for length := Size; length >= 3 && length >= int(best.Length); length-- {
		if marked := rows[length-3]; marked != 0 {
			best = b.rowGroup(marked, left1, left2, length)
			break
		}
	}
	return best, true
}

// rowGroup is the highest of the rows marked for a run of that length; left1
// and left2 mark the rows where the run begins left of column 3.
func (b *Board) rowGroup(marked, left1, left2 uint32, length int) Group {
	high := uint32(1) << (bits.Len32(marked) - 1)
	column := 3
	switch {
	case left2&high != 0:
		column = 1
	case left1&high != 0:
		column = 2
	}
	row := Size - bits.TrailingZeros32(high)/cellBits
	return b.groupAt(Row, row, column, length)
}

// columnGroup finds the column run that goes first; pairs marks the cells whose
// upper neighbour is equal.
func (b *Board) columnGroup(pairs *[Size]uint32) (best Group) {
	for i, two := range pairs {
		three := two & (two >> cellBits) // where a run of three or more begins, at the bottom
		if three == 0 {
			continue
		}
		length := 3
		for more := three & (two >> (2 * cellBits)); more != 0; more &= more >> cellBits {
			length++
		}
		row := Size - bits.TrailingZeros32(three)/cellBits - length + 1
		if length > int(best.Length) || length == int(best.Length) && row < int(best.Row) {
			best = b.groupAt(Column, row, i+1, length)
		}
	}
	return best
}

// groupAt makes the group of a run, given its first cell.
func (b *Board) groupAt(line Line, row, column, length int) Group {
	return Group{
		Line:   line,
		Row:    int8(row),
		Column: int8(column),
		Length: int8(length),
		Tile:   int8(b.At(row, column)),
	}
}

// String is the board as the records hold it: rows from the top, separated by
// '/', '.' for an empty cell.
func (b *Board) String() string {
	out := make([]byte, 0, Size*(Size+1))
	for row := 1; row <= Size; row++ {
		if row > 1 {
			out = append(out, '/')
		}
		for column := 1; column <= Size; column++ {
			out = append(out, digit(b.At(row, column)))
		}
	}
	return string(out)
}

// digit is a cell as text: its picture's number, or '.' if it is empty.
func digit(tile int) byte {
	if tile == 0 {
		return '.'
	}
	return '0' + byte(tile)
}
