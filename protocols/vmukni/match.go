package vmukni

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"umpire/protocols"
)

// failedWay is the way played for a seat that has failed.
const failedWay = 6

// match is a match in progress.
type match struct {
	c      *Case
	board  Board
	ways   []byte      // ways of the moves so far
	points [Seats]int  // of each seat
	failed [Seats]bool // its moves are played for it

	before Board    // the board before the last move
	last   Move     // the last move; its Way is 0 at the start
	why    string   // the failure that caused the last move, as a phrase; "" if none did
	auto   bool     // whether the last move was made without asking
	asked  turn     // the turn from which Next played for failed seats
	told   int      // number of moves announced
	begun  bool     // whether the start has been announced
	notes  []string // announcements, by way and by tile turned up
	send   []protocols.Line
	await  [1]int
}

// turn is the part of a match that is needed to go on from there.
type turn struct {
	moves  int
	board  Board
	points [Seats]int
}

func newMatch(c *Case) *match {
	return &match{
		c:     c,
		board: c.board,
		ways:  make([]byte, 0, c.Moves()),
		notes: announcements(),
		send:  make([]protocols.Line, 0, 14),
	}
}

// announcements returns the lines `way tile` for all ways and tiles 0..7, parts
// of one string.
func announcements() []string {
	notes := make([]string, (Ways+1)*(MaxPictures+1))
	var all strings.Builder
	all.Grow(len("15 7") * len(notes))
	for i := range notes {
		from := all.Len()
		all.WriteString(strconv.Itoa(i / (MaxPictures + 1)))
		all.WriteByte(' ')
		all.WriteByte('0' + byte(i%(MaxPictures+1)))
		notes[i] = all.String()[from:]
	}
	return notes
}

// over reports whether all N moves have been made.
func (m *match) over() bool { return len(m.ways) == m.c.Moves() }

// mover is the seat to move, from 0.
func (m *match) mover() int { return len(m.ways) % Seats }

// Next sends what has happened, after playing for failed seats up to the next
// move of a seat that has not failed.
func (m *match) Next() protocols.Step {
	m.send = m.send[:0]
	m.begin()
	m.asked = turn{len(m.ways), m.board, m.points}
	for m.failedToMove() {
		m.playUnasked()
	}
	for ; m.told < len(m.ways); m.told++ {
		m.tell(m.notes[int(m.ways[m.told])*(MaxPictures+1)+m.turnedUp(m.told)])
	}
	if m.over() {
		return protocols.Step{Send: m.send}
	}
	m.await[0] = m.mover() + 1
	return protocols.Step{Send: m.send, Await: m.await[:]}
}

// failedToMove reports whether the next move belongs to a seat that has failed.
func (m *match) failedToMove() bool { return !m.over() && m.failed[m.mover()] }

// AutoMoves replays the moves that the last Next played for failed seats.
func (m *match) AutoMoves() iter.Seq2[int, protocols.Position] {
	return func(yield func(int, protocols.Position) bool) {
		at := *m
		at.ways = append(make([]byte, 0, len(m.ways)), m.ways[:m.asked.moves]...)
		at.board, at.points = m.asked.board, m.asked.points
		for len(at.ways) < len(m.ways) {
			seat := at.mover() + 1
			at.playUnasked()
			if !yield(seat, &at) {
				return
			}
		}
	}
}

// begin sends the start, once.
func (m *match) begin() {
	if m.begun {
		return
	}
	m.begun = true
	visible := protocols.Join(m.visible())
	for seat := 1; seat <= Seats; seat++ {
		head := fmt.Sprintf("%d %d %d %d", m.c.Moves(), m.c.faceUp, m.c.pictures, seat)
		m.send = append(m.send, protocols.Line{Seat: seat, Text: head})
		for row := 1; row <= Size; row++ {
			m.send = append(m.send, protocols.Line{Seat: seat, Text: m.c.row(row)})
		}
		m.send = append(m.send, protocols.Line{Seat: seat, Text: visible})
	}
}

// tell sends a line to every seat that has not failed.
func (m *match) tell(text string) {
	for i, failed := range m.failed {
		if !failed {
			m.send = append(m.send, protocols.Line{Seat: i + 1, Text: text})
		}
	}
}

// turnedUp is the tile turned up after move t, from 0; 0 if none was.
func (m *match) turnedUp(t int) int {
	if t+m.c.faceUp < m.c.Moves() {
		return m.c.queue[t+m.c.faceUp]
	}
	return 0
}

// visible returns the face-up tiles of the queue, the front one first.
func (m *match) visible() []int {
	t := len(m.ways)
	return m.c.queue[t:min(t+m.c.faceUp, m.c.Moves())]
}

// Reply plays the way that the seat to move gives.
func (m *match) Reply(_ int, text string) *protocols.Foul {
	way, foul := protocols.Integer(text, "a way to insert the tile", 1, Ways)
	if foul != nil {
		return foul
	}
	m.play(way)
	return nil
}

// Fail plays way 6 for the seat, now and in all its later turns.
func (m *match) Fail(seat int, why protocols.Failure) {
	m.failed[seat-1] = true
	m.play(failedWay)
	m.why = why.Phrase()
}

// playUnasked makes the next move for a seat that has failed.
func (m *match) playUnasked() {
	m.play(failedWay)
	m.auto = true
}

// play makes the next move.
func (m *match) play(way int) {
	seat := m.mover()
	m.why, m.auto = "", false
	m.before = m.board
	m.last = m.board.Insert(way, m.visible()[0])
	m.points[seat] += m.last.Points
	m.ways = append(m.ways, byte(way))
}

// Result is each seat's points, including those of a failed seat, and places by
// them.
func (m *match) Result() []protocols.Outcome {
	places := protocols.Places(Seats, func(a, b int) bool { return m.points[a] > m.points[b] })
	out := make([]protocols.Outcome, Seats)
	for i, points := range m.points {
		out[i] = protocols.Outcome{Score: protocols.Points(points), Place: places[i]}
	}
	return out
}

// The position as it is written to JSON.
type (
	state struct {
		Board   string     `json:"board"`
		Visible []int      `json:"visible"`
		Scores  [Seats]int `json:"scores"`
		Move    *moveState `json:"move"` // null at the start
	}
	moveState struct {
		Move
		Groups []Group `json:"groups"`
	}
)

// State is the position after the last move, with the effect of that move.
func (m *match) State() any {
	s := state{Board: m.board.String(), Visible: append([]int{}, m.visible()...), Scores: m.points}
	if m.last.Way == 0 {
		return s
	}
	s.Move = &moveState{m.last, append([]Group{}, m.last.Groups()...)}
	return s
}
