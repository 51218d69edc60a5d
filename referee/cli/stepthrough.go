package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"umpire/referee/report"
	"umpire/referee/terminal"
)

// errNoMore means that there is no record after the last one.
var errNoMore = errors.New("no more records")

// walk is a person's walk through records on a terminal.
type walk struct {
	*terminal.Screen
	view    report.Replay
	next    func() (found, error, bool)
	records []found // the records so far, to go back to
	all     bool    // there are no more
	at      int     // the record in view
	match   *report.Stepper
	delay   time.Duration
	playing bool   // it goes on by itself
	number  string // the digits typed so far
	notes   []string
}

// stepThrough lets a person step through the records. On a terminal without
// keys, all is printed.
func (a *app) stepThrough(ctx context.Context, p pick, v report.Replay, delay time.Duration) error {
	w := &walk{view: v, delay: delay, playing: delay > 0}
	quiet := *a // the screen is in use: what is to be noted waits
	quiet.err = report.NewPrinter(writerFunc(func(b []byte) (int, error) {
		w.notes = append(w.notes, string(b))
		return len(b), nil
	}))
	records := quiet.records(p)
	if p.id != "" {
		r, err := a.oneRecord(p)
		if err != nil {
			return err
		}
		records = func(yield func(found, error) bool) { yield(found{Record: r}, nil) }
	}
	next, stop := iter.Pull2(records)
	defer stop()
	w.next = next
	defer func() {
		for _, note := range w.notes {
			a.note("%s", note)
		}
	}()
	switch err := w.open(0); {
	case errors.Is(err, errNoMore):
		return nil
	case err != nil:
		return err
	}
	w.all = p.id != ""
	screen, err := terminal.Open(ctx)
	if err != nil {
		return fmt.Errorf("read keys: %w", err)
	}
	w.Screen = screen
	defer w.Close()
	return w.run(ctx)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// open opens the n-th record, which is at most one after those seen so far.
func (w *walk) open(n int) error {
	if n == len(w.records) {
		if w.all {
			return errNoMore
		}
		r, err, ok := w.next()
		switch {
		case !ok:
			w.all = true
			return errNoMore
		case err != nil:
			return err
		}
		w.records = append(w.records, r)
	}
	r := w.records[n]
	match, err := w.view.Stepper(r.Record)
	if err != nil {
		return r.invalid(err)
	}
	w.at, w.match = n, match
	return nil
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
		key, err := w.Wait(ctx, wait)
		if err != nil {
			return err
		}
		if key == 'q' || key == 'Q' || key == terminal.CtrlD {
			return nil
		}
		if err := w.press(key); err != nil {
			return err
		}
	}
}

func (w *walk) draw() error {
	width, height := w.Size()
	var status []string
	several := len(w.records) > 1 || !w.all // or perhaps several
	if several {
		status = append(status, fmt.Sprintf("match %d", w.at+1))
	}
	if w.playing {
		status = append(status, "playing")
	}
	if w.number != "" {
		status = append(status, "to step "+w.number+"_")
	}
	help := "← → step  Home End  PgUp PgDn ten  q quit"
	if several {
		help = "← → step  Home End  PgUp PgDn ten  n p match  q quit"
	}
	frame := w.match.Frame(width, height-1, strings.Join(status, ", "), help)
	lines := make([]string, len(frame))
	for i, line := range frame {
		lines[i] = line.String()
	}
	return w.Draw(lines)
}

// page is how many steps, or lines, Page Up and Page Down go.
const page = 10

// press does what a key is for.
func (w *walk) press(key terminal.Key) error {
	at, last := w.match.At(), w.match.Last()
	if key >= '0' && key <= '9' && len(w.number) < 9 {
		w.number += string(rune(key))
		return nil
	}
	typed := w.number
	if key != terminal.Resized && key != terminal.Elapsed {
		w.number = ""
	}
	switch key {
	case terminal.Right, terminal.Space, terminal.Enter:
		w.forward(key, typed)
	case terminal.Left, terminal.Backspace:
		if typed != "" {
			w.number = typed[:len(typed)-1]
			return nil
		}
		w.match.Go(at - 1)
	case terminal.Up:
		if !w.match.Scroll(-1) {
			w.match.Go(at - 1)
		}
	case terminal.Down:
		if !w.match.Scroll(1) {
			w.match.Go(at + 1)
		}
	case terminal.Home:
		w.match.Go(0)
	case terminal.End:
		w.match.Go(last)
	case terminal.PageUp:
		if !w.match.Scroll(-page) {
			w.match.Go(at - page)
		}
	case terminal.PageDown:
		if !w.match.Scroll(page) {
			w.match.Go(at + page)
		}
	case terminal.Elapsed:
		return w.playOn()
	case 'n', 'N':
		return w.other(w.at + 1)
	case 'p', 'P':
		return w.other(max(0, w.at-1))
	}
	return nil
}

// forward goes to the step whose number was typed, pauses or continues what
// goes on by itself, or goes one step on.
func (w *walk) forward(key terminal.Key, typed string) {
	switch {
	case typed != "" && key == terminal.Enter:
		n := 0
		_, _ = fmt.Sscan(typed, &n)
		w.match.Go(n)
	case key == terminal.Space && w.delay > 0:
		w.playing = !w.playing
	default:
		w.match.Go(w.match.At() + 1)
	}
}

// other goes to another match, if there is one.
func (w *walk) other(n int) error {
	err := w.open(n)
	if errors.Is(err, errNoMore) {
		return nil
	}
	return err
}

// playOn goes on by itself: to the next step or match, and stops at the last.
func (w *walk) playOn() error {
	if at := w.match.At(); at < w.match.Last() {
		w.match.Go(at + 1)
		return nil
	}
	err := w.open(w.at + 1)
	if errors.Is(err, errNoMore) {
		w.playing = false
		return nil
	}
	return err
}
