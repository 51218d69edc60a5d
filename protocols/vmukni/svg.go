package vmukni

import (
	"fmt"
	"strconv"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
)

// Choices are the 15 ways.
func (m *match) Choices(seat int) []protocols.Choice {
	if !m.owes(seat) {
		return nil
	}
	out := make([]protocols.Choice, Ways)
	for i := range out {
		way := i + 1
		out[i] = protocols.Choice{Reply: strconv.Itoa(way), Label: fmt.Sprintf("way %d, %s", way, direction(way))}
	}
	return out
}

// owes reports whether a seat is to answer the next move.
func (m *match) owes(seat int) bool {
	return !m.over() && seat == m.mover()+1 && !m.failed[seat-1]
}

// Positions in the picture.
const (
	svgHeight = 524
	boardX    = 60
	boardY    = 104
	cellSize  = 40
	wayRadius = 10
	wayGap    = 24 // from the board's edge to the middle of a way's number
	outside   = 22 // from there to the middle of a tile outside
	queueY    = 332
	queueSeen = 9 // number of tiles of the queue
	groupsY   = 374
	captionY  = 462
)

// SVG draws the board at rest. The way of the last tile has an arrow; the tile
// itself, if it is still there, has a ring, and each tile that fell shows how
// far. The groups that went are below, each where it was, with its points.
func (m *match) SVG(seat int) string {
	return m.draw(seat, m.board, origins{}, m.arrivals(), func(*svg.Picture) {})
}

// draw draws the position with the tiles of a board, and something over them.
func (m *match) draw(seat int, b Board, from origins, at arrivals, over func(*svg.Picture)) string {
	p := svg.New(seat, svgHeight, "Vmukni", m.described())
	m.drawScores(p)
	p.Part("board", boardX, boardY)
	p.Rect("cell", 0, 0, Size*cellSize, Size*cellSize, 4)
	p.Path("line", "M40 0V200M80 0V200M120 0V200M160 0V200M0 40H200M0 80H200M0 120H200M0 160H200")
	p.End()
	drawTiles(p, b, from, at)
	m.drawWays(p, seat, over)
	m.drawQueue(p)
	m.drawGroups(p)
	p.Caption(captionY, 4, m.news())
	return p.String()
}

// described describes the picture in words.
func (m *match) described() string {
	text := strings.ReplaceAll(m.headline(), "\n", " ")
	visible := m.visible()
	return fmt.Sprintf("%s Board, rows from the top: %s. Queue: %s. Score: seat 1 %d, seat 2 %d.",
		text, m.board.String(), protocols.Join(visible[:min(queueSeen, len(visible))]), m.points[0], m.points[1])
}

// news is the headline without the groups, which the picture shows.
func (m *match) news() string {
	if m.last.Way == 0 {
		return fmt.Sprintf("The start of %d moves.", m.c.Moves())
	}
	head, _, _ := strings.Cut(m.headline(), "\n  ")
	if m.over() {
		head += " The match is over."
	}
	return head
}

func (m *match) drawScores(p *svg.Picture) {
	var scores [Seats]svg.Score
	for i, points := range m.points {
		scores[i] = svg.Score{
			Fill: "f" + strconv.Itoa(i+1), Name: "seat " + strconv.Itoa(i+1), Value: points,
			Next: !m.over() && i == m.mover(), Failed: m.failed[i],
		}
	}
	if len(m.ways) > 0 {
		scores[(len(m.ways)-1)%Seats].Gain = m.last.Points
	}
	p.Scores(scores[:]...)
}

// arrival describes how a tile came to its cell in the last move.
type arrival struct {
	entered bool // whether the tile is the inserted one
	fell    int  // number of cells it fell, not counting the push of its column
}

// arrivals are those of the tiles of a board, by row and column from 0.
type arrivals [Size][Size]arrival

// arrivals follows the tiles of the last move to the cells where they rest.
func (m *match) arrivals() (at arrivals) {
	if m.last.Way == 0 {
		return at
	}
	b := m.before
	b.push(m.last.Way, m.last.Tile)
	row, column := edge(m.last.Way)
	at[row][column].entered = true
	for {
		at = at.dropped(&b)
		b.fall()
		g, ok := b.group()
		if !ok {
			return at
		}
		b.remove(g)
	}
}

// edge is the cell where a way enters the board, row and column from 0.
func edge(way int) (row, column int) {
	switch i := (way - 1) % Size; {
	case way <= Size:
		return i, 0
	case way <= 2*Size:
		return 0, i
	default:
		return i, Size - 1
	}
}

// dropped returns the arrivals once the tiles of b have fallen.
func (at *arrivals) dropped(b *Board) (fallen arrivals) {
	for column := range Size {
		to := Size - 1
		for row := Size - 1; row >= 0; row-- {
			if b.At(row+1, column+1) != 0 {
				fallen[to][column] = at[row][column]
				fallen[to][column].fell += to - row
				to--
			}
		}
	}
	return fallen
}

// draw draws a tile and how it arrived.
func (a arrival) draw(p *svg.Picture, tile int) {
	inset := 2
	if a.entered {
		inset = 5
		p.Rect("ring", 2, 2, cellSize-4, cellSize-4, 6)
	}
	drawTile(p, "mid on", inset, inset, cellSize-2*inset, tile)
	if a.fell > 0 {
		p.Text("small on r", cellSize-1-inset, 7+inset, "↓"+strconv.Itoa(a.fell))
	}
}

