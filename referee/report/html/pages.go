package html

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"sync"

	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
)

var (
	//go:embed site.html
	siteTemplates string
	//go:embed site.css
	siteText string
	//go:embed replays.css
	replaysText string
	//go:embed choose.js
	chooseText string
	//go:embed copy.js
	copyText string
	//go:embed sort.js
	sortText string
	//go:embed cross.js
	crossText string
	//go:embed list.js
	listText string
	//go:embed matches.js
	matchesText string
	//go:embed pairs.js
	pairsText string
)

// sitePages are the pages of a site: index, bot, matches, replays and missing.
var sitePages = sync.OnceValue(func() *template.Template { return page.Parse("site", siteTemplates) })

// chrome holds the parts that all pages of a site share.
type chrome struct {
	Title  string
	Root   string // path to the folder of the site
	Policy string
	Style  template.HTML // elements of the page's own, none of it from a record
	Script []template.HTML
}

func (s *Site) newChrome(title, root, style string, scripts ...string) chrome {
	if s.Script != "" {
		scripts = append([]string{s.Script}, scripts...)
	}
	c := chrome{Title: title, Root: root, Policy: page.Policy(style, scripts...), Style: page.StyleElement(style)}
	for _, script := range scripts {
		c.Script = append(c.Script, template.HTML("<script>"+script+"</script>"))
	}
	return c
}

// The most rows and columns on a page.
const (
	maxRows     = 2000 // of the standings
	maxCrossed  = 40   // bots of a crosstable in figures
	maxMapped   = 1000 // bots of one that is a map
	maxOpposed  = 200  // opponents on a bot's page
	maxCases    = 500  // cases in a table
	maxScoreBot = 40   // submissions in a table of cases
)

// indexView is the first page.
type indexView struct {
	chrome
	Game, Summary, When string
	Notes               []note
	Story               *story // nil: there is none
	Scores              *grid
	ScoresNote          string
	Standings           grid
	Plots               []drawing
	Certainty           *grid
	Crosstable          *grid
	Map                 template.HTML // of a larger crosstable, packed; "": there is none
	Groups, Cases       *grid
	Rounds              []round
	Bracket             bool // the winners of two encounters meet in the next round
	Facts               []Fact
	Runs                []Run
	Lists               []string
}

// round is a round of a Swiss tournament or knockout.
type round struct {
	Title    string
	Meetings []meeting
}

// meeting is a pair in a round.
type meeting struct {
	Sides  []side
	Result string
	Link   string
}

type side struct {
	Name, Link, Points string
	Won                bool
}

// newIndex returns what the first page says of the standings.
func (s *Site) newIndex() (v indexView, err error) {
	v = indexView{
		chrome: s.newChrome(page.SafeLine(s.Game.Title)+": report", "", page.Style()+siteText, sortText),
		Game:   page.SafeLine(s.Game.Title), Runs: safeRuns(s.Runs),
		Summary: fmt.Sprintf("%s, %s", report.Plural(len(s.table.Ranked()), "bot"), report.Plural(s.table.Matches, "match")),
	}
	noted := s.view
	noted.Missing = 0 // the story tells how far it has come
	r := ranking{noted, botLink, func(row, opponent int) string { return pairLink("", row, opponent) }}
	v.Notes, v.Standings = r.notes(), r.standings()
	v.Certainty, v.Rounds, v.Crosstable = r.certainty(), r.rounds(), r.crosstable()
	v.Bracket = isBracket(v.Rounds)
	if m := r.crossMap(); m != nil {
		v.chrome = s.newChrome(v.Title, "", page.Style()+siteText, sortText, page.UnpackScript(), crossText)
		v.Map, err = page.Pack(m)
	}
	return v, err
}

// Preview returns the page of the standings, which are known when all records have been
// added; what else the first page shows must be read again.
func (s *Site) Preview() ([]byte, error) {
	s.rank()
	v, err := s.newIndex()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = sitePages().ExecuteTemplate(&b, "index", v)
	return b.Bytes(), err
}

