package shell

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"umpire/referee/report"
)

// OpenMatch opens a match at its start.
type OpenMatch func() (*report.Stepper, error)

// walk is a person's walk through matches on a terminal.
type walk struct {
	*screen
	next    func() (OpenMatch, error, bool)
	matches []OpenMatch // the matches so far, to go back to
	all     bool        // there are no more
	at      int         // the match in view
	match   *report.Stepper
	delay   time.Duration
	playing bool   // it goes on by itself
	number  string // the digits typed so far
}

// StepThrough lets a person step through matches with the keys; single says that
// there is only one. A delay above 0 goes on by itself. Without a match it does
// nothing.
func StepThrough(ctx context.Context, matches iter.Seq2[OpenMatch, error], single bool, delay time.Duration) error {
	next, stop := iter.Pull2(matches)
	defer stop()
	w := &walk{next: next, delay: delay, playing: delay > 0}
	if more, err := w.open(0); !more {
		return err
	}
	w.all = single
	screen, err := openScreen(ctx)
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	w.screen = screen
	defer w.close()
	return w.run(ctx)
}

// open opens the n-th match, which is at most one after those seen so far; ok is false
// if there is none.
func (w *walk) open(n int) (ok bool, err error) {
	if n == len(w.matches) {
		if w.all {
			return false, nil
		}
		match, err, more := w.next()
		if w.all = !more; err != nil || w.all {
			return false, err
		}
		w.matches = append(w.matches, match)
	}
	match, err := w.matches[n]()
	if err != nil {
		return false, err
	}
	w.at, w.match = n, match
	return true, nil
}

// run shows steps until the person has seen enough.
func (w *walk) run(ctx context.Context) error {
	for {
		if err := w.draw(); err != nil {
			return err
		}
		wait := time.Duration(0)
		if w.playing {
			wait = w.delay
		}
		pressed, err := w.waitForKey(ctx, wait)
		if err != nil {
			return err
		}
		if pressed == 'q' || pressed == 'Q' || pressed == ctrlD {
			return nil
		}
		if err := w.press(pressed); err != nil {
			return err
		}
	}
}

func (w *walk) draw() error {
	width, height := w.size()
	var status []string
	several := len(w.matches) > 1 || !w.all // or perhaps several
	if several {
		status = append(status, fmt.Sprintf("match %d", w.at+1))
	}
	if w.playing {
		status = append(status, "playing")
	}
	if w.number != "" {
		status = append(status, "to step "+w.number+"_")
	}
	help := "← → step  Home End  PgUp PgDn ten"
	if w.match.Mistakes() {
		help += "  m mistake"
	}
	if several {
		help += "  n p match"
	}
	help += "  q quit"
	frame := w.match.Frame(width, height-1, strings.Join(status, ", "), help)
	lines := make([]string, len(frame))
	for i, line := range frame {
		lines[i] = line.String()
	}
	return w.redraw(lines)
}

// tenSteps is how many steps, or lines, Page Up and Page Down go.
const tenSteps = 10

// press does what a key is for.
func (w *walk) press(pressed key) error {
	if pressed >= '0' && pressed <= '9' && len(w.number) < 9 {
		w.number += string(rune(pressed))
		return nil
	}
	typed := w.number
	if pressed != resized && pressed != elapsed {
		w.number = ""
	}
	switch pressed {
	case right, space, enter:
		w.forward(pressed, typed)
	case left, backspace:
		if typed != "" {
			w.number = typed[:len(typed)-1]
			return nil
		}
		w.match.Go(w.match.At() - 1)
	case up:
		w.scroll(-1)
	case down:
		w.scroll(1)
	case home:
		w.match.Go(0)
	case end:
		w.match.Go(w.match.Last())
	case pageUp:
		w.scroll(-tenSteps)
	case pageDown:
		w.scroll(tenSteps)
	case elapsed:
		return w.playOn()
	case 'm', 'M':
		w.match.GoMistake()
	case 'n', 'N':
		_, err := w.open(w.at + 1)
		return err
	case 'p', 'P':
		_, err := w.open(max(0, w.at-1))
		return err
	}
	return nil
}

// scroll moves the view of a long position by n lines, and elsewhere goes n steps.
func (w *walk) scroll(n int) {
	if !w.match.Scroll(n) {
		w.match.Go(w.match.At() + n)
	}
}

// forward goes to the step whose number was typed, pauses or continues what
// goes on by itself, or goes one step on.
func (w *walk) forward(pressed key, typed string) {
	switch {
	case typed != "" && pressed == enter:
		n := 0
		_, _ = fmt.Sscan(typed, &n)
		w.match.Go(n)
	case pressed == space && w.delay > 0:
		w.playing = !w.playing
	default:
		w.match.Go(w.match.At() + 1)
	}
}

// playOn goes on by itself: to the next step or match, and stops at the last.
func (w *walk) playOn() (err error) {
	if at := w.match.At(); at < w.match.Last() {
		w.match.Go(at + 1)
		return nil
	}
	w.playing, err = w.open(w.at + 1)
	return err
}
