package solitarschack

import (
	"strings"

	"umpire/protocols"
	"umpire/protocols/solitarschack/board"
)

// match is a match in progress.
type match struct {
	board.Position
	layers   *Case
	sequence [board.Layers * board.Area]board.Piece // the removed types, Tally.Removals of them
	ended    bool                                   // by 0 0 or by a failure
	failure  *protocols.Failure
	gained   board.Tally  // the score before the last removal
	came     board.Square // square of the removal before the last; meaningless before the second
	appeared board.Piece  // the piece that appeared at the last removal; Blank if none did
	send     []protocols.Line
	advisor  advisor // for Values
}

// seat is the number of the one seat.
const seat = 1

var awaited = []int{seat}

func newMatch(c *Case) *match {
	m := &match{Position: board.NewPosition(c[board.Bronze]), layers: c}
	for _, row := range boardRows(&c[board.Bronze]) {
		m.send = append(m.send, protocols.Line{Seat: seat, Text: row})
	}
	return m
}

// Next sends the board at first, and then the pieces that appear. The match
// goes on until the contestant ends it, even if no square can be reached.
func (m *match) Next() protocols.Step {
	if m.ended {
		return protocols.Step{}
	}
	if m.Tally.Removals > 0 {
		m.send = append(m.send[:0], protocols.Line{Seat: seat, Text: m.appeared.String()})
	}
	return protocols.Step{Send: m.send, Await: awaited}
}

// Reply removes a piece, or ends the match with 0 0.
func (m *match) Reply(_ int, text string) *protocols.Foul {
	row, column, ok := twoNumbers(text)
	if ok && row == 0 && column == 0 {
		m.ended = true
		return nil
	}
	if !ok || row < 1 || row > board.Side || column < 1 || column > board.Side {
		return protocols.Fouled("answered %s, expected a square, row and column from 1 to 6, or 0 0 to end",
			protocols.Quote(text))
	}
	s := board.At(row, column)
	if !m.Reaches(s) {
		return m.refuse(s)
	}
	m.remove(s)
	return nil
}

func (m *match) remove(s board.Square) {
	m.gained, m.came = m.Tally, m.From
	m.sequence[m.Tally.Removals] = m.Pieces[s]
	m.appeared = board.Blank
	if above := m.Colours[s] + 1; above < board.Empty {
		m.appeared = m.layers[above][s]
	}
	m.Remove(s, m.appeared)
}

// refuse returns the reason why the piece on s, a square of the board, may not
// be removed.
func (m *match) refuse(s board.Square) *protocols.Foul {
	if m.Pieces[s] == board.Blank {
		return protocols.Fouled("square %v is empty", s)
	}
	reachable := m.Reachable()
	if reachable == 0 {
		return protocols.Fouled("square %v can't be reached after %v at %v, nor can any other: expected 0 0 to end",
			s, m.Tally.Last(), m.From)
	}
	var squares []string
	for ; reachable != 0; reachable &= reachable - 1 {
		squares = append(squares, reachable.First().String())
	}
	return protocols.Fouled("square %v can't be reached after %v at %v, expected one of: %s; or 0 0 to end",
		s, m.Tally.Last(), m.From, strings.Join(squares, ", "))
}

// twoNumbers reads a reply that must be two integers.
func twoNumbers(text string) (a, b int, ok bool) {
	first, rest := protocols.NextField(text)
	second, rest := protocols.NextField(rest)
	if extra, _ := protocols.NextField(rest); extra != "" {
		return 0, 0, false
	}
	if a, ok = protocols.Number(first); !ok {
		return 0, 0, false
	}
	b, ok = protocols.Number(second)
	return a, b, ok
}

// Fail ends the match with 0 points, whatever the failure.
func (m *match) Fail(_ int, why protocols.Failure) {
	m.ended = true
	m.failure = &why
}

// Result is the score so far; 0 after a failure.
func (m *match) Result() []protocols.Outcome {
	return []protocols.Outcome{{Score: protocols.Points(m.score()), Place: 1}}
}

func (m *match) score() int {
	if m.failure != nil {
		return 0
	}
	return m.Tally.Score()
}

// state is a position as it is written to JSON.
type state struct {
	// Board holds the visible pieces: six rows of six types as the protocol
	// writes them, separated by spaces, "blank" for an empty square.
	Board []string `json:"board"`
	// Colours holds the colours of the pieces: six rows of six letters, not
	// separated, b for bronze, s for silver, g for gold and . for an empty
	// square.
	Colours []string    `json:"colours"`
	Removed string      `json:"removed"` // type removed last, "" before the first removal
	Moves   int         `json:"moves"`   // number of removals
	Bonus   board.Bonus `json:"bonus"`
	Score   int         `json:"score"` // removals and bonus together; 0 after a failure
}

// State is the position after the last removal.
func (m *match) State() any {
	s := state{
		Board:   boardRows(&m.Pieces),
		Colours: colourRows(&m.Position),
		Moves:   m.Tally.Removals,
		Bonus:   m.Tally.Bonus,
		Score:   m.score(),
	}
	if m.Tally.Removals > 0 {
		s.Removed = m.Tally.Last().String()
	}
	return s
}

func colourRows(p *board.Position) []string {
	rows := make([]string, board.Side)
	for i := range rows {
		var row [board.Side]byte
		for j := range row {
			row[j] = p.Colours[i*board.Side+j].Letter()
		}
		rows[i] = string(row[:])
	}
	return rows
}
