package solitarschack

import (
	"fmt"
	"strconv"
	"strings"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
	"umpire/protocols/svg"
)

// Choices are the squares in reach, and the end.
func (m *match) Choices(who int) []protocols.Choice {
	if m.ended || who != seat {
		return nil
	}
	var out []protocols.Choice
	for rest := m.Reachable(); rest != 0; rest &= rest - 1 {
		s := rest.First()
		out = append(out, protocols.Choice{Reply: s.String(), Label: m.squareLabel(s)})
	}
	return append(out, protocols.Choice{Reply: endReply, Label: m.endLabel()})
}

const endReply = "0 0"

func (m *match) squareLabel(s board.Square) string {
	return fmt.Sprintf("row %d, column %d: %v, %v", s.Row(), s.Column(), m.Pieces[s], m.Colours[s])
}

func (m *match) endLabel() string { return "end with " + points(m.Tally.Score()) }

// Positions in the picture.
const (
	svgHeight = 530
	cellSize  = 46
	boardX    = 30
	boardY    = 98
	legendY   = boardY + board.Side*cellSize + 15
	sequenceY = legendY + 30
	captionY  = sequenceY + 62
)

// SVG draws the board, with an arrow from the last removal but one to the last,
// and a dashed frame around each square that may be removed next; below it, the
// types removed last, with their sets and runs and the set that the latest may
// become part of.
func (m *match) SVG(who int) string {
	p := svg.New(who, svgHeight, "Solitärschack", m.described())
	m.drawScore(p, who)
	p.Part("labels", 0, 0)
	for i := range board.Side {
		p.Text("small mute", boardX+i*cellSize+cellSize/2, boardY-8, strconv.Itoa(i+1))
		p.Text("small mute", boardX-10, boardY+i*cellSize+cellSize/2, strconv.Itoa(i+1))
	}
	p.End()
	reachable := m.Reachable()
	if m.ended {
		reachable = 0
	}
	for s := range board.Square(board.Area) {
		m.drawSquareSVG(p, s, reachable.Has(s), who == seat)
	}
	p.Part("way", 0, 0)
	if m.Tally.Removals > 1 {
		p.Arrow("arrow", svg.Between(middle(m.came), middle(m.From), 12, 22)...)
	}
	p.End()
	drawLegend(p)
	m.drawRemoved(p)
	p.Caption(captionY, 3, m.event())
	return p.String()
}

// described describes the picture in words.
func (m *match) described() string {
	return fmt.Sprintf("%s. Score %d. Board, rows from the top: %s. Colours: %s.",
		m.event(), m.score(), strings.Join(boardRows(&m.Pieces), ", "), strings.Join(colourRows(&m.Position), ", "))
}

// drawScore draws the score, its parts, and the button that ends the match.
func (m *match) drawScore(p *svg.Picture, who int) {
	gain := 0
	if m.Tally.Removals > 0 && !m.ended {
		gain = m.Tally.Score() - m.gained.Score()
	}
	p.Scores(svg.Score{Fill: "f1", Name: "score", Value: m.score(), Gain: gain, Next: !m.ended, Failed: m.failure != nil})
	bonus := m.Tally.Bonus
	p.Part("bonus", 8, 56)
	p.Text("small mute l", 0, 0, fmt.Sprintf("removals %d, runs %d, digit sets %d", m.Tally.Removals, bonus.Runs, bonus.Digits))
	p.Text("small mute l", 0, 15, fmt.Sprintf("piece sets %d, alternating %d", bonus.Pieces, bonus.Alternating))
	p.End()
	if m.ended || who != seat {
		p.Part("end", 242, 51)
		p.End()
		return
	}
	p.Button("end", 242, 51, endReply, m.endLabel())
	p.Rect("key", 0, 0, 70, 24, 6)
	p.Text("", 35, 12, "end")
	p.End()
}

// middle is the centre of a square.
func middle(s board.Square) svg.Point {
	return svg.Point{boardX + (s.Column()-1)*cellSize + cellSize/2, boardY + (s.Row()-1)*cellSize + cellSize/2}
}

// DrawReply frames the square of a reply, and draws an arrow to it from the last removal.
func (m *match) DrawReply(who int, reply, class string) string {
	after := *m
	if m.ended || who != seat || after.Reply(who, reply) != nil || after.ended {
		return ""
	}
	return svg.Shapes(func(p *svg.Picture) {
		const half = cellSize / 2
		at := middle(after.From)
		p.Rect(class, at[0]+4-half, at[1]+4-half, cellSize-8, cellSize-8, 4)
		if m.Tally.Removals > 0 {
			p.Arrow(class, svg.Between(middle(m.From), at, 12, 22)...)
		}
	})
}

