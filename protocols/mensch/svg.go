package mensch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"umpire/protocols"
	"umpire/protocols/svg"
)

// Choices are the requests that would be accepted. Requests that would be
// refused are not fouls, but change nothing.
func (m *match) Choices(seat int) []protocols.Choice {
	if !m.owes(seat) {
		return nil
	}
	var out []protocols.Choice
	for _, request := range m.board.accepted() {
		out = append(out, protocols.Choice{Reply: request.String(), Label: m.board.label(request)})
	}
	return out
}

// owes reports whether a seat is to send the next request.
func (m *match) owes(seat int) bool { return !m.over && seat == int(m.board.turn)+1 }

// accepted lists all requests that would not be refused now.
func (b *Board) accepted() []Request {
	if b.left.None() {
		return []Request{{Verb: RollDice}}
	}
	return append(b.Options(nil, b.turn, b.left), Request{Verb: GiveUp})
}

// label describes the effect of an accepted request.
func (b *Board) label(r Request) string {
	text := ""
	switch r.Verb {
	case RollDice:
		return "roll the dice"
	case GiveUp:
		return "give up what is unused: " + b.left.String()
	case Enter:
		text = fmt.Sprintf("enter %s on cell %d", r.Piece, b.Target(r))
	case Move:
		text = fmt.Sprintf("move %s by %d to cell %d", r.Piece, r.Steps, b.Target(r))
	}
	if on := b.On(b.Target(r)); on != NoPiece {
		text += fmt.Sprintf(", sends %s back", on)
	}
	return text
}

// Positions in the picture.
const (
	svgHeight  = 494
	svgCell    = 28
	boardX     = 6
	boardY     = 56
	diceY      = boardY + 11*svgCell + 10
	captionY   = diceY + 48
	diceSeen   = 5
	optionSeen = 2 * each // a piece moves by a six or by the other number
)

// cellAt is the middle of every cell in the picture.
var cellAt = cellPlaces()

func cellPlaces() (at [cells + 1]svg.Point) {
	for row, line := range grid {
		for column, cell := range line {
			at[cell] = svg.Point{boardX + column*svgCell + svgCell/2, boardY + row*svgCell + svgCell/2}
		}
	}
	return at
}

// fill is the class of a colour.
func (c Colour) fill() string { return [...]string{"f8", "f1", "f3", "f4"}[c] }

// SVG draws the board with the last request: the path of its piece and, dashed,
// that of a piece sent back; the used number of the roll, faded, and the unused
// ones. A dashed ring marks each cell that a piece may enter or move to.
func (m *match) SVG(seat int) string {
	text := m.news()
	if m.over {
		text += " " + capital(m.standing()) + "."
	}
	scores := m.board.scores()
	for c := range scores {
		scores[c].Next = scores[c].Next && !m.over
		scores[c].Failed = slices.Contains(m.out, Colour(c))
	}
	return m.board.svg(seat, text, m.last, scores, m.owes(seat))
}

// SVG draws the position after the last request, with the result of the output.
func (b *tracedBatch) SVG(seat int) string {
	news := fmt.Sprintf("After %d requests. %s", len(b.task.requests), b.news())
	return b.end().svg(seat, news, event{}, b.end().scores(), false)
}

// SVG draws the position after a request.
func (s traceState) SVG(seat int) string {
	news := "The start."
	if s.last.kind == asked {
		news = s.last.String()
	}
	return s.board.svg(seat, news, s.last, s.board.scores(), false)
}

// svg draws the position; play reports whether the seat may choose.
func (b *Board) svg(seat int, news string, e event, scores []svg.Score, play bool) string {
	p := svg.New(seat, svgHeight, "Mensch", news+" "+b.described())
	p.Scores(scores...)
	b.draw(p, e, play)
	p.Caption(captionY, 4, news)
	return p.String()
}

// scores are the colours' progress along their paths.
func (b *Board) scores() (list []svg.Score) {
	for c := range b.colours {
		name := c.Letter()
		if b.Home(c) {
			name += " ✓"
		}
		list = append(list, svg.Score{Fill: c.fill(), Name: name, Value: b.Progress(c), Unit: "steps", Next: c == b.turn})
	}
	return list
}

// described describes in words where the pieces are.
func (b *Board) described() string {
	text := "Cells:"
	for piece := Piece(1); piece <= pieces; piece++ {
		if cell := b.Cell(piece); cell > 0 {
			text += fmt.Sprintf(" %s %d", piece, cell)
		}
	}
	return fmt.Sprintf("%s. It is %s's turn, unused: %s.", text, b.turn, cmp.Or(b.left.String(), "none"))
}

// draw draws the board after an event; play allows the colour whose turn it is
// to click.
func (b *Board) draw(p *svg.Picture, e event, play bool) {
	p.Part("cells", 0, 0)
	for cell := 1; cell <= cells; cell++ {
		drawCell(p, cell)
	}
	p.End()
	p.Part("way", 0, 0)
	b.drawWay(p, e)
	p.End()
	var options []Request
	if play {
		options = b.accepted()
	}
	b.drawPieces(p, e, options)
	b.drawOptions(p, options)
	b.drawDice(p, e, options)
}

// drawCell draws an empty cell. The rim of a corner or a final cell has its
// colour, and so does that of a start cell, with the colour's letter.
func drawCell(p *svg.Picture, cell int) {
	at := cellAt[cell]
	if cell > track {
		p.Circle("rim "+Colour((cell-track-1)/8).fill(), at[0], at[1], 13)
		p.Circle("rim paper", at[0], at[1], 9)
		return
	}
	if c := Colour((cell - 1) / 10); cell == c.StartCell() {
		p.Circle("rim "+c.fill(), at[0], at[1], 13)
		p.Circle("cell", at[0], at[1], 10)
		p.Text("small mute", at[0], at[1], c.Letter())
		return
	}
	p.Circle("cell", at[0], at[1], 12)
}

