package vmukni

import (
	"strconv"

	"umpire/protocols/svg"
)

// origins are the places in the picture that tiles have come from, by row and column
// from 0; the zero point is that of a tile which has not moved.
type origins [Size][Size]svg.Point

// cellAt is the corner of a cell in the picture, row and column from 0.
func cellAt(row, column int) svg.Point {
	return svg.Point{boardX + cellSize*column, boardY + cellSize*row}
}

// Phases draw the last move: the tile pushed in, each fall, and each group with its points
// before it goes.
func (m *match) Phases() (list []string) {
	if m.last.Way == 0 {
		return nil
	}
	show := func(b Board, from origins, over func(*svg.Picture)) {
		list = append(list, m.draw(0, b, from, arrivals{}, over))
	}
	still := func(*svg.Picture) {}
	b := m.before
	b.push(m.last.Way, m.last.Tile)
	show(b, m.pushed(), still)
	for ordinal, groups := 1, m.last.Groups(); ; ordinal++ {
		if from := falls(&b); from != (origins{}) {
			b.fall()
			show(b, from, still)
		}
		if ordinal > len(groups) {
			return list
		}
		g := groups[ordinal-1]
		show(b, origins{}, func(p *svg.Picture) { flash(p, g, ordinal) })
		b.remove(g)
	}
}

// pushed is where the tiles that the last move pushed were before.
func (m *match) pushed() (from origins) {
	const entry = wayGap + outside
	row, column := edge(m.last.Way)
	_, _, dx, dy := wayAt(m.last.Way)
	for i := range Size {
		at, pushed := cellAt(row, column), cellSize
		if i == 0 {
			pushed = entry
		}
		from[row][column] = svg.Point{at[0] - pushed*dx, at[1] - pushed*dy}
		if m.before.At(row+1, column+1) == 0 {
			break
		}
		row, column = row+dy, column+dx
	}
	return from
}

// falls is where the tiles that fall on b will have been before.
func falls(b *Board) (from origins) {
	for row, line := range new(arrivals).dropped(b) {
		for column, tile := range line {
			if tile.fell > 0 {
				from[row][column] = cellAt(row-tile.fell, column)
			}
		}
	}
	return from
}

// drawTiles draws the tiles of a board, where each has come from, and how.
func drawTiles(p *svg.Picture, b Board, from origins, arrived arrivals) {
	for row := range Size {
		for column := range Size {
			key, at := "c"+strconv.Itoa(row+1)+strconv.Itoa(column+1), cellAt(row, column)
			if was := from[row][column]; was != (svg.Point{}) {
				p.Glide(key, strconv.Itoa(was[0])+" "+strconv.Itoa(was[1]), at[0], at[1])
			} else {
				p.Part(key, at[0], at[1])
			}
			if tile := b.At(row+1, column+1); tile != 0 {
				arrived[row][column].draw(p, tile)
			}
			p.End()
		}
	}
}

// flash frames the ordinal-th group of a move on the board, with its points.
func flash(p *svg.Picture, g Group, ordinal int) {
	at := cellAt(int(g.Row-1), int(g.Column-1))
	width, height := cellSize*int(g.Length), cellSize
	if g.Line == Column {
		width, height = height, width
	}
	p.Rect("ring", at[0]+1, at[1]+1, width-2, height-2, 6)
	x, y := at[0]+width/2, at[1]+height/2
	p.Rect("paper", x-18, y-10, 36, 20, 6)
	p.Text("b gain", x, y+1, g.gain(ordinal))
}