func (m *match) drawSquareSVG(p *svg.Picture, s board.Square, reachable, mine bool) {
	reply := ""
	if reachable && mine {
		reply = s.String()
	}
	at := middle(s)
	p.Button(fmt.Sprintf("s%d%d", s.Row(), s.Column()), at[0], at[1], reply, m.squareLabel(s))
	const half = cellSize / 2
	p.Rect("cell", -half, -half, cellSize, cellSize, 0)
	if piece := m.Pieces[s]; piece != board.Blank {
		drawMetal(p, m.Colours[s], 1)
		drawPiece(p, piece)
	}
	switch {
	case m.Tally.Removals > 0 && s == m.From:
		p.Rect("ring", 3-half, 3-half, cellSize-6, cellSize-6, 4)
	case reachable:
		p.Rect("can", 2-half, 2-half, cellSize-4, cellSize-4, 4)
	}
	p.End()
}

// drawMetal draws the shape under a piece: a square of bronze, a disc of
// silver, an octagon of gold.
func drawMetal(p *svg.Picture, c board.Colour, scale int) {
	switch c {
	case board.Bronze:
		p.Rect("f2", -16/scale, -16/scale, 32/scale, 32/scale, 4/scale)
	case board.Silver:
		p.Circle("f7", 0, 0, 17/scale)
	case board.Gold:
		path := "M-8-18H8L18-8V8L8 18H-8L-18 8V-8Z"
		if scale > 1 {
			path = "M-3-7H3L7-3V3L3 7H-3L-7 3V-3Z"
		}
		p.Path("f4", path)
	}
}

// figures are the outlines of torn, lopare, dam and springare.
var figures = [board.Types + 1]string{
	board.Torn:      "M-8 10H8V6H6L5-3H7V-10H4V-7H2V-10H-2V-7H-4V-10H-7V-3H-5L-6 6H-8Z",
	board.Lopare:    "M-8 10H8V7H4C8 2 5-4 1-8A2 2 0 1 0-1-8C-5-4-8 2-4 7H-8ZM1-4L-2 2L0 3L3-3Z",
	board.Dam:       "M-8 10H8V7H-8ZM-7 5L-10-6L-5-1L0-10L5-1L10-6L7 5Z",
	board.Springare: "M-6 10H8C8 2 7-6 0-9L-1-11L-3-8C-6-6-8-2-9 1L-7 4L-2 1C-2 4-6 6-6 10ZM-3-4L-1-5L-1-3Z",
}

// drawPiece draws a piece's number or figure.
func drawPiece(p *svg.Picture, piece board.Piece) {
	if piece.Digit() {
		p.Text("big on", 0, 1, piece.String())
		return
	}
	p.Path("figure", figures[piece])
}

func drawLegend(p *svg.Picture) {
	for c := board.Bronze; c < board.Empty; c++ {
		p.Part(c.String(), boardX+20+90*int(c), legendY)
		drawMetal(p, c, 2)
		p.Text("small l", 14, 0, c.String())
		p.End()
	}
}

// piecesSeen is the number of removed pieces that the picture shows.
const piecesSeen = 10

// place is the part a removed piece plays in the sequence.
type place struct {
	set int // points of the set that the piece ends; 0 if it ends none
	run bool
}

// places returns each removed piece's place. It counts the score again.
func (m *match) places() []place {
	var t board.Tally
	out := make([]place, m.Tally.Removals)
	for i, piece := range m.sequence[:m.Tally.Removals] {
		before := t.Bonus
		t.Add(piece)
		out[i].set = t.Bonus.Digits - before.Digits + t.Bonus.Pieces - before.Pieces
		if t.Run() > 1 {
			out[i].run, out[i-1].run = true, true
		}
	}
	return out
}

// drawRemoved draws the types removed last. A bracket below four of them is a
// set with its points, a dashed one a set that is forming; a bar above is a run.
func (m *match) drawRemoved(p *svg.Picture) {
	const pitch, half = 30, 12
	first := max(0, m.Tally.Removals-piecesSeen)
	slotX := func(i int) int { return 25 + pitch*(i-first) }
	for slot := range piecesSeen {
		p.Part("removed"+strconv.Itoa(slot+1), slotX(first+slot), sequenceY)
		if i := first + slot; i < m.Tally.Removals {
			p.Rect("f7", -half, -half, 2*half, 2*half, 4)
			drawPiece(p, m.sequence[i])
		}
		p.End()
	}
	p.Part("sets", 0, sequenceY)
	places := m.places()
	for i := first; i < len(places); i++ {
		if places[i].run {
			p.Path("edge", fmt.Sprintf("M%d-16H%d", slotX(i)-half, slotX(i)+half))
		}
		if places[i].set > 0 {
			from := max(i-board.SizeOfSet+1, first)
			bracket(p, "edge", slotX(from)-half, slotX(i)+half, "+"+strconv.Itoa(places[i].set))
		}
	}
	if n := m.Tally.Useful(); n > 0 && !m.ended {
		last := m.Tally.Removals - 1
		bracket(p, "gone", slotX(last-n+1)-half, slotX(last)+half, fmt.Sprintf("%d/%d", n, board.SizeOfSet))
	}
	p.End()
}

// bracket draws a line below some of the removed pieces, and a text below that.
func bracket(p *svg.Picture, class string, from, to int, text string) {
	p.Path(class, fmt.Sprintf("M%d 15V19H%dV15", from, to))
	p.Text("small b", (from+to)/2, 28, text)
}
