package html

import (
	"cmp"
	"fmt"

	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
)

// maxScoreBot is how many submissions a table of cases has.
const maxScoreBot = 40

// scoreTable is the submissions' points by group.
func scoreTable(c *collect.Collector, scores scoring.Scores) *grid {
	g := grid{Caption: "Points", Header: []cell{{Text: "rank", Right: true}, {Text: "bot"}}}
	for _, group := range scores.Groups {
		name := page.SafeLine(cmp.Or(group.Name, "no group"))
		g.Header = append(g.Header, cell{Text: fmt.Sprintf("%s (%s)", name, report.Number(group.Points)), Right: true})
	}
	g.Header = append(g.Header, cell{Text: "total", Right: true}, cell{Text: "not ok"})
	for _, one := range scores.Submissions {
		cells := []cell{number(one.Rank), botCell(c, one)}
		for i, group := range one.Groups {
			cells = append(cells, cell{Text: report.Number(group.Score), Right: true, Bar: barOf(group.Score, mostIn(scores, i))})
		}
		cells = append(cells, decimal(report.Number(one.Score)), text(report.Marks(one.Verdicts)))
		g.Rows = append(g.Rows, cells)
	}
	g.align()
	return &g
}

// botCell names a submission, with a link to its page.
func botCell(c *collect.Collector, one scoring.Score) cell {
	bot := cell{Text: page.SafeLine(one.Bot), Name: true}
	if row := c.RowOf(one); row >= 0 {
		bot.Link = botLink(row)
	}
	return bot
}

// mostIn is the points of a group or, if that is more, the best score there.
func mostIn(scores scoring.Scores, group int) float64 {
	most := scores.Groups[group].Points
	for _, s := range scores.Submissions {
		most = max(most, s.Groups[group].Score)
	}
	return most
}

// caseTable is the submissions' points by case; nil if there are too many to
// read it.
func caseTable(c *collect.Collector, scores scoring.Scores) *grid {
	all := scores.Submissions
	if len(all) == 0 || len(all) > maxScoreBot || len(all[0].Cases) > maxCases {
		return nil
	}
	g := grid{Caption: "Points by case", Header: heads(1, "case")}
	for _, one := range all {
		g.Header = append(g.Header, cell{Text: page.SafeLine(one.Bot), Right: true, Name: true})
	}
	for n, on := range all[0].Cases {
		cells := []cell{text(page.SafeLine(on.Name))}
		most := on.P
		for _, one := range all {
			most = max(most, one.Cases[n].Score)
		}
		for _, one := range all {
			score := one.Cases[n]
			failed := ""
			for _, m := range score.Matches {
				if m.Verdict != "ok" {
					failed = " " + page.SafeLine(m.Verdict)
				}
			}
			share := 0.5
			if most > 0 {
				share = score.Score / most
			}
			row := c.RowOf(one)
			cells = append(cells, cell{
				Text: report.Number(score.Score) + failed, Right: true, Heat: heat(share), Link: caseLink("", row, page.SafeLine(on.Name)),
				Label: page.SafeLine(one.Bot) + " on " + page.SafeLine(on.Name),
			})
		}
		g.Rows = append(g.Rows, cells)
	}
	g.align()
	return &g
}

func points(n float64) string {
	if n == 1 {
		return "1 point in all"
	}
	return report.Number(n) + " points in all"
}
