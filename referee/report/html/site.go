// Package html writes the pages that show many matches together: the site of a run and the page
// of a league. A page is one file that loads nothing from elsewhere and opens from a disk. What
// others wrote, as names, replies and standard error, is text on it and nothing else. The package
// knows records and games, but no running match.
//
// Below stand tables and charts, templates and the names of pages, and what a Site is; in
// the middle its pages: standings, scores and bots, lists of matches; above the writing of
// a site, which has matches collected and replays drawn.
package html

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"umpire/protocols"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

// Site makes a report: pages of many matches that link to each other and open
// from a disk. It reads the records twice, the first time with Add, and keeps
// none of them, except the outcomes of a scoring, so that its memory hardly
// grows with their number.
type Site struct {
	Game  protocols.Game
	Games []protocols.Game
	// Create makes a file of the site: a name of lower-case letters, digits, '-',
	// '.' and '/' that contains nothing from the records. It is called by several
	// goroutines.
	Create func(name string) (io.WriteCloser, error)
	Jobs   int // how many goroutines replay matches
	// MaxReplays is the size of all pages that play matches back, in bytes, about.
	// When it is reached, later matches have none.
	MaxReplays int64
	// Runs describes how the matches were played, as far as that is known.
	Runs []Run
	// View makes the standings of the records, with their rounds if they were
	// played in rounds; nil: without rounds.
	View func(*standings.Tally) report.Standings
	// Score scores submissions; nil: no scores are shown.
	Score collect.Score
	// Analysed is what is known so far of the worth of replies; nil: none is to be valued.
	Analysed *analysis.Memory
	// Viewer is the page by which the game's author shows positions; nil: there is none.
	Viewer []byte
	// Done is called for each match that has been written; nil is allowed.
	Done func()
	// Later leaves each replay to be drawn by Replay, when it is asked for; links lead to
	// replays/1.html?N, N from 0. Such a site has pages after the first reading, by Begin,
	// for which some 100 bytes of a match are kept.
	Later bool
	// Script stands at the end of every page, before those of its own; "": none does.
	Script string

	tally  *standings.Tally
	failed map[uint64]int32 // position of a match that umpire failed to play, by record.Summary.Key
	names  record.Names
	left   map[int32]bool   // matches that do not count, by position
	early  early            // what is kept for Begin
	total  int32            // records
	view   report.Standings // of all matches that count, once they are known
}

// Run describes how the matches of a results file were played.
type Run struct {
	Name     string // of the folder or file
	File     string // the file of its lines
	Argument string // names it to commands; "": that is not known
	Facts    []Fact
	Config   string // the resolved configuration; "" if none is known
	Commands []Command
}

// Fact is a property of a run.
type Fact struct{ Name, Value string }

// Command is a command line, and what it does.
type Command struct {
	What, Line string
	Scores     bool // it scores submissions: it is shown where their scores are
}

// maxRecords is how many records a site may have.
const maxRecords = 1 << 30

// Add counts a record, in the first reading.
func (s *Site) Add(b *record.Summary) error {
	if n := len(b.Seats); n < s.Game.MinSeats || n > s.Game.MaxSeats {
		return fmt.Errorf("found a record with %s, %s has %s", report.Plural(n, "seat"), s.Game.Name, s.Game.SeatRange())
	}
	n, err := s.keep(b)
	if err != nil {
		return err
	}
	if s.tally == nil {
		s.tally, s.failed = standings.NewTally(s.Game.Rank), make(map[uint64]int32)
	}
	failed := s.tally.Failed
	counts := s.tally.Add(b)
	before, again := s.failed[b.Key]
	switch {
	case b.Key == 0:
	case counts && again: // the match has been played since umpire failed to play it
		s.left[before] = true
	case counts:
	case s.tally.Failed > failed:
		s.failed[b.Key] = n
	default: // it is known already
		s.left[n] = true
	}
	return nil
}

// Skip leaves out a record, in the first reading. Its match may be asked for by name.
func (s *Site) Skip(b *record.Summary) error {
	n, err := s.keep(b)
	if err == nil {
		s.left[n] = true
	}
	return err
}

// keep keeps what is kept of every record, and returns its position.
func (s *Site) keep(b *record.Summary) (n int32, err error) {
	if s.total >= maxRecords {
		return 0, errors.New("found too many records for a report")
	}
	if s.left == nil {
		s.left = make(map[int32]bool)
	}
	s.names.Add(b)
	if s.Later {
		s.early.add(b)
	}
	s.total++
	return s.total - 1, nil
}

// Matches is how many matches have been counted.
func (s *Site) Matches() int { return int(s.total) - len(s.left) }

// rank makes the standings of what has been added, once.
func (s *Site) rank() {
	if s.view.Of != nil {
		return
	}
	if s.View != nil {
		s.view = s.View(s.tally)
		return
	}
	of := s.tally.Standings(nil)
	s.view = report.Standings{Game: s.Game, Of: &of}
}

// counted yields the lines that count, with their numbers from 0.
func (s *Site) counted(lines iter.Seq2[record.Line, error]) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		at := int32(0)
		for line, err := range lines {
			if at >= s.total {
				break // it was written after the first reading, and may be cut off
			}
			if err != nil {
				yield(line, err)
				return
			}
			if !s.left[at] && !yield(line, nil) {
				return
			}
			at++
		}
		if at < s.total {
			yield(record.Line{}, fmt.Errorf("the results have changed while they were read: found %d records, then %d", s.total, at))
		}
	}
}

// argument names the run of a file to commands; "": how is not known.
func (s *Site) argument(file string) string {
	at := slices.IndexFunc(s.Runs, func(r Run) bool { return r.File == file })
	if at < 0 {
		return ""
	}
	return page.PublishedLine(s.Runs[at].Argument)
}

// out returns what makes the pages.
func (s *Site) out() publisher { return publisher{s.Create, s.Script, s.Later} }
