package mensch

import (
	"slices"

	"umpire/protocols"
)

const (
	mostTurns   = 400 // turns of a colour in a match
	mostRefused = 15  // requests in a turn; one more is a foul
)

// match is a match in progress. A colour is a seat minus one.
type match struct {
	board   Board
	seats   Colour
	round   int // number of the current turn of each colour
	refused int // requests in this turn
	over    bool

	home []Colour // in the order in which they came home
	out  []Colour // in the order in which they failed

	last event // the last event, for people

	// The lines to send gather in next, while the driver may still hold those of
	// the last step.
	next, sent []protocols.Line
	await      [1]int
	line       []byte // buffer for a line being built
}

// newMatch begins a match; seat 1 is red.
func newMatch(d Dice, seats int) *match {
	m := &match{board: NewBoard(d, seats), seats: Colour(seats), round: 1}
	for c := range m.seats {
		m.tell(c, c.Letter()+" "+letters[:seats])
	}
	m.tell(m.board.turn, "turn")
	return m
}

func (m *match) tell(c Colour, text string) {
	m.next = append(m.next, protocols.Line{Seat: int(c) + 1, Text: text})
}

// tellOthers sends a line to all colours but c and those that are out.
func (m *match) tellOthers(c Colour, text string) {
	for other := range m.seats {
		if other != c && !slices.Contains(m.out, other) {
			m.tell(other, text)
		}
	}
}

// Next sends the pending lines and awaits the colour whose turn it is.
func (m *match) Next() protocols.Step {
	m.next, m.sent = m.sent[:0], m.next
	if m.over {
		return protocols.Step{Send: m.sent}
	}
	m.await[0] = int(m.board.turn) + 1
	return protocols.Step{Send: m.sent, Await: m.await[:]}
}

// Reply answers a request and reports it to the others.
func (m *match) Reply(seat int, text string) *protocols.Foul {
	colours := int(m.seats)
	request, ok := ParseRequest(text, colours)
	if !ok {
		return protocols.Fouled("answered %s, expected %s", protocols.Quote(text), requestForm(colours))
	}
	c := Colour(seat - 1)
	from := m.board.at[request.Piece]
	reply := m.board.Do(request)
	if reply.Refusal != Accepted {
		if m.refused == mostRefused {
			return protocols.Fouled("request %q is the %dth refused in one turn, expected at most %d",
				request, mostRefused+1, mostRefused)
		}
		m.refused++
	}
	m.last = event{kind: asked, colour: c, request: request, reply: reply, from: from}
	m.announce(c, request, reply)
	if reply.Cell > track && m.board.Home(c) {
		m.home = append(m.home, c)
		m.board.Skip(c)
	}
	m.turnFrom(c)
	return nil
}

// announce sends the colour its reply, and tells the others what it did.
func (m *match) announce(c Colour, request Request, reply Reply) {
	if reply.Refusal != Accepted {
		if text := reply.Refusal.String(); text != "" {
			m.tell(c, text)
		}
		return
	}
	line := append(m.line[:0], c.Letter()[0], ' ')
	line = append(request.append(line), ' ')
	head := len(line)
	line = reply.append(line)
	m.line = line
	if request.Verb == GiveUp {
		m.tellOthers(c, string(line[:head-1]))
		return
	}
	text := string(line)
	m.tell(c, text[head:])
	m.tellOthers(c, text)
}

// Fail takes a colour out of the match.
func (m *match) Fail(seat int, why protocols.Failure) {
	c := Colour(seat - 1)
	m.last = event{kind: failed, colour: c, failure: why}
	m.out = append(m.out, c)
	m.tellOthers(c, c.Letter()+" out")
	m.board.Skip(c)
	m.turnFrom(c)
}

// turnFrom ends the match or, if the turn has left the colour, begins the next
// one.
func (m *match) turnFrom(c Colour) {
	turn := m.board.turn
	if turn < c {
		m.round++
	}
	if m.round > mostTurns || len(m.home)+len(m.out) >= int(m.seats)-1 {
		m.end()
		return
	}
	if turn != c {
		m.refused = 0
		m.tell(turn, "turn")
	}
}

func (m *match) end() {
	m.over = true
	for c := range m.seats {
		if !slices.Contains(m.out, c) {
			m.tell(c, "end")
		}
	}
}

// Result ranks the colours that came home first, in that order; then those
// still playing, by path steps; then those out, the last one first. A place is
// worth the number of seats behind it.
func (m *match) Result() []protocols.Outcome {
	out := make([]protocols.Outcome, m.seats)
	for c, place := range protocols.Places(int(m.seats), m.before) {
		out[c] = protocols.Outcome{Score: protocols.Points(int(m.seats) - place), Place: place}
	}
	return out
}

// before reports whether colour a ranks before colour b.
func (m *match) before(a, b int) bool {
	tierA, valueA := m.rank(Colour(a))
	tierB, valueB := m.rank(Colour(b))
	return tierA < tierB || tierA == tierB && valueA < valueB
}

// rank is the standing of a colour, the lower the better: first by tier (home,
// playing or out), then by value.
func (m *match) rank(c Colour) (tier, value int) {
	if i := slices.Index(m.home, c); i >= 0 {
		return 0, i
	}
	if i := slices.Index(m.out, c); i >= 0 {
		return 2, -i
	}
	return 1, -m.board.Progress(c)
}

// State is the position for machines.
func (m *match) State() any {
	s := m.board.state()
	if m.over {
		s.Turn = ""
	}
	return s
}
