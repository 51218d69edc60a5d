package cli

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"umpire/referee/fleet"
	"umpire/referee/record"
	"umpire/referee/report"
)

// progress shows the progress of long work: a line that is redrawn in place on
// a terminal, a plain line now and then elsewhere. Nothing is shown for short
// work.
type progress struct {
	a       *app
	what    string
	leader  func() string // nil if there is no leader to show
	started time.Time
	silent  bool

	one    sync.Mutex // guards what follows
	total  int
	before int // part of count that was done in an earlier run
	count  int
	leads  string // the leader when the last match was counted
	shown  time.Time
	fleet  *fleet.Coordinator // nil if only this machine plays

	stop   chan struct{}
	redraw sync.WaitGroup
}

func (s *session) progress(what string, total int) *progress {
	s.bar = s.app.progress(what, total, s.c.Bool("quiet") || s.c.Bool("verbose"))
	s.followFleet()
	return s.bar
}

// progress begins to show progress, which must be ended; a total of 0 is one
// that nobody knows.
func (a *app) progress(what string, total int, silent bool) *progress {
	now := time.Now()
	p := &progress{a: a, what: what, total: total, started: now, shown: now, silent: silent}
	if !p.silent && p.a.screen != nil {
		p.stop = make(chan struct{})
		p.redraw.Go(p.refresh)
	}
	return p
}

// follow shows who plays, as long as the matches are given to workers.
func (p *progress) follow(c *fleet.Coordinator) {
	p.one.Lock()
	defer p.one.Unlock()
	p.fleet = c
	c.Progress(p.counts)
}

// counts returns how many matches are done, and of how many.
func (p *progress) counts() (done, total int) {
	p.one.Lock()
	defer p.one.Unlock()
	return p.count, p.total
}

// refresh redraws the line when the terminal's size changes, and every second,
// as a match may take long.
func (p *progress) refresh() {
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	defer signal.Stop(resized)
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-resized:
			if !p.drawn() {
				continue
			}
		case <-second.C:
		}
		p.one.Lock()
		p.draw(time.Now())
		p.one.Unlock()
	}
}

// more adds total matches, of which before are already done.
func (p *progress) more(total, before int) {
	p.one.Lock()
	defer p.one.Unlock()
	p.total += total
	p.before += before
	p.count += before
}

// done counts a match.
func (p *progress) done(int, record.Record) { p.tick() }

func (p *progress) tick() {
	p.one.Lock()
	defer p.one.Unlock()
	p.count++
	now := time.Now()
	every := 10 * time.Second
	if p.a.screen != nil {
		every = 100 * time.Millisecond
	}
	if p.silent || now.Sub(p.shown) < every {
		return
	}
	if p.leader != nil {
		p.leads = p.leader()
	}
	p.draw(now)
}

// drawn reports whether the line has been shown.
func (p *progress) drawn() bool {
	p.one.Lock()
	defer p.one.Unlock()
	return p.shown != p.started
}

func (p *progress) draw(now time.Time) {
	p.shown = now
	if p.a.screen == nil {
		p.a.note("%s %s\n", p.what, p.line(now))
		return
	}
	text := p.line(now)
	p.a.screen.show(p.what + " " + p.bar(p.a.screen.columns()-len(p.what)-report.Width(text)-3) + report.SafeLine(text).String())
}

func (p *progress) line(now time.Time) string {
	line := fmt.Sprint(p.count)
	if p.total > 0 { // otherwise nobody knows
		line += fmt.Sprintf("/%d", p.total)
	}
	rate := float64(p.count-p.before) / now.Sub(p.started).Seconds()
	if p.fleet != nil {
		now := p.fleet.Now()
		line, rate = line+", "+now.Crew(), now.Rate
	}
	if rate > 0 {
		line += fmt.Sprintf(", %.1f matches/s", rate)
	}
	if rate > 0 && p.total > 0 {
		line += fmt.Sprintf(", %v left", time.Duration(float64(p.total-p.count)/rate*float64(time.Second)).Round(time.Second))
	}
	if p.leads != "" {
		line += ", " + p.leads + " leads"
	}
	return line
}

// bar draws the part that is done and a space, in at most room columns; it is
// left out where there is too little room.
func (p *progress) bar(room int) string {
	const widest, narrowest = 24, 6
	width := min(room-1, widest)
	if width < narrowest || p.total == 0 {
		return ""
	}
	filled := width * p.count / max(1, p.total)
	return strings.Repeat("█", filled) + strings.Repeat("░", width-filled) + " "
}

// end removes the line.
func (p *progress) end() {
	if p.stop == nil {
		return
	}
	close(p.stop)
	p.redraw.Wait()
	p.a.screen.show("")
}
