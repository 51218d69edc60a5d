package patolli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
)

// Positions in the picture.
const (
	svgCell  = 30
	gridX    = 10
	gridY    = 8
	legendY  = gridY + 10*svgCell + 14
	rollsY   = legendY + 14
	captionY = rollsY + 42
	tableY   = captionY + 56
	rowY     = 17 // from a row of the table to the next
)

// drawing is a position of one line.
type drawing struct {
	line  *Line
	lines int // total number of lines
	at    Position
	move  Move // the last roll's move; zero at the start and for a void roll
}

// locationAt is the middle of every location in the picture.
var locationAt = locationPlaces()

func locationPlaces() (at [Last + 1]svg.Point) {
	for row, locations := range grid() {
		for column, location := range locations {
			at[location] = svg.Point{gridX + column*svgCell + svgCell/2, gridY + row*svgCell + svgCell/2}
		}
	}
	return at
}

// SVG draws the position after a roll, with its effect and the rule that
// decided it.
func (s state) SVG(seat int) string {
	news := s.news()
	p := svg.New(seat, tableY-6, "Patolli", news+" "+s.drawn.at.described())
	s.drawn.draw(p, s.Line, s.Roll)
	p.Caption(captionY, 3, news)
	return p.String()
}

// news describes the effect of the roll.
func (s state) news() string {
	if s.Roll == 0 {
		return fmt.Sprintf("Line %d of %d, the start.", s.Line, s.drawn.lines)
	}
	return fmt.Sprintf("Line %d of %d, roll %d of %d. %s",
		s.Line, s.drawn.lines, s.Roll, len(s.drawn.line.Rolls), s.drawn.move.sentence(s.Die))
}

// sentence describes the effect of a roll, and by which rule.
func (m Move) sentence(roll int) string {
	e := m.From + roll
	text := ""
	switch m.Rule {
	case 0:
		return "No marker is left: the roll is void."
	case Beyond:
		text = fmt.Sprintf("%d is beyond 52: it stays", e)
	case Taken:
		text = fmt.Sprintf("%d is occupied: it stays", e)
	case Leaves:
		text = "it leaves at 52"
	case Prime:
		text = fmt.Sprintf("%d is prime: it walks on to %d", e, m.To)
	case Square:
		text = fmt.Sprintf("%d is a square: it walks back to %d", e, m.To)
	case Corner:
		text = fmt.Sprintf("past a corner, to the multiple of %d: %d", roll, m.To)
		if m.To == m.From {
			text = fmt.Sprintf("past a corner, the multiple of %d is occupied: it stays", roll)
		}
	case Standing:
		text = fmt.Sprintf("it stands on %d", e)
	}
	return fmt.Sprintf("A %d for the marker at %d, rule %d: %s.", roll, m.From, m.Rule, text)
}

// described describes in words where the markers are.
func (p *Position) described() string {
	return fmt.Sprintf("The player's markers: %s. The opponent's: %s.", p.String(), protocols.Join(p.opponent.list()))
}

// draw draws the n-th line after that many rolls.
func (d *drawing) draw(p *svg.Picture, n, rolls int) {
	p.Part("grid", 0, 0)
	for location := 1; location <= Last; location++ {
		drawLocation(p, location)
	}
	p.End()
	p.Part("line", gridX, gridY)
	p.Text("mid l", 0, 16, fmt.Sprintf("line %d", n))
	p.Text("small mute l", 0, 36, fmt.Sprintf("of %d", d.lines))
	p.End()
	p.Part("rule", gridX, gridY+6*svgCell)
	if d.move.Rule > 0 {
		p.Die("", 32, 20, 56, int(d.line.Rolls[rolls-1]))
		p.Text("mid", 240, 38, "rule")
		p.Text("big", 240, 62, strconv.Itoa(int(d.move.Rule)))
		p.Text("small mute", 240, 84, d.move.Rule.short())
	}
	p.End()
	p.Part("way", 0, 0)
	if d.move.Rule > 0 {
		d.drawWay(p, int(d.line.Rolls[rolls-1]))
	}
	p.End()
	d.drawMarkers(p)
	drawLegend(p)
	d.drawRolls(p, rolls)
}

// short is a rule in a word or two.
func (r Rule) short() string {
	return [...]string{"", "beyond 52", "occupied", "leaves", "prime", "square", "corner", "stands"}[r]
}

// drawLocation draws a location with its number and its mark in the rules: a
// dot for a prime, a square, a corner.
func drawLocation(p *svg.Picture, location int) {
	at := locationAt[location]
	const half = svgCell / 2
	p.Rect("cell", at[0]-half, at[1]-half, svgCell, svgCell, 2)
	p.Text("small mute", at[0], at[1]+4, strconv.Itoa(location))
	drawKind(p, location, at[0]+9, at[1]-9)
}

func drawKind(p *svg.Picture, location, x, y int) {
	if primes.has(location) {
		p.Circle("solid", x, y, 2)
	}
	if squares.has(location) {
		p.Rect("edge", x-3, y-3, 5, 5, 0)
	}
	if corners.has(location) {
		p.Path("edge", fmt.Sprintf("M%d %dv6h6", x-21, y-3))
	}
}

func drawLegend(p *svg.Picture) {
	p.Part("legend", gridX, legendY)
	p.Circle("f1", 6, 0, 6)
	p.Text("small l", 16, 0, "player")
	p.Rect("f2", 60, -5, 10, 10, 1)
	p.Text("small l", 75, 0, "opponent")
	drawKind(p, 2, 144, 0)
	p.Text("small l", 151, 0, "prime")
	drawKind(p, 9, 195, 1)
	p.Text("small l", 203, 0, "square")
	drawKind(p, 12, 272, 0)
	p.Text("small l", 261, 0, "corner")
	p.End()
}

