package html

import (
	"fmt"
	"slices"

	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// story is what the first page says before its tables: who is first and how sure that is,
// how much is played, which matches to look at, and how many failed.
type story struct {
	Title    string
	Podium   []honoured
	Ahead    *ahead    // nil: that is not known
	Progress *progress // nil: all is played
	Failures string    // by verdict; "": none
	collect.Highlights
}

// honoured is one of the first three.
type honoured struct{ Rank, Name, Link, Result string }

// ahead says how probably the first is stronger than the second.
type ahead struct{ First, Second, Sure string }

// progress is how far a run has come.
type progress struct {
	Played, Total int
	Words         string
}

// newStory tells the story of all matches; nil if there is none to tell.
func newStory(c *collect.Collector, scores scoring.Scores, scored bool) *story {
	view := c.Standings
	t, bots := &story{Title: "Result", Highlights: c.Highlights, Podium: podium(view)}, len(view.Of.Ranked())
	if scored {
		t.Podium, bots = scorePodium(c, scores), len(scores.Submissions)
	}
	first, second, sure, ok := view.FirstAhead()
	if ok && t.leads(page.SafeLine(first), page.SafeLine(second)) {
		t.Ahead = &ahead{page.SafeLine(first), page.SafeLine(second), sure}
	}
	if total := view.Total; view.Missing > 0 {
		played := total - view.Missing
		t.Title = "Result so far"
		t.Progress = &progress{played, total, fmt.Sprintf("%d of %s played, %d %%", played, report.Plural(total, "match"), 100*played/total)}
	}
	if !slices.ContainsFunc(view.Of.Rows, func(row standings.Row) bool { return row.Played > 0 }) {
		t.Podium, t.Ahead, bots = nil, nil, 0 // nobody is first where no match has a result
	}
	failed := make(map[string]int)
	for _, row := range view.Of.Rows {
		for verdict, n := range row.Failures {
			failed[verdict] += n
		}
	}
	t.Failures = report.Marks(failed)
	if bots < 2 && t.Progress == nil && t.Failures == "" {
		return nil
	}
	return t
}

// leads reports whether the first two that are honoured are these, and not tied.
func (t *story) leads(first, second string) bool {
	p := t.Podium
	return len(p) > 1 && p[0].Name == first && p[1].Name == second && p[0].Rank != p[1].Rank
}

// firstThree are those honoured of n, who are in the order of their ranks. Where more share a
// place than three have room for, one stands for all of them.
func firstThree(n int, at func(int) honoured) (list []honoured) {
	for i := 0; i < min(3, n); {
		tied, end := []honoured{at(i)}, i+1
		for ; end < n && at(end).Rank == tied[0].Rank; end++ {
			tied = append(tied, at(end))
		}
		if end > 3 {
			tied[0].Result = fmt.Sprintf("and %d more share the %s place", len(tied)-1, [...]string{"first", "second", "third"}[i])
			tied = tied[:1]
		}
		list, i = append(list, tied...), end
	}
	return list
}

// podium is the first three of the standings.
func podium(view report.Standings) []honoured {
	rows := view.Of.Ranked()
	return firstThree(len(rows), func(i int) honoured {
		row := rows[i]
		result := fmt.Sprintf("%d won, %d drawn, %d lost", row.Won, row.Drawn, row.Lost)
		if view.Game.MaxSeats == 1 {
			result = report.Points(fmt.Sprint(row.Points))
		}
		return honoured{fmt.Sprint(row.Rank), page.SafeLine(row.Bot), botLink(i), result}
	})
}

// scorePodium is the first three submissions of a scoring.
func scorePodium(c *collect.Collector, scores scoring.Scores) []honoured {
	return firstThree(len(scores.Submissions), func(i int) honoured {
		one := scores.Submissions[i]
		bot := botCell(c, one)
		return honoured{fmt.Sprint(one.Rank), bot.Text, bot.Link, points(one.Score)}
	})
}
