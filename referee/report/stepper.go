package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"umpire/referee/record"
)

// Stepper is a recorded match that a person steps through, forwards and
// backwards.
type Stepper struct {
	printer *Printer
	title   Text
	steps   []Step
	result  string // how the match ended, below the last step
	at      int
	top     int // first line in view, where a step has more lines than fit
	hidden  int // how many lines of it did not fit when it was last drawn
}

// Stepper returns the match of a record at its first step. The error says what
// is wrong with the record.
func (v Replay) Stepper(r record.Record) (*Stepper, error) {
	s := &Stepper{printer: v.Printer}
	var err error
	if s.title, err = v.title(r); err != nil {
		return nil, err
	}
	err = v.play(&r, func(one Step) error {
		s.steps = append(s.steps, one)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var result bytes.Buffer
	MatchResult(&Printer{out: &result, Colour: v.Colour}, r, v.Games, Background{})
	s.result = result.String()
	s.Go(v.From)
	return s, nil
}

// At returns the number of the step in view.
func (s *Stepper) At() int { return s.at }

// Last returns the number of the last step.
func (s *Stepper) Last() int { return len(s.steps) - 1 }

// Go goes to a step, or to the one nearest to it that there is.
func (s *Stepper) Go(step int) { s.at, s.top = max(0, min(step, s.Last())), 0 }

// Mistakes reports whether a reply was a mistake or a blunder, as far as replies were
// valued.
func (s *Stepper) Mistakes() bool { return s.mistake(0) > 0 }

// GoMistake goes to the next mistake or blunder, after the last to the first; without any
// it stays.
func (s *Stepper) GoMistake() {
	if next := s.mistake(s.at + 1); next > 0 {
		s.Go(next)
	} else if s.Mistakes() {
		s.Go(s.mistake(0))
	}
}

// mistake is the first step, from one on, of a mistake or blunder; -1 without one.
func (s *Stepper) mistake(from int) int {
	i := slices.IndexFunc(s.steps[from:], func(s Step) bool { return s.Mistake })
	if i < 0 {
		return -1
	}
	return from + i
}

// Scroll moves the view by some lines. It reports whether the step has more
// lines than fit, without which there is nothing to scroll.
func (s *Stepper) Scroll(lines int) bool {
	s.top = max(0, min(s.top+lines, s.hidden))
	return s.hidden > 0
}

// Frame returns the step in view as lines for a terminal of a width and height
// in cells: at most height of them, none wider than width. The status stands
// beside the step's number, and help is the last line.
func (s *Stepper) Frame(width, height int, status, help string) []Text {
	number := s.printer.Style(Bold, fmt.Sprintf("step %d of %d", s.at, s.Last()))
	frame := []Text{firstFold(s.title, width), firstFold(Textf("%s  %s", number, status), width)}
	body, gap := s.body(width), []Text{{}}
	room := height - len(frame) - 1 // the help follows
	if len(body)+2 > room {
		gap = nil
	}
	room = max(1, room-2*len(gap))
	s.hidden = max(0, len(body)-room)
	s.top = min(s.top, s.hidden)
	if s.hidden > 0 {
		help = fmt.Sprintf("↑ ↓ scroll (%d more)  %s", s.hidden-s.top, help)
	}
	shown := body[s.top:min(len(body), s.top+room)]
	frame = slices.Concat(frame, gap, shown, gap, []Text{firstFold(s.printer.Style(Dim, help), width)})
	return frame[max(0, len(frame)-height):]
}

// body returns what is shown of the step in view.
func (s *Stepper) body(width int) (lines []Text) {
	step := s.steps[s.at]
	move := step.Move
	if step.Number == 0 {
		move = s.printer.Style(Bold, "the start")
	}
	texts := []string{move.fit}
	if step.Remark != "" {
		texts = append(texts, s.printer.Style(Dim, step.Remark).fit)
	}
	texts = append(texts, "", step.Position.fit)
	if s.at == s.Last() {
		texts = append(texts, "", strings.TrimRight(s.result, "\n"))
	}
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, fold(line, width)...)
		}
	}
	return lines
}
