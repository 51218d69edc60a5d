package protocoltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/dialogue"
)

// goesOn ends a line of the suite, or a dialogue, whose match goes on.
const goesOn = dialogue.GoesOn

// line is one of a suite's lines with the match it leads to.
type line struct {
	sample
	views [][]string // what each seat reads and writes, from 1, as a dialogue
	open  bool       // the match may go on
}

// fitLine plays a line with the number of seats that it is for.
func fitLine(g protocols.Game, text []string) (l line, err error) {
	if len(text) == 0 {
		return l, errors.New("it is empty, expected the text of a case, then replies")
	}
	c, err := g.Parse(text[0])
	if err != nil {
		return l, fmt.Errorf("its case: %w", err)
	}
	replies := text[1:]
	open := len(replies) > 0 && replies[len(replies)-1] == goesOn
	if open {
		replies = replies[:len(replies)-1]
	}
	var refusals []error
	for seats := g.MinSeats; seats <= g.MaxSeats; seats++ {
		l = line{sample: sample{from: "a line", seats: seats, line: replies, Case: c}, open: open}
		if err = l.play(); err == nil {
			return l, nil
		}
		refusals = append(refusals, fmt.Errorf("with %d seats: %w", seats, err))
	}
	return l, errors.Join(refusals...)
}

// play plays the line and notes what each seat sees of it.
func (l *line) play() error {
	l.views = make([][]string, l.seats+1)
	m, given := l.Start(l.seats), 0
	for {
		step := m.Next()
		for _, sent := range step.Send {
			for text := range strings.SplitSeq(sent.Text, "\n") {
				l.views[sent.Seat] = append(l.views[sent.Seat], reads+text)
			}
		}
		switch over := len(step.Await) == 0; {
		case over && given < len(l.line):
			return fmt.Errorf("the match is over after %d of %d replies", given, len(l.line))
		case over:
			return nil
		}
		for _, seat := range step.Await {
			switch {
			case given < len(l.line):
			case l.open:
				for i, view := range l.views {
					l.views[i] = append(view, goesOn)
				}
				return nil
			default:
				return fmt.Errorf("seat %d is awaited after the last of %d replies", seat, given)
			}
			reply := l.line[given]
			if foul := m.Reply(seat, reply); foul != nil {
				return fmt.Errorf("reply %d, %q of seat %d, is a foul: %w", given+1, reply, seat, foul)
			}
			given++
			for text := range strings.Lines(reply) {
				l.views[seat] = append(l.views[seat], writes+strings.TrimSuffix(text, "\n"))
			}
		}
	}
}

// checkLines checks that the suite's lines are matches.
func checkLines(s Suite, g protocols.Game) error {
	for i, text := range s.Lines {
		if _, err := fitLine(g, text); err != nil {
			return fmt.Errorf("line %d of Suite.Lines: %w", i+1, err)
		}
	}
	return nil
}

// What a seat reads and writes in a dialogue.
const (
	reads  = dialogue.Reads
	writes = dialogue.Writes
)

// checkDialogues checks that each dialogue in the rules is that of a batch task
// with a right output, or a line of the suite as one of its seats sees it.
func checkDialogues(s Suite, g protocols.Game) error {
	var views [][]string
	for _, text := range s.Lines {
		if l, err := fitLine(g, text); err == nil {
			views = append(views, l.views[1:]...)
		}
	}
	for _, told := range dialogue.Of(g.Rules) {
		known, err := checkBatchDialogue(g, told)
		if err != nil {
			return fmt.Errorf("the dialogue\n%s\nin the rules: %w", strings.Join(told, "\n"), err)
		}
		if known || slices.ContainsFunc(views, func(view []string) bool { return agreement(told, view) < 0 }) {
			continue
		}
		return fmt.Errorf("the dialogue\n%s\nin the rules is no seat's view of any of the %d Suite.Lines%s",
			strings.Join(told, "\n"), len(s.Lines), nearest(told, views))
	}
	return nil
}

// checkBatchDialogue checks a dialogue whose lines read are the whole input of a
// batch task; known is false if they are not.
func checkBatchDialogue(g protocols.Game, told []string) (known bool, err error) {
	var read, written strings.Builder
	for _, line := range told {
		if text, ok := strings.CutPrefix(line, reads); ok {
			read.WriteString(text + "\n")
		} else if text, ok := strings.CutPrefix(line, writes); ok {
			written.WriteString(text + "\n")
		}
	}
	c, err := g.Parse(read.String())
	if err != nil {
		return false, nil
	}
	m := c.Start(g.MinSeats)
	if step := m.Next(); !step.Batch {
		return false, nil
	}
	if foul := m.Reply(1, written.String()); foul != nil {
		return true, foul
	}
	if wrong := m.Result()[0].Wrong; wrong != "" {
		return true, errors.New(wrong)
	}
	return true, nil
}

// agreement compares a dialogue with a seat's view: -1 if they agree, else the
// index of the first line of the dialogue that does not.
func agreement(told, view []string) int {
	at := 0
	for i, line := range told {
		switch {
		case line == goesOn && (i == len(told)-1 || view[len(view)-1] == goesOn):
			return -1
		case line == goesOn:
			rest := agreement(told[i+1:], view[max(at, len(view)-(len(told)-i-1)):])
			if rest >= 0 {
				rest += i + 1
			}
			return rest
		case at == len(view) || view[at] != line:
			return i
		}
		at++
	}
	if at < len(view) {
		return len(told)
	}
	return -1
}

// nearest says in which line the view that agrees longest with a dialogue
// differs from it.
func nearest(told []string, views [][]string) string {
	most, found := -1, ""
	for _, view := range views {
		if n := agreement(told, view); n > most {
			most, found = n, "the end"
			if n < len(view) {
				found = fmt.Sprintf("%q", view[n])
			}
		}
	}
	switch {
	case most < 0:
		return ""
	case most == len(told):
		return fmt.Sprintf(": after its end, the nearest one has %s", found)
	}
	return fmt.Sprintf(": for %q, the nearest one has %s", told[most], found)
}