// drawMarkers draws the markers, the player's as discs, the opponent's as
// squares. The player's are parts by their order on the path.
func (d *drawing) drawMarkers(p *svg.Picture) {
	for i, location := range d.at.opponent.list() {
		at := locationAt[location]
		p.Part("opponent"+strconv.Itoa(i+1), at[0], at[1])
		p.Rect("f2", -11, -11, 22, 22, 3)
		p.Rect("edge", -11, -11, 22, 22, 3)
		p.Text("small b on", 0, 0, strconv.Itoa(location))
		p.End()
	}
	own := d.at.Locations()
	for i := range Markers {
		key := "player" + strconv.Itoa(i+1)
		if i >= len(own) {
			p.Part(key, 0, 0)
			p.End()
			continue
		}
		at := locationAt[own[i]]
		p.Part(key, at[0], at[1])
		p.Circle("f1", 0, 0, 12)
		class := "edge"
		if d.move.Rule > 0 && own[i] == d.move.To {
			class = "ring"
		}
		p.Circle(class, 0, 0, 12)
		p.Text("small b on", 0, 0, strconv.Itoa(own[i]))
		p.End()
	}
}

// drawWay draws the path of the last move, dashed up to a location that the
// roll led to but did not stay on.
func (d *drawing) drawWay(p *svg.Picture, roll int) {
	m := d.move
	e := m.From + roll
	switch {
	case m.Rule == Beyond:
	case m.To == m.From:
		p.Arrow("back", path(m.From, e)...)
	case m.Rule == Square:
		p.Arrow("back", path(m.From, e)...)
		if m.To != e {
			p.Arrow("arrow", path(e, m.To)...)
		}
	default:
		p.Arrow("arrow", path(m.From, m.To)...)
	}
}

// path leads from one location to another, ending at its marker's edge.
func path(from, to int) []svg.Point {
	step := 1
	if to < from {
		step = -1
	}
	var points []svg.Point
	for at := from; at != to; at += step {
		points = append(points, locationAt[at])
	}
	last := svg.Between(points[len(points)-1], locationAt[to], 0, 14)
	return append(points, last[1])
}

// drawRolls draws some of the line's rolls: the coming ones in full, the last
// one framed.
func (d *drawing) drawRolls(p *svg.Picture, rolls int) {
	const size, pitch, seen = 22, 28, 9
	first := max(0, min(rolls-seen/2-1, len(d.line.Rolls)-seen))
	p.Part("rolls", gridX, rollsY)
	p.Text("l", 0, size/2, "rolls")
	for i := first; i < min(first+seen, len(d.line.Rolls)); i++ {
		class := ""
		if i < rolls-1 {
			class = "used"
		}
		x := 44 + pitch*(i-first)
		p.Die(class, x, 0, size, int(d.line.Rolls[i]))
		if i == rolls-1 {
			p.Rect("ring", x-2, -2, size+4, size+4, 5)
		}
	}
	p.End()
}

// SVG draws the start of the first line or, once there is an answer, the end of
// the first line that was answered wrongly, or of the last line; and the result
// of each line.
func (m *match) SVG(seat int) string {
	news := m.headline()
	if !m.Answered {
		news = fmt.Sprintf("The start of line 1 of %d.", len(m.c.lines))
	}
	n := m.focus()
	l := &m.c.lines[n-1]
	d, rolls := &drawing{line: l, lines: len(m.c.lines), at: l.Start}, 0
	if m.Answered {
		d.at, rolls = l.Play(), len(l.Rolls)+1
	}
	p := svg.New(seat, tableY+LinesPerTest*rowY, "Patolli", fmt.Sprintf("%s Line %d. %s", news, n, d.at.described()))
	d.draw(p, n, rolls)
	p.Caption(captionY, 3, news)
	m.drawTable(p, n)
	return p.String()
}

// focus is the line to show, from 1.
func (m *match) focus() int {
	switch n := len(m.c.lines); {
	case !m.Answered:
		return 1
	case m.wrongLine() > 0:
		return min(m.wrongLine(), n)
	default:
		return n
	}
}

// drawTable shows the results of some of the lines, the n-th among them.
func (m *match) drawTable(p *svg.Picture, n int) {
	found := slices.Collect(protocols.TextLines(m.Output))
	first := max(0, min(n-1-LinesPerTest/2, len(m.c.lines)-LinesPerTest))
	for row := range LinesPerTest {
		p.Part("line"+strconv.Itoa(row+1), gridX, tableY+row*rowY)
		if i := first + row; i < len(m.c.lines) && m.Answered {
			text, right := m.answered(i, found)
			class := "l"
			if !right {
				class = "l b"
			}
			p.Text(class, 0, 0, svg.Cut(text, 42))
		}
		p.End()
	}
}

// answered describes the answer to a line, counted from 0.
func (m *match) answered(i int, found []string) (text string, right bool) {
	end := m.c.lines[i].Play()
	expected := end.String()
	if i >= len(found) {
		return fmt.Sprintf("✗ %d. no answer, expected %s", i+1, expected), false
	}
	if normal(found[i], i+1) == expected {
		return fmt.Sprintf("✓ %d. %s", i+1, expected), true
	}
	quoted := strings.Trim(protocols.Quote(svg.Cut(found[i], 14)), `"`)
	return fmt.Sprintf("✗ %d. %s, expected %s", i+1, quoted, expected), false
}
