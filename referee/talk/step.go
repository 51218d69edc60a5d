package talk

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"umpire/protocols"
	"umpire/referee"
)

// step is what a judge says from one request for replies to the next.
type step struct {
	send     []protocols.Line
	shown    [MaxSeats + 1]shown // by seat; 0: for everybody
	notes    []string
	choices  [MaxSeats][]protocols.Choice
	tidied   [MaxSeats]map[string]string // the choices tidied, and as the judge wrote them
	values   [MaxSeats][]protocols.Value
	estimate [MaxSeats]bool
	fouls    [MaxSeats]string // why, of a seat that is out by what it replied; "": it is not
	await    []int
	places   []int
	scores   []protocols.Score
	over     bool
	said     bool // over, as the judge said
	complete bool
}

// shown is a position as somebody sees it.
type shown struct {
	board []string // lines
	state string
	svg   []string // phases of a move
	clean *clean   // the last of them for everybody; nil: not looked at yet
}

// reset empties a step, whose room is used again.
func (s *step) reset() {
	for i := range s.tidied {
		clear(s.tidied[i])
		s.choices[i], s.values[i] = s.choices[i][:0], s.values[i][:0]
	}
	*s = step{send: s.send[:0], await: s.await[:0], choices: s.choices, tidied: s.tidied, values: s.values}
}

// parser reads the lines of a step.
type parser struct {
	*step
	seats    int
	first    bool                  // it is the first step, whose case may be refused
	lines    int                   // of the case
	replied  []int                 // seats that have just replied
	out      []bool                // seats that are asked no more
	ends     bool                  // the match is over when a seat has failed
	mayFoul  []int                 // seats that may still foul
	refused  *referee.RefusedError // the case can't be played
	lastVerb string
}

// verbs are what a judge may say.
var verbs = map[string]func(p *parser, rest string) error{
	"say":      (*parser).say,
	"choice":   ofSeat((*parser).choice),
	"ask":      (*parser).ask,
	"foul":     ofSeat((*parser).foul),
	"value":    ofSeat((*parser).value),
	"show":     func(p *parser, rest string) error { return p.show(0, rest) },
	"show-to":  ofSeat((*parser).show),
	"state":    func(p *parser, rest string) error { return p.state(0, rest) },
	"state-to": ofSeat((*parser).state),
	"svg":      func(p *parser, rest string) error { return p.svg(0, rest) },
	"svg-to":   ofSeat((*parser).svg),
	"note":     func(p *parser, rest string) error { p.notes = append(p.notes, rest); return nil },
	"place":    (*parser).place,
	"end":      (*parser).end,
	"refuse":   (*parser).refuse,
}

// verbNames lists them for messages.
const verbNames = "say, choice, ask, foul, value, show, show-to, state, state-to, svg, svg-to, note, place, end or refuse"

// line reads a line. The error says what was found and expected.
func (p *parser) line(text string) error {
	verb, rest, _ := strings.Cut(text, " ")
	read := verbs[verb]
	if read == nil {
		return fmt.Errorf("found %s, expected %s", protocols.Quote(verb), verbNames)
	}
	if p.lastVerb == "place" && verb != "end" {
		return fmt.Errorf("found %s after place, expected end", verb)
	}
	if err := read(p, rest); err != nil {
		return err
	}
	p.lastVerb = verb
	return nil
}

// seat reads the number of a seat, and what follows it.
func (p *parser) seat(text string) (seat int, rest string, err error) {
	word, rest, _ := strings.Cut(text, " ")
	n, ok := protocols.Number(word)
	if !ok || n < 1 || n > p.seats {
		return 0, "", fmt.Errorf("found seat %s, expected 1 to %d", protocols.Quote(word), p.seats)
	}
	return n, rest, nil
}

// ofSeat reads the number of a seat before what read reads.
func ofSeat(read func(p *parser, seat int, rest string) error) func(p *parser, text string) error {
	return func(p *parser, text string) error {
		seat, rest, err := p.seat(text)
		if err != nil {
			return err
		}
		return read(p, seat, rest)
	}
}

func (p *parser) say(text string) error {
	if to, rest, _ := strings.Cut(text, " "); to == "all" {
		for seat := range p.seats {
			p.send = append(p.send, protocols.Line{Seat: seat + 1, Text: rest})
		}
		return nil
	}
	seat, rest, err := p.seat(text)
	if err == nil {
		p.send = append(p.send, protocols.Line{Seat: seat, Text: rest})
	}
	return err
}

func (p *parser) choice(seat int, text string) error {
	reply, label, _ := strings.Cut(text, "\t")
	tidy := protocols.Tidy(reply)
	if p.tidied[seat-1] == nil {
		p.tidied[seat-1] = make(map[string]string)
	}
	if other, twice := p.tidied[seat-1][tidy]; twice {
		return fmt.Errorf("found choice %s of seat %d a second time, as %s", protocols.Quote(reply), seat, protocols.Quote(other))
	}
	p.tidied[seat-1][tidy] = reply
	p.choices[seat-1] = append(p.choices[seat-1], protocols.Choice{Reply: reply, Label: cmp.Or(label, reply)})
	return nil
}

