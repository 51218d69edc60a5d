package mensch

// grid is the board picture: the cell at each place, 0 for a space.
var grid = [11][11]uint8{
	{41, 42, 0, 0, 9, 10, 11, 0, 0, 49, 50},
	{43, 44, 0, 0, 8, 53, 12, 0, 0, 51, 52},
	{0, 0, 0, 0, 7, 54, 13, 0, 0, 0, 0},
	{0, 0, 0, 0, 6, 55, 14, 0, 0, 0, 0},
	{1, 2, 3, 4, 5, 56, 15, 16, 17, 18, 19},
	{40, 45, 46, 47, 48, 0, 64, 63, 62, 61, 20},
	{39, 38, 37, 36, 35, 72, 25, 24, 23, 22, 21},
	{0, 0, 0, 0, 34, 71, 26, 0, 0, 0, 0},
	{0, 0, 0, 0, 33, 70, 27, 0, 0, 0, 0},
	{65, 66, 0, 0, 32, 69, 28, 0, 0, 57, 58},
	{67, 68, 0, 0, 31, 30, 29, 0, 0, 59, 60},
}

// AppendPicture appends the board as the statement prints it: 11 lines of 32
// characters, each with its newline.
func (p *Position) AppendPicture(dst []byte) []byte {
	for _, row := range grid {
		for i, cell := range row {
			if i > 0 {
				dst = append(dst, '.')
			}
			dst = append(dst, p.cellPicture(int(cell))...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

func (p *Position) cellPicture(cell int) string {
	switch {
	case cell == 0:
		return ".."
	case p.on[cell] != NoPiece:
		return p.on[cell].String()
	case cell <= track:
		return "oo"
	}
	return "xx"
}

// Face is the picture of a die, 5 lines each with its newline.
func Face(n int) string {
	const (
		none   = ".....\n"
		centre = "..o..\n"
		right  = "...o.\n"
		left   = ".o...\n"
		pair   = ".o.o.\n"
	)
	switch n {
	case 1:
		return none + none + centre + none + none
	case 2:
		return none + right + none + left + none
	case 3:
		return none + right + centre + left + none
	case 4:
		return none + pair + none + pair + none
	case 5:
		return none + pair + centre + pair + none
	}
	return none + pair + pair + pair + none
}

// String is the board, for people, with the colour whose turn it is.
func (b *Board) String() string {
	out := b.AppendPicture(make([]byte, 0, 512))
	out = append(out, b.turn.String()...)
	out = append(out, "'s turn, "...)
	if b.left.None() {
		out = append(out, "to roll"...)
	} else {
		out = append(out, "unused: "...)
		out = b.left.append(out)
	}
	return string(out)
}
