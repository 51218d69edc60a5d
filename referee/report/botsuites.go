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
type BotSuites map[standings.Bot][]Check

// Add counts a record.
func (b BotSuites) Add(r record.Record) {
	for i, s := range r.Seats {
		var others []string
		for j, o := range r.Seats {
			if j != i {
				others = append(others, o.Bot)
			}
		}
		bot := standings.Bot{Name: s.Bot, Digest: s.Digest}
		b[bot] = append(b[bot], Check{
			Group: r.Case.Group, Name: fmt.Sprintf("%s, seat %d against %s, match %d", r.Case.Name, i+1, strings.Join(others, ", "), max(1, r.Repetition)),
			Time: micros(s.WallUS), Verdict: s.Verdict, Detail: s.Detail, More: more(r, nil, i+1), Stderr: plainStderr(s),
		})
	}
}

// Suites returns the matches of every bot of the standings, in order of cases.
func (b BotSuites) Suites(rows []standings.Row, noTimes bool) (suites []Suite) {
	for _, row := range rows {
		suite := newSuite(row.Bot, b[row.Key()])
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
