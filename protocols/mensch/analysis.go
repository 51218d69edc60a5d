package mensch

import "umpire/protocols"

// analysis has values in steps. The dice decide more than they do: they say little
// of places, so they are an opinion.
var analysis = protocols.Analysis{
	Unit: "steps",
	Method: "an estimate: the value, in steps and not in points, that @cautious gives the position " +
		"after the best use of the rest of the roll",
	Opinion: "cautious",
}

// maxRest is how many more numbers of the roll Values looks ahead; sixes may be
// many.
const maxRest = 2

// Values estimates the position after each request that would be accepted.
func (m *match) Values(seat int) (values []protocols.Value, exact bool) {
	if !m.owes(seat) {
		return nil, false
	}
	b := &m.board
	for _, request := range b.accepted() {
		value := protocols.Value{Reply: request.String()}
		switch request.Verb {
		case RollDice, GiveUp:
			value.Value = b.Worth(b.turn, int(b.colours))
		default:
			value.Value, value.Line = b.after(b.Position, b.left, request, maxRest)
		}
		values = append(values, value)
	}
	return values, false
}

// after is the value of a position to the colour whose turn it is, after a
// request and the best use of what it leaves of the roll; and that use.
func (b *Board) after(p Position, left Roll, r Request, rest int) (value float64, line []string) {
	p.Place(r.Piece, p.Target(r))
	left = left.Without(r.Number())
	value = p.Worth(b.turn, int(b.colours))
	if left.None() || rest == 0 || p.Home(b.turn) {
		return value, nil
	}
	options := p.Options(nil, b.turn, left)
	if len(options) > 0 {
		line = []string{Request{Verb: GiveUp}.String()}
	}
	for _, next := range options {
		if v, then := b.after(p, left, next, rest-1); v > value {
			value, line = v, append([]string{next.String()}, then...)
		}
	}
	return value, line
}
