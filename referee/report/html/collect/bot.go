package collect

import (
	"cmp"
	"strings"

	"umpire/protocols"
	"umpire/referee/pattern"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/strength"
)

// What is kept of a bot has bounds, whatever the number of matches.
const (
	maxFailures = 40 // kinds of a bot's failures, an example of each
	maxAgain    = 12 // links to more matches of a kind
)

// ShareBins is how many bins the distribution of the used share of a budget has.
const ShareBins = 10

// Bot holds the figures of a bot that the standings lack.
type Bot struct {
	Seats    map[string]*report.Counts // by their numbers, from 1
	Groups   map[string]*report.Counts
	Cases    map[string]*report.Counts
	Times    report.Times
	Shares   [ShareBins + 1]int64 // matches with a budget, by the used share of it; the last one is all of it, or more
	Passes   int                  // most runs in a match of a problem package, each of which has the budget: only of 1 run Shares are known
	Failures []Failure
	Omitted  int                // failures beyond those
	Ratings  []*strength.Rating // at the Collector's RatedAt; nil before it had played

	kinds map[string]int // failures, by their signatures
}

// Failure is the first of the matches that a bot has failed in for the same reason, as far
// as that can be seen: with the same verdict and, but for numbers, the same last line of
// standard error, if it crashed and wrote one, or the same detail.
type Failure struct {
	Match                     int
	Replay, Verdict, Case, ID string
	File                      string // with its record
	Seat                      int
	Detail                    page.Prose
	Times                     int
	Varies                    bool    // some of the others have other numbers
	Again                     []again // some of the other matches
	Hint                      string
	Stderr                    string // its end
	Said                      string // that of a crash, its last line
}

// again is another match with a failure.
type again struct {
	Match  int
	Replay string
}

// numbers matches some in a row.
var numbers = pattern.New(`[0-9]+(?:[ ,.:]+[0-9]+)*`)

// signature tells failures apart, by the words that they have in common.
func (f *Failure) signature() string {
	return f.Verdict + "\n" + numbers().ReplaceAllString(f.words(), "0")
}

func (f *Failure) words() string { return cmp.Or(f.Said, f.Detail.Line) }

func (b *Bot) fail(f Failure) {
	f.Times = 1
	if f.Verdict == string(protocols.KindCrash) {
		said := strings.TrimSpace(f.Stderr)
		f.Said = strings.TrimSpace(said[strings.LastIndexByte(said, '\n')+1:])
	}
	kind := f.signature()
	if n, known := b.kinds[kind]; known {
		first := &b.Failures[n]
		first.Varies = first.Varies || first.words() != f.words()
		if first.Times++; len(first.Again) < maxAgain {
			first.Again = append(first.Again, again{f.Match, f.Replay})
		}
		return
	}
	if len(b.Failures) >= maxFailures {
		b.Omitted++
		return
	}
	b.kinds[kind] = len(b.Failures)
	b.Failures = append(b.Failures, f)
}

func countIn(in map[string]*report.Counts, key string) *report.Counts {
	n := in[key]
	if n == nil {
		n = &report.Counts{}
		in[key] = n
	}
	return n
}
