package ioiwari

import (
	"fmt"

	"umpire/protocols"
)

// digit holds the lines "1" to "7".
const digit = "1234567"

// match is a match of two seats, here called 0 and 1.
type match struct {
	board  Board
	banks  [2]int
	turn   int    // the seat to move
	before Board  // the board before the last move
	last   move   // the last move
	failed string // how the seat to move has failed, as a phrase; "": it has not
	over   bool
	solver *Solver // for Values; nil before the first call

	begun bool
	send  [2]protocols.Line // backing store of the slices in a Step
	await [1]int
}

// move is a move that was made; pit 0 if none was.
type move struct {
	seat, pit  int
	own, other int // beads the move brought to the banks
}

func newMatch(b Board) *match { return &match{board: b} }

// Next sends the board to both seats at first, and then every move to the
// mover's opponent.
func (m *match) Next() protocols.Step {
	var step protocols.Step
	switch {
	case !m.begun:
		m.begun = true
		line := protocols.Join(m.board[:])
		m.send = [2]protocols.Line{{Seat: 1, Text: line}, {Seat: 2, Text: line}}
		step.Send = m.send[:]
	case m.failed == "":
		pit := m.last.pit
		m.send[0] = protocols.Line{Seat: 2 - m.last.seat, Text: digit[pit-1 : pit]}
		step.Send = m.send[:1]
	}
	if !m.over {
		m.await[0] = m.turn + 1
		step.Await = m.await[:]
	}
	return step
}

// Reply plays a pit.
func (m *match) Reply(_ int, text string) *protocols.Foul {
	pit, foul := protocols.Integer(text, "a pit", 1, Pits)
	if foul != nil {
		return foul
	}
	if m.board[pit-1] == 0 {
		foul := protocols.Fouled("pit %d is empty", pit)
		foul.Former = []string{fmt.Sprintf("answered %d, expected a pit that is not empty", pit)}
		return foul
	}
	m.before = m.board
	own, other := m.board.Sow(pit)
	m.banks[m.turn] += own
	m.banks[1-m.turn] += other
	m.last = move{m.turn, pit, own, other}
	m.turn = 1 - m.turn
	m.over = m.board == Board{}
	return nil
}

// Fail loses the match immediately, whatever is in the banks.
func (m *match) Fail(_ int, why protocols.Failure) {
	m.failed = why.Phrase()
	m.over = true
}

// Result scores the beads in the banks. The larger bank wins, unless a seat
// failed.
func (m *match) Result() []protocols.Outcome {
	places := protocols.Places(2, func(a, b int) bool {
		if m.failed != "" {
			return b == m.turn && a != b
		}
		return m.banks[a] > m.banks[b]
	})
	return []protocols.Outcome{{Score: protocols.Points(m.banks[0]), Place: places[0]}, {Score: protocols.Points(m.banks[1]), Place: places[1]}}
}

// state is a position as it is written to JSON.
type state struct {
	Pits  [Pits]int `json:"pits"`
	Banks [2]int    `json:"banks"`
}

// State is the position after the last move.
func (m *match) State() any {
	s := state{Banks: m.banks}
	for i, beads := range m.board {
		s.Pits[i] = int(beads)
	}
	return s
}
