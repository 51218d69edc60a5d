package report_test

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/report"
)

// TestGames: a line for each game; where the terminal is too narrow, titles are
// shortened in the middle, and nothing else.
func TestGames(t *testing.T) {
	list := report.Games{
		{Of: protocols.Game{Name: "nim", Title: "Nim", MinSeats: 2, MaxSeats: 2}, Facts: report.GameJSON{Cases: 25, Bots: []string{"random", "perfect"}}},
		{Of: protocols.Game{Name: "nim-1", Title: "Nim (منچ), part 1, one heap", MinSeats: 1, MaxSeats: 4}, Facts: report.GameJSON{Cases: 6, Bots: []string{"reference"}}},
	}
	for columns, want := range map[int]string{
		120: `game   title                        seats  cases  bots
nim    Nim                          2      25     @random @perfect
nim-1  Nim (منچ), part 1, one heap  1-4    6      @reference
`,
		60: `game   title                  seats  cases  bots
nim    Nim                    2      25     @random @perfect
nim-1  Nim (منچ),…, one heap  1-4    6      @reference
`,
	} {
		var out strings.Builder
		p := report.NewPrinter(&out)
		p.Columns = func() int { return columns }
		list.Print(p)
		if out.String() != want {
			t.Errorf("%d columns: found\n%s\nexpected\n%s", columns, &out, want)
		}
	}
}
