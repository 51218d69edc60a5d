package protocoltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// goesOn ends a line of the suite, or a dialogue, whose match goes on.
const goesOn = "…"

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
	reads  = "→ "
	writes = "← "
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
	for _, dialogue := range dialogues(g.Rules) {
		known, err := checkBatchDialogue(g, dialogue)
		if err != nil {
			return fmt.Errorf("the dialogue\n%s\nin the rules: %w", strings.Join(dialogue, "\n"), err)
		}
		if known || slices.ContainsFunc(views, func(view []string) bool { return agreement(dialogue, view) < 0 }) {
			continue
		}
		return fmt.Errorf("the dialogue\n%s\nin the rules is no seat's view of any of the %d Suite.Lines%s",
			strings.Join(dialogue, "\n"), len(s.Lines), nearest(dialogue, views))
	}
	return nil
}

// checkBatchDialogue checks a dialogue whose lines read are the whole input of a
// batch task; known is false if they are not.
func checkBatchDialogue(g protocols.Game, dialogue []string) (known bool, err error) {
	var read, written strings.Builder
	for _, line := range dialogue {
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

// dialogues returns the dialogues in a game's rules: indented lines that begin
// with → or < for what a seat reads, or with ← or > for what it writes. Wide
// gaps end a line, before a remark or another dialogue.
func dialogues(rules string) (out [][]string) {
	columns := [][]string{}
	for text := range strings.SplitSeq(rules+"\n", "\n") {
		cells := dialogueCells(text)
		if len(cells) == 0 {
			for _, d := range columns {
				if slices.ContainsFunc(d, func(line string) bool { return strings.HasPrefix(line, writes) }) {
					out = append(out, d)
				}
			}
			columns = nil
		}
		for i, cell := range cells {
			if i == len(columns) {
				columns = append(columns, nil)
			}
			columns[i] = append(columns[i], cell)
		}
	}
	return out
}

var marks = map[string]string{"→": reads, "<": reads, "←": writes, ">": writes}

// dialogueCells returns what an indented line of the rules has of each of the
// dialogues that stand side by side there.
func dialogueCells(text string) (cells []string) {
	if !strings.HasPrefix(text, "    ") {
		return nil
	}
	for cell := range strings.SplitSeq(strings.TrimSpace(text), "  ") {
		first, rest, _ := strings.Cut(strings.TrimSpace(cell), " ")
		if mark, ok := marks[first]; ok {
			cells = append(cells, mark+rest)
		} else if first == goesOn {
			cells = append(cells, goesOn)
		} else if first != "" {
			break // a remark
		}
	}
	return cells
}

// agreement compares a dialogue with a seat's view: -1 if they agree, else the
// index of the first line of the dialogue that does not.
func agreement(dialogue, view []string) int {
	at := 0
	for i, line := range dialogue {
		switch {
		case line == goesOn && (i == len(dialogue)-1 || view[len(view)-1] == goesOn):
			return -1
		case line == goesOn:
			rest := agreement(dialogue[i+1:], view[max(at, len(view)-(len(dialogue)-i-1)):])
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
		return len(dialogue)
	}
	return -1
}

// nearest says in which line the view that agrees longest with a dialogue
// differs from it.
func nearest(dialogue []string, views [][]string) string {
	most, found := -1, ""
	for _, view := range views {
		if n := agreement(dialogue, view); n > most {
			most, found = n, "the end"
			if n < len(view) {
				found = fmt.Sprintf("%q", view[n])
			}
		}
	}
	switch {
	case most < 0:
		return ""
	case most == len(dialogue):
		return fmt.Sprintf(": after its end, the nearest one has %s", found)
	}
	return fmt.Sprintf(": for %q, the nearest one has %s", dialogue[most], found)
}
