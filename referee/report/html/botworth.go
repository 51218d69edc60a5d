package html

import (
	"fmt"
	"html/template"
	"strings"

	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
)

// analyse values the replies of a match, if that is wanted and can be done.
func (p *played) analyse(s *Site, r record.Record) {
	if s.Analysed == nil {
		return
	}
	_ = referee.Guard(func() (err error) { // what is wrong with the record, its replay says
		p.worth, err = s.Analysed.Of(r, s.Games, nil)
		return err
	})
	p.record = &r
}

// analyse counts what replies were worth, without those of a house that is not listed.
func (c *collector) analyse(p *played, rows []int, link string) {
	m := p.worth
	if m == nil {
		return
	}
	for i, n := range rows {
		if n < 0 || p.summary.Seats[i].House && !c.site.table.Rows[n].House {
			m.Seats[i].Analysed = false
		}
	}
	c.analysed.Add(m, analysis.At{Link: link, Number: c.match, Record: p.record})
	p.worth, p.record = nil, nil
}

// worthOf is what a bot's replies were worth; nil if that is not known.
func (c *collector) worthOf(name, digest string) *analysis.Bot {
	return c.analysed.Bot(c.site.Game.Name, name, digest)
}

// addAccuracy adds the bots' accuracy to the standings.
func (c *collector) addAccuracy(g *grid) {
	if c.analysed.Matches == 0 {
		return
	}
	note := ""
	for n := range g.Rows {
		row := c.site.table.Rows[n]
		one := cell{Right: true}
		if b := c.worthOf(row.Name, row.Digest); b != nil {
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

// botWorth is the part of a bot's page that says what its replies were worth.
type botWorth struct {
	Facts []Fact
	Title string // of the moves
	Worst []worstMove
	Note  string
}

// worstMove is one of the moves that lost most.
type worstMove struct {
	Match, Step int
	Link, Case  string
	Seat        int
	Class, Text string
	Best        string
	Times       int
	Board       template.HTML // before the move; "" where it can't be drawn
}

// newBotWorth sums up what a bot's replies were worth.
func (s *Site) newBotWorth(b *analysis.Bot) *botWorth {
	values := report.ValuesOfBot(b)
	head, note := report.AccuracyIs(b.Classes)
	w := &botWorth{Title: "Worst moves", Note: note + " Values are in " + b.Unit + ", " + b.Method + "."}
	if share, ok := b.Accuracy(b.Classes); ok {
		w.Facts = append(w.Facts, Fact{head, fmt.Sprintf("%.1f %%", 100*share)})
	}
	if b.Classes.Opinion != "" {
		w.Title = "Moves that differ most from " + b.Classes.Opinion
		w.Facts = append(w.Facts, Fact{"mean difference", report.Number(b.Mean) + " " + b.Unit})
	} else {
		w.Facts = append(w.Facts, Fact{"mean loss", report.Number(b.Mean) + " " + b.Unit + " a choice"},
			Fact{"marked", replay.Marks(b.Inaccuracies, b.Mistakes, b.Blunders) + " in " + report.Plural(b.Choices, "choice")})
	}
	if b.Lost > 0 {
		thirds := make([]string, 0, len(b.Thirds))
		for i, lost := range b.Thirds {
			thirds = append(thirds, fmt.Sprintf("%s %.0f %%", [...]string{"beginning", "middle", "end"}[i], 100*lost/b.Lost))
		}
		w.Facts = append(w.Facts, Fact{"lost by third of the match", strings.Join(thirds, ", ")})
	}
	for _, move := range b.Worst {
		one := worstMove{
			Match: move.Number, Step: move.Step, Link: move.Link + fmt.Sprintf("#step=%d", move.Step), Case: page.SafeLine(move.Case), Seat: move.Seat,
			Class: string(replay.Grade(move.Move)), Text: page.SafeLine("Played " + page.Shorten(move.Reply) + ": " + values.Worth(move.Move)), Best: page.SafeLine(values.BestReply(move.Move)), Times: move.Times,
		}
		if move.Record != nil {
			one.Board = replay.BoardBefore(*move.Record, s.Games, move.Move) // without a picture, the words remain
		}
		w.Worst = append(w.Worst, one)
	}
	return w
}
