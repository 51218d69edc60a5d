package cli

import (
	"fmt"
	"strings"
	"time"

	"umpire/referee/record"
)

// progress shows how far long work is: a bar on a terminal, a plain line now
// and then elsewhere. Short work shows nothing.
type progress struct {
	a       *app
	what    string
	total   int
	count   int
	started time.Time
	shown   time.Time
	silent  bool
	drawn   bool
}

func (s *session) progress(what string, total int) *progress {
	now := time.Now()
	return &progress{
		a: s.app, what: what, total: total, started: now, shown: now,
		silent: s.c.Bool("quiet") || s.c.Bool("verbose"),
	}
}

// done counts a match.
func (p *progress) done(record.Record) {
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
		p.a.note("\r\x1b[K%s", p.line(now))
	} else {
		p.a.note("%s\n", p.line(now))
	}
}

func (p *progress) line(now time.Time) string {
	spent := now.Sub(p.started)
	rate := float64(p.count) / spent.Seconds()
	left := time.Duration(float64(p.total-p.count) / rate * float64(time.Second)).Round(time.Second)
	const width = 24
	filled := width * p.count / max(1, p.total)
	bar := strings.Repeat("█", filled) + strings.Repeat("░", width-filled)
	return fmt.Sprintf("%s %s %d/%d, %.1f matches/s, %v left", p.what, bar, p.count, p.total, rate, left)
}

// end clears the bar.
func (p *progress) end() {
	if p.drawn {
		p.a.note("\r\x1b[K")
	}
}
