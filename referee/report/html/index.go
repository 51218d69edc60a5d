package html

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
)

// indexView is the first page.
type indexView struct {
	chrome
	rankingView
	Game, Summary, When string
	Story               *story // nil: there is none
	Scores              *grid
	ScoresNote          string
	Groups, Cases       *grid
	Unplayed            []collect.Unplayed
	Facts               []Fact
	Runs                []Run
	Lists               []string
}

// newIndex returns what the first page says of the standings.
func (s *Site) newIndex() (indexView, error) {
	out, view := s.out(), s.view
	noted := view
	noted.Missing = 0 // the story tells how far it has come
	r := ranking{noted, botLink, func(row, opponent int) string { return pairLink("", row, opponent) }}
	title := page.SafeLine(view.Game.Title)
	v := indexView{
		rankingView: r.show(), Game: title, Runs: safeRuns(s.Runs),
		Summary: fmt.Sprintf("%s, %s", report.Plural(len(view.Of.Ranked()), "bot"), report.Plural(view.Of.Matches, "match")),
	}
	for n := range pagesOf(s.Matches()) {
		v.Lists = append(v.Lists, listName(n+1))
	}
	scripts := []string{sortText}
	var err error
	if m := r.crossMap(); m != nil {
		scripts = append(scripts, page.UnpackScript(), crossText)
		v.Map, err = out.pack(m)
	}
	v.chrome = out.chrome(title+": report", SiteStyle(), scripts...)
	return v, err
}

// addMatches adds what is known when all matches have been collected.
func (v *indexView) addMatches(c *collect.Collector, scores scoring.Scores, scored bool, why string) {
	v.When = span(c.Conditions.From, c.Conditions.To)
	for _, name := range slices.Sorted(maps.Keys(c.Conditions.Values)) {
		v.Facts = append(v.Facts, Fact{name, strings.Join(slices.Sorted(maps.Keys(c.Conditions.Values[name])), ", ")})
	}
	v.Plots = drawings(c.Standings.Plots(c.Breakdown()))
	addAccuracy(&v.Standings, c)
	v.Groups, v.Unplayed = groupTable(c), c.Unplayed
	if scored {
		v.Scores, v.Cases = scoreTable(c, scores), caseTable(c, scores)
		v.ScoresNote = fmt.Sprintf("Formula %s, %s", page.SafeLine(scores.Formula), points(scores.Points))
	} else if why != "" {
		v.Notes = append(v.Notes, note{Text: "No points by formula: " + page.Published(why)})
	}
	for i := range v.Runs {
		v.Runs[i].Commands = slices.DeleteFunc(v.Runs[i].Commands, func(c Command) bool { return c.Scores && !scored })
	}
	v.Story = newStory(c, scores, scored)
}

func safeRuns(runs []Run) []Run {
	out := slices.Clone(runs)
	for i := range out {
		r := &out[i]
		r.Name, r.Config = page.PublishedLine(r.Name), page.Published(page.Clip(r.Config, page.MaxText))
		r.Facts, r.Commands = slices.Clone(r.Facts), slices.Clone(r.Commands)
		for n := range r.Facts {
			r.Facts[n].Value = page.PublishedLine(r.Facts[n].Value)
		}
		for n := range r.Commands {
			r.Commands[n].Line = page.PublishedLine(r.Commands[n].Line)
		}
	}
	return out
}

// span is a stretch of time in words; records give it in RFC 3339.
func span(from, to string) string {
	day := func(t string) string { return strings.Replace(t[:min(16, len(t))], "T", " ", 1) }
	switch {
	case from == "":
		return ""
	case day(from) == day(to):
		return day(from) + " UTC"
	}
	return day(from) + " to " + day(to) + " UTC"
}

// groupTable is each bot's mean score by group; nil if there is but one group.
func groupTable(c *collect.Collector) *grid {
	if len(c.Groups) < 2 {
		return nil
	}
	g := grid{Caption: "Mean score by group", Header: heads(1, append([]string{"bot"}, c.Groups...)...)}
	most := make(map[string]float64)
	for _, b := range c.Bots {
		for group, n := range b.Groups {
			most[group] = max(most[group], n.Mean())
		}
	}
	rows := c.Standings.Of.Rows
	for i, row := range rows[:min(maxRows, len(rows))] {
		cells := []cell{{Text: page.SafeLine(row.Bot), Link: botLink(i), Name: true}}
		for _, group := range c.Groups {
			n := c.Bots[i].Groups[group]
			if n == nil {
				cells = append(cells, cell{})
				continue
			}
			cells = append(cells, cell{Text: fmt.Sprintf("%.2f", n.Mean()), Right: true, Bar: barOf(n.Mean(), most[group])})
		}
		g.Rows = append(g.Rows, cells)
	}
	g.align()
	return &g
}

// addAccuracy adds the bots' accuracy to the standings.
func addAccuracy(g *grid, c *collect.Collector) {
	if !c.IsAnalysed() {
		return
	}
	note := ""
	for n := range g.Rows {
		row := c.Standings.Of.Rows[n]
		one := cell{Right: true}
		if b := c.Worth(row); b != nil {
			if note == "" {
				var head string
				head, note = report.AccuracyIs(b.Classes)
				g.Header = append(g.Header, cell{Text: head, Right: true})
			}
			if share, ok := b.Accuracy(b.Classes); ok {
				one.Text = fmt.Sprintf("%.1f %%", 100*share)
			}
		}
		g.Rows[n] = append(g.Rows[n], one)
	}
	g.Note = strings.TrimSpace(g.Note + " " + note)
}
