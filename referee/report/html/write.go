package html

import (
	"bytes"
	"fmt"
	"html/template"
	"iter"
	"sync"
	"sync/atomic"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// Write makes the site. The lines are those of the records that were passed to
// Add, in the same order.
func (s *Site) Write(lines iter.Seq2[record.Line, error]) error {
	s.rank()
	if s.Viewer != nil {
		if err := s.out().writeFile(viewerName, replay.ViewerFile(s.Viewer)); err != nil {
			return err
		}
	}
	c, list := collect.New(s.view, s.Score), &lister{out: s.out(), view: s.view, total: s.Matches()}
	err := s.play(lines, func(u *unit) error {
		for i := range u.read {
			m, at := &u.read[i], u.from+i
			rows := c.Add(m, fmt.Sprintf("replays/%d.html?%d", u.number, at))
			if !s.Later { // they are listed
				if err := list.add(m.Case, seatsOf(&m.Summary, rows), u.number, at); err != nil {
					return err
				}
			}
			if s.Done != nil {
				s.Done()
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !s.Later {
		if err := list.flush(); err != nil {
			return err
		}
	}
	return s.writeSummaries(c)
}

// writeSummaries writes the pages that show all matches together.
func (s *Site) writeSummaries(c *collect.Collector) error {
	v, err := s.newIndex()
	if err != nil {
		return err
	}
	scores, ok, why := c.Scores()
	v.addMatches(c, scores, ok, why)
	if _, err := s.out().write(indexName, "index", v); err != nil {
		return err
	}
	return s.writeBots(c, scores)
}

// unit is several matches that share a page. There, what their pictures and
// the pages of their replays have in common is stored once.
type unit struct {
	number int // from 1
	from   int // number of the first match in the unit, from 0: where replays are drawn later, all matches are of unit 1
	first  int // number of the first match, from 1
	lines  []record.Line
	read   []collect.Match
	done   chan error // takes what became of it
}

// withPhases is how many matches of a site, the first, have pictures of what happens within
// a step.
const withPhases = 100

// The most that a unit holds.
const (
	unitMatches = 256
	unitTraced  = 16        // matches whose cases alone determine many positions
	unitBytes   = 300 << 10 // of records
)

// play writes the pages that play matches back, and hands over the units in their order.
func (s *Site) play(lines iter.Seq2[record.Line, error], add func(*unit) error) error {
	jobs := max(1, s.Jobs)
	todo, order := make(chan *unit), make(chan *unit, jobs)
	stop := make(chan struct{})
	var written atomic.Int64
	var unread error
	var group sync.WaitGroup
	group.Go(func() {
		defer close(todo)
		defer close(order)
		unread = s.units(lines, func(u *unit) bool {
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
		group.Go(func() {
			var scan record.Scanner
			for u := range todo {
				err := s.replays(u, &scan, &written)
				u.lines = nil
				u.done <- err
			}
		})
	}
	defer group.Wait()
	defer close(stop)
	for u := range order {
		err := <-u.done
		if err == nil {
			err = add(u)
		}
		if err != nil {
			return err
		}
	}
	return unread
}

// units cuts the lines into units.
func (s *Site) units(lines iter.Seq2[record.Line, error], hand func(*unit) bool) error {
	var u *unit
	number, next, size, most := 0, 1, 0, 0
	for line, err := range s.counted(lines) {
		if err != nil {
			return err
		}
		if most == 0 {
			if most = unitMatches; s.isTraced(line) {
				most = unitTraced
			}
		}
		if u == nil {
			number++
			u = &unit{number: number, first: next, done: make(chan error, 1)}
			if s.Later {
				u.number, u.from = 1, next-1
			}
		}
		line.Bytes, line.Names = bytes.Clone(line.Bytes), &s.names
		u.lines = append(u.lines, line)
		next++
		if size += len(line.Bytes); len(u.lines) == most || size >= unitBytes {
			if !hand(u) {
				return nil
			}
			u, size = nil, 0
		}
	}
	if u != nil {
		hand(u)
	}
	return nil
}

// isTraced reports whether the game's cases alone determine the positions.
func (s *Site) isTraced(line record.Line) bool {
	r, err := line.Record()
	if err != nil {
		return false
	}
	_, c, err := r.Parse(s.Games)
	if err != nil {
		return false
	}
	_, traced := c.Start(len(r.Seats)).(protocols.Tracer)
	return traced
}

// replays reads the matches of a unit and writes the page that plays them back, unless that
// is done later.
func (s *Site) replays(u *unit, scan *record.Scanner, written *atomic.Int64) error {
	in := collect.Reader{Games: s.Games, Scores: s.Score != nil, Analysed: s.Analysed}
	shared, full := &replay.Shared{}, written.Load() >= s.MaxReplays
	u.read = make([]collect.Match, len(u.lines))
	for i, line := range u.lines {
		r, err := in.Read(&u.read[i], line, scan)
		if err != nil {
			return err
		}
		if s.Later {
			continue
		}
		m := replay.Match{Record: r, Games: s.Games, Run: s.argument(line.File), Worth: u.read[i].Worth}
		if err := s.addReplay(shared, m, full, u.first+i <= withPhases); err != nil {
			return err
		}
	}
	if s.Later {
		return nil
	}
	data, err := shared.Pack(u.number, u.first, s.Matches())
	if err != nil {
		return err
	}
	view := sharedView{s.out().chrome("Match", replay.Style()+replaysText, replay.Script(), chooseText), data}
	if s.Viewer != nil {
		view.Policy += "; " + replay.FramePolicy
	}
	size, err := s.out().write(fmt.Sprintf("replays/%d.html", u.number), "replays", view)
	written.Add(int64(size))
	return err
}

// addReplay adds the replay of a match to a page, or why there is none.
func (s *Site) addReplay(to *replay.Shared, m replay.Match, full, phases bool) error {
	why := missing{Game: s.Game.Title, ID: page.SafeLine(m.Record.Called())}
	if full {
		why.Command = replay.Command(m.Run, m.Record.Called()) + " --html match.html"
	} else {
		if s.Viewer != nil {
			m.Viewer = "../" + viewerName
		}
		err := to.Add(m, phases)
		if err == nil {
			return nil
		}
		why.Why = page.Safe(err.Error())
	}
	part, err := templates.Render("missing", why)
	to.AddMissing(s.Game.Title, string(part))
	return err
}

// missing is a match that is not played back.
type missing struct{ Game, ID, Why, Command string }

// sharedView is a page with the replays of a unit.
type sharedView struct {
	chrome
	Data template.HTML
}
