package patolli

import (
	"fmt"
	"strings"
	"time"

	"umpire/protocols"
)

// Line is one line of input. It is immutable.
type Line struct {
	Start Position
	Rolls []byte // each 1..6

	text string // canonical
}

// Play rolls all the rolls and returns the final position.
func (l *Line) Play() Position {
	p := l.Start
	for _, roll := range l.Rolls {
		if p.Over() {
			break
		}
		p.Roll(int(roll))
	}
	return p
}

// Case holds the lines of one input, at least one.
type Case struct {
	lines []Line
	text  string
}

// parse reads a case, one line of input per line. Its errors are of type
// *protocols.CaseError.
func parse(text string) (protocols.Case, error) {
	r := protocols.ReadCase(text)
	c := &Case{lines: make([]Line, 0, r.Len())}
	for range max(r.Len(), 1) {
		text := r.Text("a line of Patolli")
		if err := r.Err(); err != nil {
			return nil, err
		}
		line, fault := ParseLine(text)
		if fault != nil {
			fault.Line = r.Line()
			return nil, fault
		}
		c.lines = append(c.lines, line)
	}
	return c.finish(), nil
}

// finish sets the case's text from its lines.
func (c *Case) finish() *Case {
	texts := make([]string, len(c.lines))
	for i := range c.lines {
		texts[i] = c.lines[i].text
	}
	c.text = strings.Join(texts, "\n")
	return c
}

// ParseLine reads the opponent's markers, the player's markers, the number of
// rolls and the rolls.
func ParseLine(text string) (Line, *protocols.CaseError) {
	const head = 2*Markers + 1
	tokens := protocols.Fields(text)
	if len(tokens) < head {
		return Line{}, &protocols.CaseError{
			Found:    fmt.Sprintf("%d values in %s", len(tokens), protocols.Quote(text)),
			Expected: "3 markers of the opponent, 3 of the player, the number of rolls, and the rolls",
		}
	}
	var l Line
	numbers := make([]int, 0, len(tokens))
	for _, token := range tokens[:head-1] {
		location, fault := l.Start.marker(token)
		if fault != nil {
			return Line{}, fault
		}
		if len(numbers) < Markers {
			l.Start.opponent |= 1 << location
		} else {
			l.Start.player |= 1 << location
		}
		numbers = append(numbers, location)
	}
	if fault := l.readRolls(tokens[head-1], tokens[head:]); fault != nil {
		return Line{}, fault
	}
	numbers = append(numbers, len(l.Rolls))
	for _, roll := range l.Rolls {
		numbers = append(numbers, int(roll))
	}
	l.text = protocols.Join(numbers)
	return l, nil
}

// marker reads the location of one more marker.
func (p *Position) marker(token string) (int, *protocols.CaseError) {
	location, ok := protocols.Number(token)
	if !ok || location < 1 || location >= Last {
		return 0, &protocols.CaseError{Found: protocols.Quote(token), Expected: "a marker's location, 1 to 51"}
	}
	if (p.opponent | p.player).has(location) {
		return 0, &protocols.CaseError{
			Found:    fmt.Sprintf("two markers at %d", location),
			Expected: "six markers at different locations",
		}
	}
	return location, nil
}

// readRolls reads the rolls; there must be as many as the count says.
func (l *Line) readRolls(count string, tokens []string) *protocols.CaseError {
	n, ok := protocols.Number(count)
	if !ok {
		return &protocols.CaseError{Found: protocols.Quote(count), Expected: "the number of rolls"}
	}
	if n != len(tokens) {
		found := fmt.Sprintf("%d rolls", len(tokens))
		if len(tokens) == 1 {
			found = "1 roll"
		}
		return &protocols.CaseError{Found: found, Expected: fmt.Sprintf("%d, as the line says", n)}
	}
	l.Rolls = make([]byte, n)
	for i, token := range tokens {
		roll, ok := protocols.Number(token)
		if !ok || roll < 1 || roll > 6 {
			return &protocols.CaseError{Found: protocols.Quote(token), Expected: "a roll, 1 to 6"}
		}
		l.Rolls[i] = byte(roll)
	}
	return nil
}

// String is the canonical text, the input itself.
func (c *Case) String() string { return c.text }

// Limits are 1 s and 256 MiB, whatever the case.
func (c *Case) Limits(int) protocols.Limits {
	return protocols.Limits{Time: time.Second, Memory: 256 << 20}
}

// Start begins a match of one seat.
func (c *Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("patolli", seats, 1, 1)
	return newMatch(c)
}
