package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"umpire/referee/record"
	"umpire/referee/standings"
)

// BotSuites collects the matches of every bot, as JUnit shows them.
type BotSuites struct {
	rows   []standings.Row
	names  *record.BotNames
	checks map[standings.Bot][]Check
}

// NewBotSuites begins with the matches of no bot of exported standings.
func NewBotSuites(e Exported) BotSuites {
	return BotSuites{e.Rows, e.names(), make(map[standings.Bot][]Check)}
}

// Add counts a record.
func (b BotSuites) Add(r record.Record) {
	for i, s := range r.Seats {
		var others []string
		for j, o := range r.Seats {
			if j != i {
				others = append(others, b.names.Of(r.Game, o.Bot, o.Digest, o.House))
			}
		}
		bot := standings.Bot{Name: s.Bot, Digest: s.Digest, House: s.House}
		b.checks[bot] = append(b.checks[bot], Check{
			Group: r.Case.Group, Name: fmt.Sprintf("%s, seat %d against %s, match %d", r.Case.Name, i+1, strings.Join(others, ", "), max(1, r.Repetition)),
			Time: micros(s.WallUS), Verdict: s.Verdict, Detail: s.Detail, More: more(r, nil, i+1), Stderr: plainStderr(s),
		})
	}
}

// Suites returns the matches of every bot of the standings, in order of cases.
func (b BotSuites) Suites(noTimes bool) (suites []Suite) {
	for _, row := range b.rows {
		suite := newSuite(row.Bot, b.checks[row.Key()])
		if noTimes {
			for i := range suite.Checks {
				suite.Checks[i].Time = 0
			}
		}
		slices.SortFunc(suite.Checks, func(a, b Check) int {
			return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Name, b.Name))
		})
		suites = append(suites, suite)
	}
	return suites
}