// drawWay draws the path of the last request's piece, and of one it sent back.
func (b *Board) drawWay(p *svg.Picture, e event) {
	if e.kind != asked || e.reply.Cell == 0 {
		return
	}
	if captured := e.reply.Captured; captured != NoPiece {
		p.Arrow("back", svg.Between(cellAt[e.reply.Cell], cellAt[b.Cell(captured)], 10, 12)...)
	}
	drawRequest(p, "arrow", e.request, int(e.from), e.reply.Cell, b.Steps(e.request.Piece)-int(e.request.Steps))
}

// drawRequest draws the path of an entry or a move from one cell to another, which begins
// that many steps after the colour's start.
func drawRequest(p *svg.Picture, class string, r Request, from, to, begin int) {
	if r.Verb == Enter {
		p.Arrow(class, svg.Between(cellAt[from], cellAt[to], 8, 13)...)
		return
	}
	var way []svg.Point
	for step := begin; step < begin+int(r.Steps); step++ {
		way = append(way, cellAt[r.Piece.Colour().PathCell(step)])
	}
	last := svg.Between(way[len(way)-1], cellAt[to], 0, 13)
	p.Arrow(class, append(way, last[1])...)
}

// DrawReply draws the path of the piece that a request enters or moves.
func (m *match) DrawReply(seat int, reply, class string) string {
	r, ok := ParseRequest(reply, int(m.seats))
	if !ok || !m.owes(seat) || r.Piece == NoPiece || !slices.Contains(m.board.accepted(), r) {
		return ""
	}
	return svg.Shapes(func(p *svg.Picture) {
		drawRequest(p, class, r, m.board.Cell(r.Piece), m.board.Target(r), m.board.Steps(r.Piece))
	})
}

// drawPieces draws the pieces. A piece with exactly one possible request can be
// clicked.
func (b *Board) drawPieces(p *svg.Picture, e event, options []Request) {
	for piece := Piece(1); piece <= pieces; piece++ {
		cell := b.Cell(piece)
		if cell == 0 {
			continue
		}
		reply, label := "", ""
		own := requestsOf(piece, options)
		if len(own) == 1 {
			reply, label = own[0].String(), b.label(own[0])
		}
		at := cellAt[cell]
		if reply == "" && e.kind == asked && e.reply.Cell > 0 && piece == e.request.Piece {
			p.Glide(piece.String(), "way", at[0], at[1])
		} else {
			p.Button(piece.String(), at[0], at[1], reply, label)
		}
		p.Circle("paper", 0, 0, 13)
		p.Circle(piece.Colour().fill(), 0, 0, 11)
		switch {
		case len(own) > 0:
			p.Circle("can", 0, 0, 13)
		case e.kind == asked && e.reply.Cell > 0 && (piece == e.request.Piece || piece == e.reply.Captured):
			p.Circle("ring", 0, 0, 12)
		default:
			p.Circle("edge", 0, 0, 11)
		}
		p.Text("small b on", 0, 0, piece.String())
		p.End()
	}
}

func requestsOf(piece Piece, options []Request) (own []Request) {
	for _, r := range options {
		if r.Piece == piece {
			own = append(own, r)
		}
	}
	return own
}

// drawOptions rings the cells that entries and moves lead to. A cell that a
// single request leads to can be clicked.
func (b *Board) drawOptions(p *svg.Picture, options []Request) {
	targets := map[int]int{}
	for _, r := range options {
		if r.Piece != NoPiece {
			targets[b.Target(r)]++
		}
	}
	for i := range optionSeen {
		key := "option" + strconv.Itoa(i+1)
		if i >= len(options) || options[i].Piece == NoPiece {
			p.Part(key, 0, 0)
			p.End()
			continue
		}
		r := options[i]
		reply, at := r.String(), cellAt[b.Target(r)]
		if targets[b.Target(r)] > 1 {
			reply = ""
		}
		p.Button(key, at[0], at[1], reply, b.label(r))
		p.Circle("can", 0, 0, 13)
		p.End()
	}
}

// drawDice draws the number used last, faded, the unused ones, and the other
// possible requests.
func (b *Board) drawDice(p *svg.Picture, e event, options []Request) {
	const size, pitch = 32, 38
	roll := ""
	if len(options) == 1 && options[0].Verb == RollDice {
		roll = options[0].String()
	}
	p.Button("dice", 10, diceY, roll, "roll the dice")
	x := 0
	if e.kind == asked && e.reply.Cell > 0 {
		used := 6
		if e.request.Verb == Move {
			used = int(e.request.Steps)
		}
		p.Die("used", x, 0, size, used)
		x += pitch
	}
	numbers := b.left.Numbers()
	for i := max(0, len(numbers)-diceSeen); i < len(numbers); i++ {
		p.Die("", x, 0, size, numbers[i])
		x += pitch
	}
	if b.left.None() {
		p.Die("", x, 0, size, 0)
		if roll != "" {
			p.Rect("can", x-3, -3, size+6, size+6, 6)
		}
		x += pitch
	}
	if more := len(numbers) - diceSeen; more > 0 {
		p.Text("l", x, size/2, fmt.Sprintf("+%d", more))
	}
	p.End()
	if len(options) == 0 || options[len(options)-1].Verb != GiveUp {
		p.Part("giveup", 236, diceY+3)
		p.End()
		return
	}
	giveUp := options[len(options)-1]
	p.Button("giveup", 236, diceY+3, giveUp.String(), b.label(giveUp))
	p.Rect("key", 0, 0, 76, 26, 6)
	p.Text("", 38, 13, "give up")
	p.End()
}