// drawTile draws a tile with its number.
func drawTile(p *svg.Picture, text string, x, y, size, tile int) {
	p.Rect("f"+strconv.Itoa(tile), x, y, size, size, size/6)
	p.Text(text, x+size/2, y+size/2+size/20, strconv.Itoa(tile))
}

// drawWays draws the numbers of the ways at the board's edges, an arrow where
// the last tile came in, and beyond them that tile and the one that fell off.
func (m *match) drawWays(p *svg.Picture, seat int, over func(*svg.Picture)) {
	for way := 1; way <= Ways; way++ {
		x, y, _, _ := wayAt(way)
		reply, class := "", "line"
		if m.owes(seat) {
			reply, class = strconv.Itoa(way), "key"
		}
		p.Button("way"+strconv.Itoa(way), x, y, reply, "way "+strconv.Itoa(way)+", "+direction(way))
		p.Circle(class, 0, 0, wayRadius)
		p.Text("small", 0, 0, strconv.Itoa(way))
		p.End()
	}
	p.Part("in", 0, 0)
	if way := m.last.Way; way > 0 {
		x, y, dx, dy := wayAt(way)
		p.Circle("ring", x, y, wayRadius)
		p.Arrow("arrow", svg.Point{x + 13*dx, y + 13*dy}, svg.Point{x + 32*dx, y + 32*dy})
		drawTile(p, "small on b", x-outside*dx-8, y-outside*dy-8, 16, m.last.Tile)
	}
	over(p)
	p.End()
	p.Part("out", 0, 0)
	if m.last.Dropped > 0 {
		x, y, dx, dy := wayAt(m.last.Way)
		across := Size*cellSize + 2*wayGap + outside + 4
		if dy == 1 {
			across = Size*cellSize + wayGap + 12 // no way leads up
		}
		x, y = x+across*dx-8, y+across*dy-8
		drawTile(p, "small on b", x, y, 16, m.last.Dropped)
		p.Rect("gone", x-1, y-1, 18, 18, 4)
	}
	p.End()
}

// wayAt is the middle of a way's number, and the direction of the way.
func wayAt(way int) (x, y, dx, dy int) {
	middle := (way-1)%Size*cellSize + cellSize/2
	switch {
	case way <= Size:
		return boardX - wayGap, boardY + middle, 1, 0
	case way <= 2*Size:
		return boardX + middle, boardY - wayGap, 0, 1
	default:
		return boardX + Size*cellSize + wayGap, boardY + middle, -1, 0
	}
}

// drawQueue draws the first visible tiles of the queue, the front one framed.
func (m *match) drawQueue(p *svg.Picture) {
	visible := m.visible()
	for i := range queueSeen {
		p.Part("queue"+strconv.Itoa(i), boardX+24*i, queueY)
		if i < len(visible) {
			drawTile(p, "on b", 0, 0, 20, visible[i])
			if i == 0 {
				p.Rect("edge", -1, -1, 22, 22, 4)
			}
		}
		p.End()
	}
	p.Part("queue", 8, queueY+10)
	p.Text("l", 0, 0, "Queue")
	down := m.c.Moves() - len(m.ways) - len(visible)
	p.Text("small mute l", boardX-8, 20, fmt.Sprintf("%d face up, %d face down", len(visible), down))
	p.End()
}

// drawGroups draws the groups that went, each on a small board of its own.
func (m *match) drawGroups(p *svg.Picture) {
	groups := m.last.Groups()
	pitch, cell := 76, 9
	if len(groups) > 4 {
		pitch, cell = 38, 6
	}
	for i := range maxGroups {
		p.Part("group"+strconv.Itoa(i+1), 8, groupsY)
		if i < len(groups) {
			drawGroup(p, groups[i], i+1, i*pitch, pitch, cell)
		}
		p.End()
	}
}

// drawGroup draws the ordinal-th group of a move in a column of the picture.
func drawGroup(p *svg.Picture, g Group, ordinal, x, width, cell int) {
	left := x + (width-Size*cell)/2
	p.Rect("cell", left, 0, Size*cell, Size*cell, 2)
	w, h := cell*int(g.Length), cell
	if g.Line == Column {
		w, h = h, w
	}
	cellX, cellY := left+cell*int(g.Column-1), cell*int(g.Row-1)
	p.Rect("f"+strconv.Itoa(int(g.Tile)), cellX, cellY, w, h, 1)
	p.Rect("edge", cellX, cellY, w, h, 1)
	run := strings.Repeat(strconv.Itoa(int(g.Tile)), int(g.Length))
	p.Text("small", x+width/2, 5*cell+10, run)
	p.Text("small gain", x+width/2, 5*cell+24, g.gain(ordinal))
}

// gain returns the points of the ordinal-th group of a move.
func (g Group) gain(ordinal int) string {
	if ordinal > 1 {
		return fmt.Sprintf("%d×%d", ordinal, int(g.Points)/ordinal)
	}
	return "+" + strconv.Itoa(int(g.Points))
}

// DrawReply draws an arrow at the way of a reply.
func (m *match) DrawReply(seat int, reply, class string) string {
	way, err := strconv.Atoi(reply)
	if err != nil || way < 1 || way > Ways || !m.owes(seat) {
		return ""
	}
	return svg.Shapes(func(p *svg.Picture) {
		x, y, dx, dy := wayAt(way)
		p.Circle(class, x, y, wayRadius+3)
		p.Arrow(class, svg.Point{x + 13*dx, y + 13*dy}, svg.Point{x + 44*dx, y + 44*dy})
	})
}
