package cli

import (
	"fmt"
	"strings"
	"time"

	"umpire/referee/record"
)

// progress shows the progress of long work: a bar on a terminal, a plain line
// now and then elsewhere. Nothing is shown for short work.
type progress struct {
	a       *app
	what    string
	total   int
	before  int // part of count that was done in an earlier run
	count   int
	leader  func() string // nil if there is no leader to show
	started time.Time
	shown   time.Time
	silent  bool
	drawn   bool
}

func (s *session) progress(what string, total int) *progress {
	return s.app.progress(what, total, s.c.Bool("quiet") || s.c.Bool("verbose"))
}

func (a *app) progress(what string, total int, silent bool) *progress {
	now := time.Now()
	return &progress{a: a, what: what, total: total, started: now, shown: now, silent: silent}
}

// more adds total matches, of which before are already done.
func (p *progress) more(total, before int) {
	p.total += total
	p.before += before
	p.count += before
}

// done counts a match.
func (p *progress) done(record.Record) { p.tick() }

func (p *progress) tick() {
	p.count++
	now := time.Now()
	every := 10 * time.Second
	if p.a.live {
		every = 100 * time.Millisecond
	}
	if p.silent || now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	if p.a.live {
		p.drawn = true
		p.a.note("\r\x1b[K%s %s %s", p.what, p.bar(), p.line(now))
	} else {
		p.a.note("%s %s\n", p.what, p.line(now))
	}
}

func (p *progress) line(now time.Time) string {
	rate := float64(p.count-p.before) / now.Sub(p.started).Seconds()
	if p.total == 0 { // nobody knows
		return fmt.Sprintf("%d, %.1f matches/s", p.count, rate)
	}
	left := time.Duration(float64(p.total-p.count) / rate * float64(time.Second)).Round(time.Second)
	line := fmt.Sprintf("%d/%d, %.1f matches/s, %v left", p.count, p.total, rate, left)
	if p.leader != nil {
		if leader := p.leader(); leader != "" {
			line += ", " + leader + " leads"
		}
	}
	return line
}

func (p *progress) bar() string {
	const width = 24
	if p.total == 0 {
		return ""
	}
	filled := width * p.count / max(1, p.total)
	return strings.Repeat("█", filled) + strings.Repeat("░", width-filled)
}

// end clears the bar.
func (p *progress) end() {
	if p.drawn {
		p.a.note("\r\x1b[K")
	}
}
