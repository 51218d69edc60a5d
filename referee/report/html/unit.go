package html

import (
	"bytes"
	"fmt"
	"html/template"
	"iter"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// unit is several matches that share a page. There, what their pictures and
// the pages of their replays have in common is stored once.
type unit struct {
	number int // from 1
	from   int // number of the first match in the unit, from 0: where replays are drawn later, all matches are of unit 1
	first  int // number of the first match, from 1
	total  int // matches of the site
	lines  []record.Line
	played []played
	ready  chan struct{}
	err    error
}

// viewerName is the file of a site's viewer.
const viewerName = "viewer.html"

// withPhases is how many matches of a site, the first, have pictures of what happens within
// a step.
const withPhases = 100

// The most that a unit holds.
const (
	unitMatches = 256
	unitTraced  = 16        // matches whose cases alone determine many positions
	unitBytes   = 300 << 10 // of records
)

// played is a match, as lists and tables show it.
type played struct {
	summary record.Summary
	name    string // of the case
	group   string
	failed  string // why umpire failed to play it
	level   string // of isolation
	id      string
	started string
	umpire  string
	limits  record.Limits
	details []string // of seats that failed
	hints   []string
	stderr  []string
	times   []report.Times
	shares  []float64      // of the budget, by seat; -1: there is none
	scored  *record.Record // what scoring needs

	worth  *analysis.Match // nil: it is not known
	record *record.Record  // with it
}

// play writes the pages that play matches back, and has the collector count the
// matches in their order.
func (s *Site) play(lines iter.Seq2[record.Line, error], c *collector) error {
	jobs := max(1, s.Jobs)
	todo, order := make(chan *unit), make(chan *unit, jobs)
	stop := make(chan struct{})
	var written atomic.Int64
	var group errgroup.Group
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		return s.units(lines, func(u *unit) bool {
			select {
			case order <- u:
			case <-stop:
				return false
			}
			todo <- u
			return true
		})
	})
	for range jobs {
		group.Go(func() error {
			var scan record.Scanner
			for u := range todo {
				u.err = s.replays(u, &scan, &written)
				u.lines = nil
				close(u.ready)
			}
			return nil
		})
	}
	var failed error
	for u := range order {
		<-u.ready
		if failed == nil {
			if failed = u.err; failed == nil {
				failed = c.add(u)
			}
			if failed != nil {
				close(stop)
			}
		}
	}
	if err := group.Wait(); failed == nil {
		failed = err
	}
	return failed
}

// units cuts the lines into units.
func (s *Site) units(lines iter.Seq2[record.Line, error], hand func(*unit) bool) error {
	most, known := unitMatches, false
	number, first := 0, 1
	u, size := (*unit)(nil), 0
	flush := func() bool {
		if u == nil {
			return true
		}
		full := u
		first += len(u.lines)
		u, size = nil, 0
		return hand(full)
	}
	for line, err := range s.counted(lines) {
		if err != nil {
			return err
		}
		if !known {
			if known = true; s.isTraced(line) {
				most = unitTraced
			}
		}
		if u == nil {
			number++
			u = &unit{number: number, first: first, total: s.Matches(), ready: make(chan struct{})}
			if s.Later != nil {
				u.number, u.from = 1, first-1
			}
		}
		if s.Later != nil {
			s.Later(line)
		}
		line.Bytes, line.Names = bytes.Clone(line.Bytes), &s.names
		u.lines = append(u.lines, line)
		if size += len(line.Bytes); (len(u.lines) == most || size >= unitBytes) && !flush() {
			return nil
		}
	}
	flush()
	return nil
}

// read reads the matches of a unit, and has their replays drawn unless that is done later.
func (s *Site) read(u *unit, scan *record.Scanner, draw func(i int, r record.Record) error) error {
	u.played = make([]played, len(u.lines))
	for i, line := range u.lines {
		r, err := scan.Record(line, &u.played[i].summary)
		if err != nil {
			return err
		}
		u.played[i].fill(s, r)
		u.played[i].analyse(s, r)
		if s.Later != nil {
			continue
		}
		if err := draw(i, r); err != nil {
			return err
		}
	}
	return nil
}

// replays reads the matches of a unit and writes the page that plays them back.
func (s *Site) replays(u *unit, scan *record.Scanner, written *atomic.Int64) error {
	shared, full := replay.NewShared(), written.Load() >= s.MaxReplays
	err := s.read(u, scan, func(i int, r record.Record) error {
		why := missing{Game: s.Game.Title, ID: page.SafeLine(r.Called())}
		if full {
			why.Command = replay.Command(r.Called()) + " --html match.html"
		} else {
			m := replay.Match{Record: r, Games: s.Games, Worth: u.played[i].worth}
			if s.Viewer != nil {
				m.Viewer = "../" + viewerName
			}
			err := shared.Add(m, u.first+i <= withPhases)
			if err == nil {
				return nil
			}
			why.Why = page.Safe(err.Error())
		}
		var b strings.Builder
		err := sitePages().ExecuteTemplate(&b, "missing", why)
		shared.AddMissing(s.Game.Title, b.String())
		return err
	})
	if err != nil || s.Later != nil {
		return err
	}
	data, err := shared.Pack(u.number, u.first, u.total)
	if err != nil {
		return err
	}
	view := sharedView{s.newChrome("Match", "../", replay.Style()+replaysText, replay.Script(), chooseText), data}
	if s.Viewer != nil {
		view.Policy += "; " + replay.FramePolicy
	}
	var b bytes.Buffer
	if err := sitePages().ExecuteTemplate(&b, "replays", view); err != nil {
		return err
	}
	written.Add(int64(b.Len()))
	return s.write(fmt.Sprintf("replays/%d.html", u.number), b.Bytes())
}

// missing is a match that is not played back.
type missing struct{ Game, ID, Why, Command string }

// sharedView is a page with the replays of a unit.
type sharedView struct {
	chrome
	Data template.HTML
}