func (p *parser) ask(text string) error {
	for word := range strings.FieldsSeq(text) {
		seat, _, err := p.seat(word)
		switch {
		case err != nil:
			return err
		case len(p.await) > 0 && seat <= p.await[len(p.await)-1]:
			return fmt.Errorf("found seat %d after %d, expected each once, in ascending order", seat, p.await[len(p.await)-1])
		case p.out[seat-1] || p.fouls[seat-1] != "":
			return fmt.Errorf("found seat %d, which is out of the match, expected another", seat)
		}
		p.await = append(p.await, seat)
	}
	if len(p.await) == 0 {
		return fmt.Errorf("found no seat, expected one or more of 1 to %d", p.seats)
	}
	for i, list := range p.choices {
		if len(list) > 0 && !slices.Contains(p.await, i+1) {
			return fmt.Errorf("found no seat %d, which has choices", i+1)
		}
	}
	p.complete = true
	return nil
}

func (p *parser) foul(seat int, why string) error {
	switch {
	case !slices.Contains(p.replied, seat):
		return fmt.Errorf("found seat %d, which has not just replied", seat)
	case p.fouls[seat-1] != "":
		return fmt.Errorf("found a second foul of seat %d", seat)
	case strings.TrimSpace(why) == "":
		return fmt.Errorf("found no reason, expected `foul %d WHY`", seat)
	}
	p.fouls[seat-1] = why
	p.mayFoul = slices.DeleteFunc(p.mayFoul, func(s int) bool { return s == seat })
	p.complete = p.ends && len(p.mayFoul) == 0
	return nil
}

func (p *parser) value(seat int, text string) error {
	number, rest, _ := strings.Cut(text, " ")
	how, reply, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || math.IsNaN(n) || math.IsInf(n, 0):
		return fmt.Errorf("found %s, expected a number", protocols.Quote(number))
	case how != "exact" && how != "estimate":
		return fmt.Errorf("found %s, expected exact or estimate", protocols.Quote(how))
	case strings.TrimSpace(reply) == "":
		return fmt.Errorf("found no reply, expected `value %d %s %s REPLY`", seat, number, how)
	case len(p.values[seat-1]) > 0 && p.estimate[seat-1] != (how == "estimate"):
		return fmt.Errorf("found %s, expected all values of seat %d to be of one kind", how, seat)
	}
	p.estimate[seat-1] = how == "estimate"
	p.values[seat-1] = append(p.values[seat-1], protocols.Value{Reply: protocols.Tidy(reply), Value: n})
	return nil
}

func (p *parser) show(seat int, text string) error {
	p.shown[seat].board = append(p.shown[seat].board, text)
	return nil
}

func (p *parser) state(seat int, text string) error {
	if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return fmt.Errorf("found %s, expected a JSON object", protocols.Quote(text))
	}
	p.shown[seat].state = text
	return nil
}

func (p *parser) svg(seat int, text string) error {
	p.shown[seat].svg = append(p.shown[seat].svg, text)
	return nil
}

func (p *parser) place(text string) error {
	for _, word := range strings.Fields(text) {
		n, _ := protocols.Number(word)
		p.places = append(p.places, n)
	}
	if len(p.places) != p.seats {
		return fmt.Errorf("found %d places, expected %d", len(p.places), p.seats)
	}
	for i, want := range protocols.Places(p.seats, func(a, b int) bool { return p.places[a] < p.places[b] }) {
		if n := p.places[i]; n != want {
			return fmt.Errorf("found place %d of seat %d, expected %d, as %d seats are better", n, i+1, want, want-1)
		}
	}
	return nil
}

func (p *parser) end(text string) error {
	words := strings.Fields(text)
	if len(words) != p.seats {
		return fmt.Errorf("scores: found %d, expected %d, one a seat", len(words), p.seats)
	}
	for i, word := range words {
		n, err := protocols.ParseScore(word)
		if err != nil {
			return fmt.Errorf("score of seat %d: %w", i+1, err)
		}
		p.scores = append(p.scores, n)
	}
	p.over, p.said, p.complete = true, true, true
	return nil
}

func (p *parser) refuse(text string) error {
	word, why, _ := strings.Cut(text, " ")
	line, ok := protocols.Number(word)
	switch {
	case !p.first || p.lastVerb != "":
		return fmt.Errorf("found refuse, expected it as the first line only")
	case !ok || strings.TrimSpace(why) == "":
		return fmt.Errorf("found %s, expected `refuse LINE WHY`", protocols.Quote(text))
	}
	if line > p.lines+1 { // the end may be a line too early
		line = 0
	}
	p.refused, p.complete = &referee.RefusedError{Line: line, Why: why}, true
	return nil
}

// printable makes what contestants may have written fit for a terminal: text without
// control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}