// writePages writes the pages that show all matches together.
func (s *Site) writePages(c *collector) error {
	v, err := s.newIndex()
	if err != nil {
		return err
	}
	v.When, v.Facts = span(c.from, c.to), c.conditions()
	for n := range pagesOf(s.Matches()) {
		v.Lists = append(v.Lists, listName(n+1))
	}
	v.Plots = drawings(s.view.Plots(c.breakdown()))
	c.addAccuracy(&v.Standings)
	v.Groups = s.groupTable(c)
	scores, ok, why := c.scores()
	if ok {
		v.Scores, v.Cases = s.scoreTable(scores), s.caseTable(scores)
		v.ScoresNote = fmt.Sprintf("Formula %s, %s", page.SafeLine(scores.Formula), points(scores.Points))
	} else if why != "" {
		v.Notes = append(v.Notes, note{Text: "No points by formula: " + page.Safe(why)})
	}
	v.Story = s.newStory(c, scores, ok)
	var b bytes.Buffer
	if err := sitePages().ExecuteTemplate(&b, "index", v); err != nil {
		return err
	}
	if err := s.write("index.html", b.Bytes()); err != nil {
		return err
	}
	return s.writeBots(c, scores)
}

func points(n float64) string {
	if n == 1 {
		return "1 point in all"
	}
	return report.Number(n) + " points in all"
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

// conditions are the properties that the matches have in common.
func (c *collector) conditions() (facts []Fact) {
	for _, name := range sortedKeys(c.facts) {
		text := ""
		for i, value := range sortedKeys(c.facts[name]) {
			if i > 0 {
				text += ", "
			}
			text += value
		}
		if text != "" {
			facts = append(facts, Fact{name, text})
		}
	}
	return facts
}

// botLink is the page of the bot in that row of the standings.
func botLink(row int) string { return fmt.Sprintf("bots/%d.html", row+1) }

// caseLink lists the matches of a row of the standings on a case.
func caseLink(root string, row int, name string) string {
	return fmt.Sprintf("%smatches.html#bot=%d&case=%s", root, row+1, url.QueryEscape(name))
}

// groupTable is each bot's mean score by group; nil if there is but one group.
func (s *Site) groupTable(c *collector) *grid {
	if len(c.groups) < 2 {
		return nil
	}
	groups := slices.Sorted(slices.Values(c.groups))
	g := grid{Caption: "Mean score by group", Header: heads(1, append([]string{"bot"}, groups...)...)}
	most := make(map[string]float64)
	for _, b := range c.bots {
		for group, n := range b.groups {
			most[group] = max(most[group], n.Mean())
		}
	}
	for i, row := range s.table.Rows[:min(maxRows, len(s.table.Rows))] {
		cells := []cell{{Text: page.SafeLine(row.Bot), Link: botLink(i), Name: true}}
		for _, group := range groups {
			n := c.bots[i].groups[group]
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

// scoreTable is the submissions' points by group.
func (s *Site) scoreTable(scores scoring.Scores) *grid {
	g := grid{Caption: "Points", Header: []cell{{Text: "rank", Right: true}, {Text: "bot"}}}
	for _, group := range scores.Groups {
		name := page.SafeLine(cmp.Or(group.Name, "no group"))
		g.Header = append(g.Header, cell{Text: fmt.Sprintf("%s (%s)", name, report.Number(group.Points)), Right: true})
	}
	g.Header = append(g.Header, cell{Text: "total", Right: true}, cell{Text: "not ok"})
	index := s.rows()
	for _, one := range scores.Submissions {
		cells := []cell{number(one.Rank), s.botCell(index, one)}
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
func (s *Site) botCell(index map[[2]string]int, one scoring.Score) cell {
	c := cell{Text: page.SafeLine(one.Bot), Name: true}
	if row, ok := index[[2]string{one.Bot, one.Digest}]; ok {
		c.Link = botLink(row)
	}
	return c
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
func (s *Site) caseTable(scores scoring.Scores) *grid {
	all := scores.Submissions
	if len(all) == 0 || len(all) > maxScoreBot || len(all[0].Cases) > maxCases {
		return nil
	}
	g := grid{Caption: "Points by case", Header: heads(1, "case")}
	for _, one := range all {
		g.Header = append(g.Header, cell{Text: page.SafeLine(one.Bot), Right: true, Name: true})
	}
	index := s.rows()
	for n, c := range all[0].Cases {
		cells := []cell{text(page.SafeLine(c.Name))}
		most := c.P
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
			cells = append(cells, cell{
				Text: report.Number(score.Score) + failed, Right: true, Heat: heat(share), Link: caseLink("", index[[2]string{one.Bot, one.Digest}], page.SafeLine(c.Name)),
				Label: page.SafeLine(one.Bot) + " on " + page.SafeLine(c.Name),
			})
		}
		g.Rows = append(g.Rows, cells)
	}
	g.align()
	return &g
}
