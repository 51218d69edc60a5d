package html

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
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
func (c *collector) analyse(p *played, rows []int, replay string) {
	m := p.worth
	if m == nil {
		return
	}
	for i, n := range rows {
		if n < 0 || p.summary.Seats[i].House && !c.site.table.Rows[n].House {
			m.Seats[i].Analysed = false
		}
	}
	c.analysed.Add(m, analysis.At{Link: replay, Number: c.match, Record: p.record})
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
			Fact{"marked", fmt.Sprintf("%s, %s, %s in %s", plural(b.Inaccuracies, "inaccuracy", "inaccuracies"), plural(b.Mistakes, "mistake", "mistakes"),
				plural(b.Blunders, "blunder", "blunders"), report.Plural(b.Choices, "choice"))})
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
			Match: move.Number, Step: move.Step, Link: move.Link + fmt.Sprintf("#step=%d", move.Step), Case: safeLine(move.Case), Seat: move.Seat,
			Class: string(graded(move.Move)), Text: safeLine("Played " + shorten(move.Reply) + ": " + values.Worth(move.Move)), Best: safeLine(values.BestReply(move.Move)), Times: move.Times,
		}
		if move.Record != nil {
			_ = referee.Guard(func() error { // without a picture, the words remain
				one.Board = boardBefore(*move.Record, s.Games, move.Move)
				return nil
			})
		}
		w.Worst = append(w.Worst, one)
	}
	return w
}

// boardBefore draws the board before a move, with the move and the best reply.
func boardBefore(r record.Record, games []protocols.Game, move analysis.Move) (drawn template.HTML) {
	events := 0
	_, _ = r.Replay(games, referee.Watcher{
		Awaited: func(seats []int, m protocols.Match) {
			if d, ok := m.(protocols.Drawer); ok && events <= move.Event && move.Event < events+len(seats) && slices.Contains(seats, move.Seat) {
				drawn = smallBoard(svg.WithoutStyle(d.SVG(0)), m, move)
			}
		},
		Event: func(referee.Event, *protocols.Foul, protocols.Match) { events++ },
	})
	return drawn
}

// smallBoard is the board of a picture alone, with a move and the best reply over it.
func smallBoard(drawn string, m protocols.Match, move analysis.Move) template.HTML {
	head, parts, ok := splitSVG(drawn)
	if !ok {
		return ""
	}
	if _, board, found := strings.Cut(head, ` data-board="`); found {
		board, _, _ = strings.Cut(board, `"`)
		top, tall, _ := strings.Cut(board, " ")
		before, after, _ := strings.Cut(head, ` viewBox="`)
		_, after, _ = strings.Cut(after, `"`)
		head = fmt.Sprintf(`%s viewBox="0 %s %d %s"%s`, before, top, svg.Width, tall, after)
	}
	var b strings.Builder
	b.WriteString(strings.Replace(head, ` xmlns="http://www.w3.org/2000/svg"`, "", 1))
	for _, part := range parts {
		if !strings.Contains(part[:min(len(part), 40)], `data-key="score`) && !strings.Contains(part[:min(len(part), 40)], `data-key="caption`) {
			b.WriteString(part)
		}
	}
	if d, ok := m.(protocols.ReplyDrawer); ok {
		b.WriteString(`<g class="given">` + d.DrawReply(move.Seat, move.Reply, "arrow") + "</g>" + d.DrawReply(move.Seat, move.Best, "best"))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // of games and of cleaned pictures
}
