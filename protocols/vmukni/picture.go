package vmukni

import (
	"fmt"
	"slices"
	"strings"
)

// String shows the last move as a strip of boards: the tile pushed in, then
// after every fall the group that goes, in brackets, then the board at rest.
func (m *match) String() string {
	lines := []string{m.headline(), "", strip(m.frames()), ""}
	score := fmt.Sprintf("Score: seat 1 %d, seat 2 %d.", m.points[0], m.points[1])
	if m.over() {
		return strings.Join(append(lines, score+" The match is over."), "\n")
	}
	next := fmt.Sprintf(" Next: move %d of %d, seat %d.", len(m.ways)+1, m.c.Moves(), m.mover()+1)
	return strings.Join(append(lines, score+next, m.queueLine()), "\n")
}

// headline describes the last move, and names a failed seat it was played for.
func (m *match) headline() string {
	number := len(m.ways)
	if number == 0 {
		return "The start: ways 1 to 5 lead in from the left, 6 to 10 from above, 11 to 15 from the right."
	}
	seat := (number-1)%Seats + 1
	before, who := "", fmt.Sprintf("seat %d", seat)
	if m.why != "" {
		before = fmt.Sprintf("Seat %d %s: way %d is played for it from now on.\n", seat, m.why, failedWay)
	}
	if m.auto {
		who += ", played for it"
	}
	return fmt.Sprintf("%sMove %d, %s: %s", before, number, who, m.last.sentence())
}

// queueLine shows the front tile in brackets and the other visible ones.
func (m *match) queueLine() string {
	const perLine = 28
	var b strings.Builder
	b.WriteString("Queue:")
	for i, tile := range m.visible() {
		if i > 0 && i%perLine == 0 {
			b.WriteString("\n      ")
		}
		if i == 0 {
			fmt.Fprintf(&b, " [%d]", tile)
			continue
		}
		fmt.Fprintf(&b, " %d", tile)
	}
	if down := m.c.Moves() - len(m.ways) - len(m.visible()); down > 0 {
		fmt.Fprintf(&b, " and %d face down", down)
	}
	return b.String()
}

// frame is one board of the strip.
type frame struct {
	board  Board
	marked Board // the tiles that go next
	move   *Move // the move, in the first frame, to show where the tile came in
}

// frames replays the last move, step by step. Steps that change nothing make no
// frame of their own.
func (m *match) frames() []frame {
	if m.last.Way == 0 {
		return []frame{{board: m.board}}
	}
	b := m.before
	b.push(m.last.Way, m.last.Tile)
	out := []frame{{board: b, move: &m.last}}
	for {
		b.fall()
		if out[len(out)-1].board != b {
			out = append(out, frame{board: b})
		}
		g, ok := b.group()
		if !ok {
			return out
		}
		rest := b
		rest.remove(g)
		for i := range b {
			out[len(out)-1].marked[i] = b[i] &^ rest[i]
		}
		b = rest
	}
}

// strip draws frames side by side, two in a row of the picture, which 80 columns have room for.
func strip(frames []frame) string {
	const perRow = 2
	var rows []string
	for part := range slices.Chunk(frames, perRow) {
		rows = append(rows, strings.Join(abreast(part), "\n"))
	}
	return strings.Join(rows, "\n\n")
}

// abreast draws frames side by side and omits blank lines.
func abreast(frames []frame) (lines []string) {
	drawn := make([][]string, len(frames))
	for i := range frames {
		drawn[i] = frames[i].draw()
	}
	for line := range drawn[0] {
		text := ""
		for i := range drawn {
			text += drawn[i][line]
		}
		if text = strings.TrimRight(text, " "); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// draw returns a frame's lines, all of the same width: the numbers of the ways
// at their edges, those of the columns below, and outside of them the tile that
// came in and the one that fell off.
func (f *frame) draw() []string {
	var above, below, left, right [Size]string
	if f.move != nil {
		f.arrows(&above, &below, &left, &right)
	}
	lines := []string{across(above), across([Size]string{" 6", " 7", " 8", " 9", "10"})}
	for i := range Size {
		text := fmt.Sprintf("%3s %d |", left[i], i+1)
		for column := 1; column <= Size; column++ {
			text += f.cell(i+1, column)
		}
		lines = append(lines, text+fmt.Sprintf("| %d %-6s", i+1+2*Size, right[i]))
	}
	return append(lines, across([Size]string{" 1", " 2", " 3", " 4", " 5"}), across(below))
}

// across is a line above or below the cells.
func across(labels [Size]string) string {
	text := strings.Repeat(" ", 7)
	for _, label := range labels {
		text += fmt.Sprintf("%-3s", label)
	}
	return text + strings.Repeat(" ", 11)
}

// arrows marks the tile that came in at its edge and the one that fell off at
// the opposite edge.
func (f *frame) arrows(above, below, left, right *[Size]string) {
	m := f.move
	line := (m.Way - 1) % Size
	switch {
	case m.Way <= Size:
		left[line] = fmt.Sprintf("%d →", m.Tile)
		if m.Dropped != 0 {
			right[line] = fmt.Sprintf("→ %d", m.Dropped)
		}
	case m.Way <= 2*Size:
		above[line] = fmt.Sprintf(" %d↓", m.Tile)
		if m.Dropped != 0 {
			below[line] = fmt.Sprintf(" %d↓", m.Dropped)
		}
	default:
		right[line] = fmt.Sprintf("← %d", m.Tile)
		if m.Dropped != 0 {
			left[line] = fmt.Sprintf("%d ←", m.Dropped)
		}
	}
}

// cell draws a cell, three columns wide, in brackets if its tile goes next.
func (f *frame) cell(row, column int) string {
	tile := digit(f.board.At(row, column))
	if f.marked.At(row, column) != 0 {
		return fmt.Sprintf("[%c]", tile)
	}
	return fmt.Sprintf(" %c ", tile)
}
