package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"umpire/protocols"
)

// Forecast says what a tournament will play, and what a trial of it has shown.
type Forecast struct {
	Game    string `json:"game"`
	Format  string `json:"format"`
	Bots    int    `json:"bots"`
	Seats   int    `json:"seats"`
	Cases   int    `json:"cases"` // that every pair or table plays, repetitions counted
	Rounds  int    `json:"rounds,omitempty"`
	Matches int    `json:"matches"`
	UpTo    bool   `json:"up_to,omitempty"` // a sequential test may end it earlier
	Until   string `json:"until,omitempty"` // goal that ends it: Matches are the first ones
	Jobs    int    `json:"jobs,omitempty"`  // concurrent matches; 0: this machine plays none
	// Unpaired is how many of the bots can't play; a tournament whose later matches
	// depend on earlier ones does not pair them.
	Unpaired int `json:"unpaired,omitempty"`
	// Distinct is how many different cases Cases are, if some are repeated; else 0.
	Distinct int `json:"distinct_cases,omitempty"`
	// Trials is how many matches were played on trial, and Seconds how long the
	// tournament takes by them; 0: nobody knows.
	Trials  int     `json:"trials"`
	Seconds float64 `json:"seconds,omitempty"`
	Wrong   []Wrong `json:"wrong"` // what is wrong, and with whom
	// Refused says why the folder of the results is refused as it is; "" if it is not.
	Refused string `json:"refused,omitempty"`

	Title string `json:"-"` // of the game
}

// Wrong names a bot that can't play, and one reason.
type Wrong struct {
	Bot string `json:"bot"`
	Why string `json:"why"`
}

// Plan returns what will be played in a line, as "30 bots × 25 cases × both orders =
// 21,750 matches".
func (f Forecast) Plan() string {
	text := Plural(f.Bots, "bot")
	if f.Unpaired > 0 {
		text = fmt.Sprintf("%d of %s", f.Bots-f.Unpaired, text)
	}
	if f.Rounds > 0 {
		text += " × " + Plural(f.Rounds, "round")
	}
	if f.Until != "" {
		return fmt.Sprintf("%s × both orders = %s, then more where the order is least certain, until %s", text, many(f.Matches, "match"), f.Until)
	}
	text += " × " + many(f.Cases, "case")
	if f.Distinct > 0 {
		text += fmt.Sprintf(" (%s, repeated)", thousands(f.Distinct))
	}
	if f.Seats == 2 {
		text += " × both orders"
	} else {
		text += fmt.Sprintf(" at tables of %d", f.Seats)
	}
	text += " = "
	if f.UpTo {
		text += "up to "
	}
	return text + many(f.Matches, "match")
}

// PlanAndTime is Plan with about how long it takes, if that is known.
func (f Forecast) PlanAndTime() string {
	text := f.Plan()
	if f.Seconds > 0 {
		text += ", "
		if f.UpTo {
			text += "at most "
		}
		text += "about " + roughly(f.Seconds)
		if f.Jobs != 1 {
			text += fmt.Sprintf(", %d at a time", f.Jobs)
		}
	}
	if f.UpTo {
		text += "; the test ends them when it has decided, or the bots play the same again on every case"
	}
	return text
}

// many is Plural with commas between the thousands.
func many(n int, what string) string {
	_, words, _ := strings.Cut(Plural(n, what), " ")
	return thousands(n) + " " + words
}

// Print prints the forecast for people.
func (f Forecast) Print(p *Printer) {
	p.Say("%s: %s, %s\n", f.Title, f.Format, f.PlanAndTime())
	for _, w := range f.Wrong {
		p.Say("%s: %s\n", p.Style(Bold, w.Bot), p.Style(Red, w.Why))
	}
	nothing := "Nothing"
	if f.Refused != "" {
		p.Say("notice: %s\n", f.Refused)
		nothing += " else"
	}
	switch {
	case f.Trials == 0 && len(f.Wrong) == 0:
		p.Printf("No match was played on trial.\n")
	case len(f.Wrong) == 0:
		p.Say(nothing+" is wrong in %s on trial.\n", Plural(f.Trials, "match"))
	}
}

// roughly writes a time to two figures or so.
func roughly(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 2*time.Second:
		return "a second"
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// WrongIn returns the failure of a seat in a match on trial; "" if it was ok.
func WrongIn(verdict, detail, where string) string {
	switch verdict {
	case "ok":
		return ""
	case string(protocols.KindCompile):
		return BrokenLine(detail)
	}
	return fmt.Sprintf("%s on %s: %s", verdict, where, detail)
}
