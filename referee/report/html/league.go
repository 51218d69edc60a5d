package html

import (
	"cmp"
	"fmt"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/standings"
)

// League is the page of the standings of several games.
type League struct {
	Sum   report.Combined
	Games []LeagueGame // in the order of Sum
}

// LeagueGame is one of the games of a league.
type LeagueGame struct {
	View report.Standings
	Runs []Source // that have matches of it
}

// Source is where matches come from.
type Source struct {
	Name string
	Site string // address of its report; "": there is none
}

// leagueView is the page of a league.
type leagueView struct {
	chrome
	Heading, Summary, Lead string
	Podium                 []honoured
	Legend                 string
	Notes                  []note
	Table                  grid
	Totals                 grid
	Games                  []leagueGame
}

// leagueGame is the part of the page about one game.
type leagueGame struct {
	ID, Title string
	Runs      []Source
	Notes     []note
	Standings grid
}

// Page returns the page, which is one file.
func (l League) Page() ([]byte, error) {
	v := leagueView{
		chrome:  publisher{}.chrome("", SiteStyle(), sortText),
		Summary: fmt.Sprintf("%s, %s%s", report.Plural(len(l.Sum.Of.Rows), "bot"), report.Plural(l.Sum.Matches, "match"), page.SafeLine(l.Sum.Selected)),
		Lead:    l.lead(), Podium: l.podium(), Table: l.table(), Totals: l.totals(),
	}
	for _, text := range l.Sum.Export().Page.Notes {
		v.Notes = append(v.Notes, note{Text: page.Safe(text)})
	}
	var titles []string
	for i, g := range l.Games {
		v.Games = append(v.Games, g.part(i))
		titles = append(titles, v.Games[i].Title)
	}
	v.Heading = strings.Join(titles, ", ")
	v.Title, v.Legend = v.Heading+": "+v.Lead, "In the column of a game, what the bot has there of the best one's score, or match points where wins decide, in per cent; "+
		"the last column is their sum, of which most is best. Blue: all of it; orange: nothing."
	if l.Sum.Of.Sum == standings.Places {
		v.Legend = "In the column of a game, the bot's place there; tied bots share the better one. The last column is their sum, of which least is best. Blue: first; orange: last."
	}
	return templates.Render("league", v)
}

// lead says who is first, and by how much.
func (l League) lead() string {
	rows := l.Sum.Of.Rows
	first := 0
	for first < len(rows) && rows[first].Rank == 1 {
		first++
	}
	switch {
	case first == 0:
		return "no bots"
	case first > 2:
		return fmt.Sprintf("%s and %d more lead", page.SafeLine(rows[0].Bot), first-1)
	case first == 2:
		return fmt.Sprintf("%s and %s lead", page.SafeLine(rows[0].Bot), page.SafeLine(rows[1].Bot))
	case len(rows) == 1:
		return page.SafeLine(rows[0].Bot) + " leads"
	}
	by := max(rows[0].Total, rows[1].Total) - min(rows[0].Total, rows[1].Total)
	return fmt.Sprintf("%s leads by %s", page.SafeLine(rows[0].Bot), l.total(by))
}

// total is a sum with its unit.
func (l League) total(n float64) string {
	switch {
	case l.Sum.Of.Sum != standings.Places:
		return report.Number(n) + " %"
	case n == 1:
		return "1 place"
	}
	return report.Number(n) + " places"
}

// podium is the first three, each with what it has from every game.
func (l League) podium() []honoured {
	rows := l.Sum.Of.Rows
	return firstThree(len(rows), func(i int) honoured {
		return honoured{Rank: fmt.Sprint(rows[i].Rank), Name: page.SafeLine(rows[i].Bot), Result: l.total(rows[i].Total)}
	})
}

// table is bots × games, with the sum.
func (l League) table() grid {
	from := l.Sum.Export().Page.Tables[0]
	more := len(from.Rows) - maxRows
	from.Rows = from.Rows[:min(maxRows, len(from.Rows))]
	g := gridOf("League", from)
	for i, game := range l.Games {
		g.Header[2+i].Text = page.SafeLine(game.View.Game.Title)
		for n := range g.Rows {
			g.Rows[n][2+i].Heat = l.heat(n, i)
		}
	}
	g.align()
	if more > 0 {
		g.Note = fmt.Sprintf("%d more bots are left out here; `umpire standings --combine %s` prints all.", more, l.Sum.Of.Sum)
	}
	return g
}

// heat is the class of what a bot has from a game.
func (l League) heat(row, game int) string {
	part, last := l.Sum.Of.Rows[row].Games[game], len(l.Games[game].View.Of.Ranked())
	switch {
	case part.Played == 0:
		return "none"
	case l.Sum.Of.Sum != standings.Places:
		return heat(part.Percent / 100)
	}
	return heat(1 - float64(part.Place-1)/float64(max(1, last-1)))
}

// totals returns the table of what was played in each game.
func (l League) totals() grid {
	g := grid{Caption: "Games", Header: append(heads(2, "game", "first"), heads(0, "bots", "matches", "rounds", "failures")...)}
	for i, game := range l.Games {
		var first []string
		of, failures := game.View.Of, 0
		for _, row := range of.Ranked() {
			if row.Rank == 1 {
				first = append(first, page.SafeLine(row.Bot))
			}
		}
		for _, row := range of.Rows {
			failures += row.Failed
		}
		title := cell{Text: page.SafeLine(game.View.Game.Title), Link: "#" + gameID(i)}
		g.Rows = append(g.Rows, []cell{
			title, {Text: cmp.Or(strings.Join(first, ", "), "-"), Name: true}, number(len(of.Ranked())), number(of.Matches),
			number(len(game.View.Encounters.Rounds)), number(failures),
		})
	}
	g.fold(nil)
	return g
}

func gameID(i int) string { return fmt.Sprintf("game%d", i+1) }

// part returns the part of the page about the i-th game.
func (g LeagueGame) part(i int) leagueGame {
	r := ranking{g.View, func(int) string { return "" }, func(_, _ int) string { return "" }}
	out := leagueGame{ID: gameID(i), Title: page.SafeLine(g.View.Game.Title), Notes: r.notes(), Standings: r.standings()}
	out.Standings.Caption = "Standings of " + out.Title
	for _, run := range g.Runs {
		out.Runs = append(out.Runs, Source{page.PublishedLine(run.Name), run.Site})
	}
	return out
}
