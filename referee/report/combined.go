package report

import (
	"fmt"
	"strings"

	"umpire/referee/standings"
)

// Combined prints the standings of several games in one table.
type Combined struct {
	Of       standings.Combined
	Matches  int    // of all games
	Selected string // which matches count, as the end of the heading; "": all
	Quiet    bool   // print only the table
}

// CombinedJSON is the JSON form of the standings of several games.
type CombinedJSON struct {
	standings.Combined
	Filter *standings.Filter `json:"filter,omitempty"` // which matches count; nil: all
}

// Export returns the standings for other programs.
func (v Combined) Export() Exported {
	return Exported{Name: strings.Join(v.Of.Games, " "), Table: v.table(true), Page: v.page()}
}

// Print prints the standings for people.
func (v Combined) Print(p *Printer) { v.page().Print(p) }

func (v Combined) page() Page {
	page := Page{Tables: []Table{v.table(false)}}
	if !v.Quiet {
		what := "sum of places"
		if v.Of.Sum == standings.Percent {
			what = "sum of scores in per cent of the best"
		}
		page.Title = fmt.Sprintf("%s: %s, %s, %s%s", strings.Join(v.Of.Games, ", "), what,
			Plural(len(v.Of.Rows), "bot"), Plural(v.Matches, "match"), v.Selected)
		page.Notes = v.notes()
	}
	return page
}

// notes says what a game that a bot has not played counts.
func (v Combined) notes() []string {
	for _, r := range v.Of.Rows {
		for _, g := range r.Games {
			switch {
			case g.Played > 0:
			case v.Of.Sum == standings.Places:
				return []string{"-: not played, which counts as the place behind all that have played."}
			default:
				return []string{"-: not played, which counts 0."}
			}
		}
	}
	return nil
}

// table returns bots × games; exact, for other programs, or rounded, for people.
func (v Combined) table(forPrograms bool) Table {
	number := Number
	if forPrograms {
		number = exact
	}
	t := Table{Header: []string{"rank", "bot"}, Right: []bool{true, false}}
	for i, game := range v.Of.Games {
		t.addColumn(game, true, i+1)
	}
	t.addColumn(string(v.Of.Sum), true, 0)
	t.Shade = func(row, column int) Colour {
		if column == 1 && v.Of.Rows[row].Rank == 1 {
			return Bold
		}
		return ""
	}
	for _, r := range v.Of.Rows {
		row := []any{r.Rank, r.Bot}
		for _, g := range r.Games {
			switch {
			case g.Played == 0 && !forPrograms:
				row = append(row, "-")
			case v.Of.Sum == standings.Places:
				row = append(row, g.Place)
			default:
				row = append(row, number(g.Percent))
			}
		}
		t.Add(append(row, number(r.Total))...)
	}
	return t
}
