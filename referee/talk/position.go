package talk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// State implements protocols.Position.
func (m *Match) State() any { return m.StateFor(0) }

// StateFor implements protocols.SeatView.
func (m *Match) StateFor(seat int) any {
	for _, s := range []*shown{&m.now.shown[seat], &m.now.shown[0]} {
		if s.state != "" {
			return json.RawMessage(s.state)
		}
	}
	return struct {
		Board []string `json:"board"`
	}{append([]string{}, lines(m.boardFor(seat))...)}
}

// boardFor is the board that a seat is shown, or else the one for everybody.
func (m *Match) boardFor(seat int) []string {
	if board := m.now.shown[seat].board; board != nil {
		return board
	}
	return m.now.shown[0].board
}

// StringFor implements protocols.SeatView.
func (m *Match) StringFor(seat int) string {
	if seat == 0 {
		return m.String()
	}
	return strings.Join(m.withNotes(seat, lines(m.boardFor(seat))), "\n")
}

// withNotes adds to a board what is said below it.
func (m *Match) withNotes(seat int, list []string) []string {
	if !m.facts.Hidden || m.recorded {
		list = append(list, lines(m.now.notes)...)
	}
	if _, err := m.drawn(seat); err != nil {
		list = append(list, "no picture: "+printable(err.Error()))
	}
	return list
}

// String implements protocols.Position: what everybody sees and, unless the game is
// hidden and goes on, what each seat sees.
func (m *Match) String() string {
	list := lines(m.now.shown[0].board)
	if !m.facts.Hidden || m.recorded {
		for seat := 1; seat <= m.seats; seat++ {
			if board := m.now.shown[seat].board; board != nil {
				list = append(append(list, fmt.Sprintf("seat %d sees:", seat)), lines(board)...)
			}
		}
	}
	return strings.Join(m.withNotes(0, list), "\n")
}

func lines(raw []string) (list []string) {
	for _, line := range raw {
		list = append(list, printable(line))
	}
	return list
}

// Choices implements protocols.Chooser.
func (m *Match) Choices(seat int) []protocols.Choice {
	if m.over || !slices.Contains(m.now.await, seat) {
		return nil
	}
	return slices.Clone(m.now.choices[seat-1])
}

// Values implements protocols.Analyst.
func (m *Match) Values(seat int) (values []protocols.Value, exact bool) {
	if m.over || !slices.Contains(m.now.await, seat) {
		return nil, false
	}
	values = slices.Clone(m.now.values[seat-1])
	if whole := m.won.Minus(m.lost).Float(); m.seats > 1 && whole > 0 {
		for i := range values {
			values[i].Result = min(1, max(0, (values[i].Value+whole)/(2*whole)))
		}
	}
	return values, !m.now.estimate[seat-1]
}
