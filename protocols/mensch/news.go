package mensch

import (
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// event is the last thing that happened in a match, for people.
type event struct {
	kind    eventKind
	colour  Colour
	request Request
	reply   Reply
	from    uint8 // the cell where the request's piece was before
	failure protocols.Failure
}

type eventKind uint8

const (
	begun  eventKind = iota // nothing happened yet
	asked                   // a request was answered
	failed                  // a colour failed
)

// String describes the event in one sentence.
func (e event) String() string { return capital(e.sentence()) }

// capital begins a sentence, whose first word may be a colour.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func (e event) sentence() string {
	switch {
	case e.kind == begun:
		return "The match begins."
	case e.kind == failed:
		if e.failure.Detail == protocols.Left {
			return fmt.Sprintf("%s %s.", e.colour, e.failure.Phrase())
		}
		return fmt.Sprintf("%s is out: %s.", e.colour, e.failure.Kind)
	case e.reply.Refusal == NotRolled:
		return fmt.Sprintf("%s gives up before the roll, which does nothing.", e.colour)
	case e.reply.Refusal != Accepted:
		return fmt.Sprintf("%s asks %q and is refused: %s.", e.colour, e.request, e.reply)
	}
	switch e.request.Verb {
	case RollDice:
		return fmt.Sprintf("%s rolls %s.", e.colour, e.reply.Roll)
	case GiveUp:
		return fmt.Sprintf("%s gives up what is unused.", e.colour)
	case Enter:
		return fmt.Sprintf("%s enters %s on cell %d%s.", e.colour, e.request.Piece, e.reply.Cell, e.gain())
	}
	return fmt.Sprintf("%s moves %s by %d to cell %d%s.",
		e.colour, e.request.Piece, e.request.Steps, e.reply.Cell, e.gain())
}

func (e event) gain() string {
	if e.reply.Captured == NoPiece {
		return ""
	}
	return fmt.Sprintf(" and sends %s back to its corner", e.reply.Captured)
}

// String describes the last event, draws the board, and names the colour whose
// turn it is or lists the colours by place.
func (m *match) String() string {
	if !m.over {
		return m.news() + "\n" + m.board.String()
	}
	return m.news() + "\n" + string(m.board.AppendPicture(nil)) + m.standing()
}

// PieceNames implements protocols.PieceNamer.
func (m *match) PieceNames() map[string]int {
	names := make(map[string]int)
	for c := range m.seats {
		for _, piece := range Colour(c).Pieces() {
			names[piece.String()] = int(c) + 1
		}
	}
	return names
}

// news describes the last event.
func (m *match) news() string {
	news := m.last.String()
	if m.last.kind == asked && slices.Contains(m.home, m.last.colour) {
		news += fmt.Sprintf(" %s is home.", capital(m.last.colour.String()))
	}
	return news
}

// standing lists the colours by place.
func (m *match) standing() string {
	order := make([]Colour, m.seats)
	for c := range m.seats {
		order[c] = c
	}
	result := m.Result()
	slices.SortStableFunc(order, func(a, b Colour) int { return result[a].Place - result[b].Place })
	var out strings.Builder
	out.WriteString("the match is over:")
	for i, c := range order {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, " %d. %s (%s)", result[c].Place, c, m.fate(c))
	}
	return out.String()
}

func (m *match) fate(c Colour) string {
	switch {
	case slices.Contains(m.home, c):
		return "home"
	case slices.Contains(m.out, c):
		return "out"
	}
	return fmt.Sprintf("%d steps", m.board.Progress(c))
}
