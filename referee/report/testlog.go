package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// LoggedTest is a line of the log of tests.
type LoggedTest struct {
	V       int       `json:"v"`
	Date    time.Time `json:"date"` // when the test ended
	Game    string    `json:"game"`
	Bot     string    `json:"bot"`               // as the user named it
	Place   string    `json:"place"`             // see program.Entrant.PlaceIn
	Against string    `json:"against,omitempty"` // the opponent, if it is not the game's
	Digest  string    `json:"digest"`            // of the bot
	// Commit is the one that was checked out in the Git repository of the bot's file,
	// which may have changed since; "" if there is none.
	Commit string `json:"commit,omitempty"`
	// Set is a digest of the cases, their limits, the opponent and the formula: totals
	// of tests that share it can be compared.
	Set     string        `json:"set"`
	Cases   int           `json:"cases"`
	Matches int           `json:"matches"`
	OK      int           `json:"ok"`    // matches with verdict ok
	Score   float64       `json:"score"` // the total
	Points  float64       `json:"points"`
	Groups  []LoggedGroup `json:"groups"`
}

// LoggedGroup is what a group of cases earned.
type LoggedGroup struct {
	Name   string  `json:"name"`
	Score  float64 `json:"score"`
	Points float64 `json:"points"`
}

// Version returns the beginning of the bot's digest.
func (t LoggedTest) Version() string { return fmt.Sprintf("%.8s", t.Digest) }

// when is the date for people.
func (t LoggedTest) when() string { return t.Date.UTC().Format("2006-01-02 15:04") }

// EarlierTests are a bot's earlier tests on the same cases under the same conditions.
type EarlierTests struct {
	Tests int        `json:"tests"`
	Last  LoggedTest `json:"last"`
	Best  LoggedTest `json:"best"` // the first of those with the highest total
}

// NewEarlierTests chooses from the log, the oldest first, what a test is compared with;
// nil if there is nothing.
func NewEarlierTests(log []LoggedTest, now LoggedTest) *EarlierTests {
	var e EarlierTests
	for _, t := range log {
		if t.Place != now.Place || t.Game != now.Game || t.Set != now.Set {
			continue
		}
		if e.Tests++; e.Tests == 1 || t.Score > e.Best.Score {
			e.Best = t
		}
		e.Last = t
	}
	if e.Tests == 0 {
		return nil
	}
	return &e
}

// sentence compares a total with those of earlier tests; "" if all are the same.
func (e *EarlierTests) sentence(now float64) string {
	switch {
	case e == nil || e.Last.Score == now && e.Best.Score == now:
		return ""
	case now > e.Best.Score:
		return fmt.Sprintf("total: %s, the best of %s on these cases; before: %s, at best %s (version %s of %s)",
			Points(Number(now)), Plural(e.Tests+1, "test"), Number(e.Last.Score), Number(e.Best.Score), e.Best.Version(), e.Best.when())
	}
	return fmt.Sprintf("total: %s; before: %s, at best %s (version %s of %s)",
		Points(Number(now)), Number(e.Last.Score), Number(e.Best.Score), e.Best.Version(), e.Best.when())
}

// TestLog is the log of a bot's tests.
type TestLog struct {
	Tests []LoggedTest `json:"tests"` // the newest first
}

// Print prints a table for each game.
func (l TestLog) Print(p *Printer) {
	var games []string
	for _, t := range l.Tests {
		if !slices.Contains(games, t.Game) {
			games = append(games, t.Game)
		}
	}
	for i, g := range games {
		if i > 0 {
			p.Printf("\n")
		}
		if len(games) > 1 {
			p.Printf("%s\n\n", p.Style(Bold, g))
		}
		of := slices.DeleteFunc(slices.Clone(l.Tests), func(t LoggedTest) bool { return t.Game != g })
		table, several := logTable(of)
		p.Table(table)
		if several {
			p.Say("\nset: the cases, limits and opponent; totals of different sets can't be compared.\n")
		}
	}
}

// logTable returns a line for each test, and whether they are on several sets.
func logTable(tests []LoggedTest) (t Table, several bool) {
	var sets, groups []string
	best := make(map[string]LoggedTest) // the first of those with the highest total, by set
	times := make(map[string]int)
	against, commit := false, false
	for _, one := range slices.Backward(tests) {
		if !slices.Contains(sets, one.Set) {
			sets = append(sets, one.Set)
		}
		if one.Score > best[one.Set].Score {
			best[one.Set] = one
		}
		times[one.Set]++
		against, commit = against || one.Against != "", commit || one.Commit != ""
		for _, g := range one.Groups {
			if len(one.Groups) > 1 && !slices.Contains(groups, g.Name) {
				groups = append(groups, g.Name)
			}
		}
	}
	several = len(sets) > 1
	t.Rows = make([][]string, len(tests))
	column := func(header string, right bool, spare int, cell func(LoggedTest) any) {
		t.addColumn(header, right, spare)
		for i, one := range tests {
			t.Rows[i] = append(t.Rows[i], fmt.Sprint(cell(one)))
		}
	}
	column("date (UTC)", false, 0, func(one LoggedTest) any { return one.when() })
	column("version", false, 0, func(one LoggedTest) any { return one.Version() })
	if commit {
		column("commit", false, 0, func(one LoggedTest) any { return fmt.Sprintf("%.8s", one.Commit) })
	}
	if against {
		column("against", false, 0, func(one LoggedTest) any { return cmp.Or(one.Against, "-") })
	}
	if several {
		column("set", true, 0, func(one LoggedTest) any { return slices.Index(sets, one.Set) + 1 })
	}
	column("cases", true, 0, func(one LoggedTest) any { return one.Cases })
	column("ok", true, 0, func(one LoggedTest) any { return fmt.Sprintf("%d/%d", one.OK, one.Matches) })
	column("total", true, 0, func(one LoggedTest) any { return Number(one.Score) })
	column("", false, 0, func(one LoggedTest) any {
		if times[one.Set] > 1 && one.Score > 0 && one.Date.Equal(best[one.Set].Date) {
			return "best"
		}
		return ""
	})
	for i, name := range groups {
		column(name, true, i+1, func(one LoggedTest) any {
			if n := slices.IndexFunc(one.Groups, func(g LoggedGroup) bool { return g.Name == name }); n >= 0 {
				return Number(one.Groups[n].Score)
			}
			return "-"
		})
	}
	return t, several
}
