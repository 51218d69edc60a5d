package html

import (
	"fmt"

	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
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
	t := &story{Title: "Result", Highlights: c.Highlights, Podium: podium(view)}
	if scored {
		t.Podium = scorePodium(c, scores)
	}
	first, second, sure, ok := view.FirstAhead()
	if ok && (!scored || len(t.Podium) > 1 && t.Podium[0].Name == page.SafeLine(first) && t.Podium[1].Name == page.SafeLine(second)) {
		t.Ahead = &ahead{page.SafeLine(first), page.SafeLine(second), sure}
	}
	if total := view.Total; view.Missing > 0 {
		played := total - view.Missing
		t.Title = "Result so far"
		t.Progress = &progress{played, total, fmt.Sprintf("%d of %s played, %d %%", played, report.Plural(total, "match"), 100*played/total)}
	}
	failed := make(map[string]int)
	for _, row := range view.Of.Rows {
		for verdict, n := range row.Failures {
			failed[verdict] += n
		}
	}
	t.Failures = report.Marks(failed)
	if len(t.Podium) < 2 && t.Progress == nil && t.Failures == "" {
		return nil
	}
	return t
}

// podium is the first three of the standings.
func podium(view report.Standings) (list []honoured) {
	rows := view.Of.Ranked()
	for i, row := range rows[:min(3, len(rows))] {
		result := fmt.Sprintf("%d won, %d drawn, %d lost", row.Won, row.Drawn, row.Lost)
		if view.Game.MaxSeats == 1 {
			result = report.Points(fmt.Sprint(row.Points))
		}
		list = append(list, honoured{report.RankLabel(rows, i), page.SafeLine(row.Bot), botLink(i), result})
	}
	return list
}

// scorePodium is the first three submissions of a scoring.
func scorePodium(c *collect.Collector, scores scoring.Scores) (list []honoured) {
	for _, one := range scores.Submissions[:min(3, len(scores.Submissions))] {
		bot := botCell(c, one)
		list = append(list, honoured{fmt.Sprint(one.Rank), bot.Text, bot.Link, points(one.Score)})
	}
	return list
}
