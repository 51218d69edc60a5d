// Package talk is what a judge says of a match, line by line, as a
// protocols.Match: whoever has the lines, from a process or from a record, has the
// match. It knows the verbs, their bounds and what follows from them, and starts no
// judge.
package talk

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"umpire/protocols"
)

// Facts are what there is to know of a game whose rules are a judge's, to play a match
// and to read a record. The zero values are the defaults.
type Facts struct {
	Title    string `json:"title,omitempty"`
	MinSeats int    `json:"min_seats" range:"game"`
	MaxSeats int    `json:"max_seats" range:"game"`
	Rank     string `json:"rank,omitempty" text:"name"` // wins or places; "": points
	Formula  string `json:"formula,omitempty"`
	// OnFailure says whether a match goes on when a seat has failed: Continues; "": the
	// seat loses, and the match is over.
	OnFailure string `json:"on_failure,omitempty" text:"name"`
	Lost      string `json:"lost,omitempty" text:"name"`    // the score of a seat that has failed; "": 0
	Won       string `json:"won,omitempty" text:"name"`     // that of the others; "": 1
	Replies   string `json:"replies,omitempty" text:"name"` // Bytes; "": replies are text
	Hidden    bool   `json:"hidden,omitempty"`              // onlookers see nothing but the board before the end
	// MaxReplies is after how many replies a match is a draw; 0: 20,000.
	MaxReplies int    `json:"max_replies,omitempty"`
	Submission string `json:"submission,omitempty" text:"name"` // FirstSeat; "": test and score play every seat
}

// Values of Facts that are not the default.
const (
	Continues = "continues"
	Bytes     = "bytes"
	FirstSeat = "1"
	ByWins    = "wins"
	ByPlaces  = "places"
)

// Shown is what a judge may be wanted to say beyond what a match needs.
var Shown = []string{"svg", "state", "value"}

// defaultReplies is after how many replies a match is a draw, unless its Facts say.
const defaultReplies = 20000

// Longest returns after how many replies a match is a draw.
func (f Facts) Longest() int { return cmp.Or(f.MaxReplies, defaultReplies) }

// Game returns the game of a name with these facts, whose cases are played by a Judge.
// Nothing generates cases.
func (f Facts) Game(name string) protocols.Game {
	g := protocols.Game{
		Name: name, Title: cmp.Or(f.Title, name), MinSeats: f.MinSeats, MaxSeats: f.MaxSeats, Formula: cmp.Or(f.Formula, "X"), AnyText: true,
		Parse: func(text string) (protocols.Case, error) { return ParseCase(f, text, protocols.Limits{}) },
	}
	switch f.Rank {
	case ByWins:
		g.Rank = protocols.ByWins
	case ByPlaces:
		g.Rank = protocols.ByPlaces
	}
	for seat := range f.MaxSeats {
		if f.Submission != FirstSeat || seat == 0 {
			g.SubmissionSeats = append(g.SubmissionSeats, seat+1)
		}
	}
	return g
}

// Analysis says how to read the values of a talk; the zero Analysis if it has none.
func (f Facts) Analysis(talk string) (a protocols.Analysis) {
	lost, won, err := f.Scores()
	if err != nil || lost.Compare(won) >= 0 || !strings.Contains("\n"+talk, "\nvalue ") {
		return a
	}
	return protocols.Analysis{
		Unit: "points", Method: "the judge says what each reply is worth", Scores: true,
		Results: "the value between what a loss and what a win is worth",
	}
}

// Check returns an error if facts, as those of a record, are wrong.
func (f Facts) Check() error {
	switch {
	case f.MinSeats < 1 || f.MaxSeats < f.MinSeats || f.MaxSeats > MaxSeats:
		return fmt.Errorf("seats: found %d to %d, expected 1 to %d", f.MinSeats, f.MaxSeats, MaxSeats)
	case f.OnFailure != "" && f.OnFailure != Continues:
		return fmt.Errorf("on_failure: found %q, expected %s", f.OnFailure, Continues)
	case f.Replies != "" && f.Replies != Bytes:
		return fmt.Errorf("replies: found %q, expected %s", f.Replies, Bytes)
	case f.MaxReplies < 0:
		return fmt.Errorf("max_replies: found %d, expected 1 or more", f.MaxReplies)
	}
	_, _, err := f.Scores()
	return err
}

// MaxSeats is the most seats that a match may have.
const MaxSeats = 4

// Scores returns the scores of who has failed and of the others.
func (f Facts) Scores() (lost, won protocols.Score, err error) {
	won = protocols.Points(1)
	for _, s := range []struct {
		name, text string
		to         *protocols.Score
	}{{"lost", f.Lost, &lost}, {"won", f.Won, &won}} {
		if s.text == "" {
			continue
		}
		if *s.to, err = protocols.ParseScore(s.text); err != nil {
			return lost, won, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return lost, won, nil
}

// normal normalises the line ends of a case's text, and nothing else: the last line needs
// none unless it is blank.
func normal(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if rest, ended := strings.CutSuffix(text, "\n"); ended && rest != "" && !strings.HasSuffix(rest, "\n") {
		return rest
	}
	return text
}

// ParseCase is NewCase for a text that anybody may have written. The error names the line
// that is not UTF-8, as records must be.
func ParseCase(f Facts, text string, limits protocols.Limits) (protocols.Case, error) {
	if !utf8.ValidString(text) {
		for i, line := range strings.Split(normal(text), "\n") {
			if !utf8.ValidString(line) {
				return nil, &protocols.CaseError{Line: i + 1, Found: protocols.Quote(line), Expected: "text in UTF-8"}
			}
		}
	}
	return NewCase(f, text, limits), nil
}

// Case is a case of a game whose rules are a judge's. Its text is the judge's to read.
type Case struct {
	facts  Facts
	limits protocols.Limits
	text   string
	script []string // what the judge has said; nil: nothing
}

// NewCase returns a case with its limits.
func NewCase(f Facts, text string, limits protocols.Limits) Case {
	return Case{facts: f, text: normal(text), limits: limits}
}

// Told returns the case of a match in which the judge has said these lines.
func (f Facts) Told(text, talk string) (Case, error) {
	c := NewCase(f, text, protocols.Limits{})
	if talk != "" {
		c.script = strings.Split(talk, "\n")
	}
	return c, f.Check()
}

// String implements protocols.Case.
func (c Case) String() string { return c.text }

// Limits implements protocols.Case.
func (c Case) Limits(int) protocols.Limits { return c.limits }

// Start implements protocols.Case: the match goes as far as the judge has said.
func (c Case) Start(seats int) protocols.Match {
	protocols.CheckSeats("match", seats, c.facts.MinSeats, c.facts.MaxSeats)
	if c.script == nil {
		return NewMatch(c.facts, seats, silent{})
	}
	m := NewMatch(c.facts, seats, &script{lines: c.script})
	m.recorded = true
	m.begin() // a position is shown before anybody asks for the first step
	return m
}

// Lines returns the lines by which a judge hears of a match on the case.
func (c Case) Lines(seats int, seed uint64) string {
	text := strings.TrimSuffix(c.text, "\n")
	lines := 0
	if c.text != "" {
		lines = strings.Count(text, "\n") + 1
		text = "\n" + text
	}
	return fmt.Sprintf("match 1 %d %d %d", seats, seed, lines) + text
}

// errSilent is the error of a match that has no judge.
var errSilent = errors.New("the match has no judge")
