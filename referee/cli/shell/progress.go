package shell

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"umpire/referee/report"
)

// Progress shows the progress of long work: a line that is redrawn in place on
// a terminal, a plain line now and then elsewhere. Nothing is shown for short
// work.
type Progress struct {
	// State returns what is told beside the numbers, such as who leads; "" if nothing,
	// and nil if there never is anything.
	State func() string

	status  *Status // nil: no terminal that can redraw itself
	out     *report.Printer
	what    string
	silent  bool
	started time.Time

	one    sync.Mutex // guards what follows
	total  int
	before int // part of count that was done in an earlier run
	count  int
	state  string // when the last match was counted
	shown  time.Time
	crew   func() (text string, rate float64) // nil if only this machine plays

	stop   chan struct{}
	redraw sync.WaitGroup
}

// StartProgress begins to show the progress of what is done, on a terminal's
// status line or, where that is nil, by a printer. It must be ended; a total of 0
// is one that nobody knows.
func StartProgress(status *Status, out *report.Printer, what string, total int, silent bool) *Progress {
	now := time.Now()
	p := &Progress{status: status, out: out, what: what, total: total, started: now, shown: now, silent: silent}
	if !p.silent && p.status != nil {
		p.stop = make(chan struct{})
		p.redraw.Go(p.refresh)
	}
	return p
}

// Follow shows who plays, and how many matches a second, where that is not this
// machine alone.
func (p *Progress) Follow(crew func() (text string, rate float64)) {
	p.one.Lock()
	defer p.one.Unlock()
	p.crew = crew
}

// Counts returns how many matches are done, and of how many.
func (p *Progress) Counts() (done, total int) {
	p.one.Lock()
	defer p.one.Unlock()
	return p.count, p.total
}

// refresh redraws the line when the terminal's size changes, and every second,
// as a match may take long.
func (p *Progress) refresh() {
	resized := make(chan os.Signal, 1)
	notifyResize(resized)
	defer signal.Stop(resized)
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		again := false
		select {
		case <-p.stop:
			return
		case <-resized:
			again = true
		case <-second.C:
		}
		p.one.Lock()
		if !again || p.shown != p.started {
			p.draw(time.Now())
		}
		p.one.Unlock()
	}
}

// Add adds total matches, of which before are already done.
func (p *Progress) Add(total, before int) {
	p.one.Lock()
	defer p.one.Unlock()
	p.total += total
	p.before += before
	p.count += before
}

// Count counts a match.
func (p *Progress) Count() {
	p.one.Lock()
	defer p.one.Unlock()
	p.count++
	now := time.Now()
	every := 10 * time.Second
	if p.status != nil {
		every = 100 * time.Millisecond
	}
	if p.silent || now.Sub(p.shown) < every {
		return
	}
	if p.State != nil {
		p.state = p.State()
	}
	p.draw(now)
}

func (p *Progress) draw(now time.Time) {
	p.shown = now
	if p.status == nil {
		p.out.Say("%s %s\n", p.what, p.line(now))
		return
	}
	text := p.line(now)
	p.status.Show(p.what + " " + p.bar(p.status.columns()-len(p.what)-report.Width(text)-3) + report.SafeLine(text).String())
}

func (p *Progress) line(now time.Time) string {
	line := fmt.Sprint(p.count)
	if p.total > 0 { // otherwise nobody knows
		line += fmt.Sprintf("/%d", p.total)
	}
	rate := float64(p.count-p.before) / now.Sub(p.started).Seconds()
	if p.crew != nil {
		text, theirs := p.crew()
		line, rate = line+", "+text, theirs
	}
	if rate > 0 {
		line += fmt.Sprintf(", %.1f matches/s", rate)
	}
	if rate > 0 && p.total > 0 {
		line += fmt.Sprintf(", %v left", time.Duration(float64(p.total-p.count)/rate*float64(time.Second)).Round(time.Second))
	}
	if p.state != "" {
		line += ", " + p.state
	}
	return line
}

// bar draws the part that is done and a space, in at most room columns; it is
// left out where there is too little room.
func (p *Progress) bar(room int) string {
	const widest, narrowest = 24, 6
	width := min(room-1, widest)
	if width < narrowest || p.total == 0 {
		return ""
	}
	filled := width * p.count / max(1, p.total)
	return strings.Repeat("█", filled) + strings.Repeat("░", width-filled) + " "
}

// End removes the line.
func (p *Progress) End() {
	if p == nil || p.stop == nil {
		return
	}
	close(p.stop)
	p.redraw.Wait()
	p.status.Show("")
}
