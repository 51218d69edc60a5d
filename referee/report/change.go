package report

import (
	"fmt"

	"umpire/referee"
)

// Before is how the bot did in the same match when it was last tested.
type Before struct {
	Verdict string  `json:"verdict"`
	X       int     `json:"x"`
	Place   int     `json:"place"`
	Score   float64 `json:"score"` // score of the case, by the formula
}

// change compares a match with when it was last played: 1 if it is better,
// -1 if it is worse, else 0, and what is different. One that was not ok is worse
// than any that was; else the case's score decides, then the seat's own score,
// then its place. Where the case is played in several seats, its score is that of
// all of them and says nothing of one.
func (t TestMatch) change(severalSeats bool) (direction int, what string) {
	if t.Before == nil {
		return 0, ""
	}
	was := *t.Before
	if wasOK, isOK := was.Verdict == string(referee.OK), t.Verdict == string(referee.OK); wasOK != isOK {
		return sign(isOK, wasOK), "was " + was.Verdict
	}
	switch {
	case t.Score != was.Score && !severalSeats:
		return sign(t.Score > was.Score, t.Score < was.Score), difference(t.Score-was.Score) + " points"
	case t.X != was.X:
		return sign(t.X > was.X, t.X < was.X), difference(float64(t.X-was.X)) + " score"
	case t.Place != was.Place:
		return sign(t.Place < was.Place, t.Place > was.Place), fmt.Sprintf("was place %d", was.Place)
	}
	return 0, ""
}

func sign(better, worse bool) int {
	switch {
	case better:
		return 1
	case worse:
		return -1
	}
	return 0
}

// difference formats a difference with its sign.
func difference(x float64) string {
	text := Number(x)
	if text == "0" {
		text = exact(x)
	}
	if x > 0 {
		return "+" + text
	}
	return text
}

// changes counts the matches that are better, worse and the same as when they
// were last played.
func (v Test) changes() (better, worse, same int) {
	for _, t := range v.Result.Results {
		switch direction, _ := t.change(v.severalSeats()); {
		case t.Before == nil:
		case direction > 0:
			better++
		case direction < 0:
			worse++
		default:
			same++
		}
	}
	return better, worse, same
}

// printChanges compares the test with the last one, as a whole and case by case.
func (v Test) printChanges(p *Printer) {
	better, worse, same := v.changes()
	switch {
	case better+worse+same == 0:
		return
	case better+worse == 0:
		p.Printf("against the last run: no change\n")
		return
	}
	p.Printf("against the last run: %s, %s, %d the same\n",
		p.Style(Green, fmt.Sprintf("▲ %d better", better)), p.Style(Red, fmt.Sprintf("▼ %d worse", worse)), same)
	for _, t := range v.Result.Results {
		name := t.Case
		if v.severalSeats() {
			name = fmt.Sprintf("%s seat %d", t.Case, t.Seat)
		}
		switch direction, what := t.change(v.severalSeats()); direction {
		case 1:
			p.Printf("  %s %s: %s\n", p.Style(Green, "▲"), SafeLine(name), what)
		case -1:
			p.Printf("  %s %s: %s\n", p.Style(Red, "▼"), SafeLine(name), what)
		}
	}
}
