package report

import (
	"cmp"
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/interaction"
	"umpire/referee/record"
	"umpire/referee/scoring"
)

// GameJSON describes a game, as `games --json` prints it.
type GameJSON struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	MinSeats int      `json:"min_seats"`
	MaxSeats int      `json:"max_seats"`
	Cases    int      `json:"cases"`  // in the standard set
	Groups   []string `json:"groups"` // of the standard set
	Formula  string   `json:"formula"`
	Points   float64  `json:"points"`   // total of the standard cases
	Baseline float64  `json:"baseline"` // default Y; 0 if there is no default
	Bots     []string `json:"bots"`
	House    string   `json:"house"`
	Rules    string   `json:"rules,omitempty"`
}

// Games prints a line for each game.
type Games []Game

// Print prints the games for people.
func (v Games) Print(p *Printer) {
	t := Table{Header: []string{"game", "title", "seats", "cases", "bots"}, Spare: []int{0, 1, 0, 0, 0}, PlainHeader: true}
	for _, g := range v {
		t.Add(g.Of.Name, g.Of.Title, g.Of.SeatRange(), g.Facts.Cases, "@"+strings.Join(g.Facts.Bots, " @"))
	}
	p.Table(t)
}

// Game prints all that a contestant must know of a game.
type Game struct {
	Of    protocols.Game
	Facts GameJSON
	Set   cases.Set // the standard cases
	// About describes the built-in bots Facts.Bots.
	About []string
}

// Print prints the game for people.
func (v Game) Print(p *Printer) {
	p.Printf("%s\n\n%s\n\n", Reflow(strings.TrimSpace(v.Of.Rules), p.room()), p.Style(Bold, "In umpire"))
	p.Printf("seats     %s\n", v.Of.SeatRange())
	p.Printf("limits    %s\n", p.WrapAfter(10, LimitsOf(v.Of, v.Set)))
	p.Printf("formula   %s\n", v.Of.Formula)
	p.Printf("cases     %s\n", v.cases())
	if len(v.Of.Groups) > 0 {
		p.Printf("generated groups %s (-n N --group G), worth %s a case\n", strings.Join(v.Of.Groups, ", "), Points(Number(cmp.Or(v.Of.Points, 1))))
	}
	if values := ValuesOf(v.Of); values != "" {
		p.Printf("analyse   %s\n", p.WrapAfter(10, values))
	}
	p.Printf("bots\n")
	for i, name := range v.Facts.Bots {
		p.Printf("  @%-10s %s\n", name, p.WrapAfter(14, v.About[i]))
	}
}

// cases describes the standard cases, with what they are worth.
func (v Game) cases() string {
	text := fmt.Sprintf("%d, worth %s", v.Facts.Cases, Points(Number(v.Facts.Points)))
	if f, err := scoring.Compile(v.Of.Formula); err == nil && !f.Uses("P") {
		text += " to a formula with P"
	}
	if len(v.Facts.Groups) == 0 {
		return text
	}
	return text + ", in groups " + strings.Join(v.Facts.Groups, ", ")
}

// LimitsOf describes the limits of a game in words or, if they depend on the
// case, their range in its standard set.
func LimitsOf(g protocols.Game, set cases.Set) string {
	if len(set.Cases) == 0 {
		return "depend on the case; there are no standard cases yet"
	}
	low := set.Cases[0].Limits(g.MaxSeats)
	high, same := low, true
	for _, c := range set.Cases {
		l := c.Limits(g.MaxSeats)
		same = same && l == low
		low.Time, high.Time = min(low.Time, l.Time), max(high.Time, l.Time)
		low.PerMove, high.PerMove = min(low.PerMove, l.PerMove), max(high.PerMove, l.PerMove)
		low.Startup, high.Startup = min(low.Startup, l.Startup), max(high.Startup, l.Startup)
		low.Memory, high.Memory = min(low.Memory, l.Memory), max(high.Memory, l.Memory)
	}
	per := "all replies of a match"
	if _, ok := set.Cases[0].Case.(interaction.Case); ok {
		per = record.PerRun
	}
	text := limitsText(low, high, per)
	if !same {
		text = "depend on the case; in the standard cases " + text
	}
	return text
}

// limitsText describes limits in words, each from low to high; per says what the time is for.
func limitsText(low, high protocols.Limits, per string) string {
	var parts []string
	if high.Time > 0 {
		parts = append(parts, span(low.Time, high.Time)+" for "+per)
	}
	if high.PerMove > 0 {
		parts = append(parts, span(low.PerMove, high.PerMove)+" a reply")
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += " (" + record.NewLimits(high, "").Clock + " time)"
	}
	if high.Startup > 0 {
		parts = append(parts, span(low.Startup, high.Startup)+" more for the first")
	}
	if high.Memory > 0 {
		parts = append(parts, span(low.Memory>>20, high.Memory>>20)+" MiB of memory")
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// span formats a range of values, or the value if both ends are equal.
func span[T comparable](low, high T) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%v to %v", low, high)
}
