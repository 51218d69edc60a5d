package html

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee/analysis"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// maxOpposed is how many opponents are on a bot's page.
const maxOpposed = 200

// botView is a bot's page.
type botView struct {
	chrome
	Game, Name, Digest string
	Facts              []Fact
	Link               string // to the list of its matches
	Tables             []grid
	Times              *histogram
	Shares             *histogram
	Rating             *ratingCurve
	Broken             *page.Prose // why it could not be compiled or started, where no match says so; nil: it could
	Worth              *botWorth   // nil: it is not known
	Failures           []collect.Failure
	Omitted            int
	argument           func(file string) string // names the run of a file to commands
}

// ReproduceLine is the command that shows a failure again, with BOT for the file of a bot that is not
// built in; "": there is none.
func (v botView) ReproduceLine(f collect.Failure) string {
	id := replay.IDFlag(f.ID)
	if id == "" || f.Verdict == string(protocols.KindCompile) {
		return ""
	}
	bot := ""
	if !strings.HasPrefix(v.Name, "@") { // its file is not in the record
		bot = " BOT"
	}
	return "umpire reproduce " + cmp.Or(v.argument(f.File), record.ResultsFile) + bot + id
}

// writeBots writes a page for each bot.
func (s *Site) writeBots(c *collect.Collector, scores scoring.Scores) error {
	out := s.out()
	opponents := opponentsIn(c.Standings.Of)
	scored := make(map[int]scoring.Score)
	for _, one := range scores.Submissions {
		if row := c.RowOf(one); row >= 0 {
			scored[row] = one
		}
	}
	for i := range c.Standings.Of.Rows {
		v := newBotView(out, c, s.Games, i, opponents[i])
		v.argument = s.argument
		if one, ok := scored[i]; ok {
			v.Facts = append(v.Facts, Fact{"points", fmt.Sprintf("%s of %s", report.Number(one.Score), report.Number(scores.Points))})
		}
		if _, err := out.write(botLink(i), "bot", v); err != nil {
			return err
		}
	}
	return nil
}

// opposed is a bot's result against an opponent.
type opposed struct {
	row int // of the opponent
	standings.HeadToHead
}

// opponentsIn lists each bot's results against the others, in their order.
func opponentsIn(of *standings.Standings) map[int][]opposed {
	place := rowsOf(of)
	out := make(map[int][]opposed)
	for _, p := range of.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		out[i] = append(out[i], opposed{j, p})
		out[j] = append(out[j], opposed{i, p.Back()})
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b opposed) int { return cmp.Compare(a.row, b.row) })
	}
	return out
}

func newBotView(out publisher, c *collect.Collector, games []protocols.Game, i int, opponents []opposed) botView {
	row, game := c.Standings.Of.Rows[i], c.Standings.Game
	b := &c.Bots[i]
	name := page.SafeLine(row.Bot)
	scripts := []string{sortText}
	if len(b.Failures) > 0 {
		scripts = append(scripts, copyText)
	}
	style, worth := SiteStyle(), (*botWorth)(nil)
	if known := c.Worth(row); known != nil && known.Choices > 0 {
		style, worth = svg.Style+style, newBotWorth(known, games)
	}
	v := botView{
		chrome: out.chrome(name+": "+page.SafeLine(game.Title), style, scripts...), Worth: worth,
		Game: page.SafeLine(game.Title), Name: name, Digest: page.SafeLine(row.Digest), Facts: botFacts(c.Standings, row),
		Link:     fmt.Sprintf("../matches.html#bot=%d", i+1),
		Failures: b.Failures, Omitted: b.Omitted, Times: timesOf(&b.Times, row), Rating: ratingCurveOf(c.RatedAt, b.Ratings),
	}
	if b.Passes == 1 {
		v.Shares = sharesOf(b.Shares)
	}
	if v.Rating != nil {
		v.Rating.Unit = "the rating in Elo"
		if row.Rating == nil {
			v.Rating.Unit = "the mean score of a match"
		}
	}
	if row.Broken != "" && row.Failures[string(protocols.KindCompile)] == 0 {
		v.Broken = new(page.DetailOf(string(protocols.KindCompile), row.Broken, false))
	}
	if len(opponents) > 0 {
		v.Tables = append(v.Tables, opponentTable(c.Standings.Of.Rows, i, opponents))
	}
	if game.MaxSeats > 1 {
		var seats []string
		for seat := range game.MaxSeats {
			seats = append(seats, fmt.Sprint(seat+1))
		}
		v.Tables = append(v.Tables, countTable(game, "seat", seats, b.Seats, nil))
	}
	if len(c.Groups) > 1 {
		v.Tables = append(v.Tables, countTable(game, "group", c.Groups, b.Groups, nil))
	}
	byCase := countTable(game, "case", slices.Sorted(maps.Keys(b.Cases)), b.Cases, func(name string) string {
		return caseLink("../", i, name)
	})
	if c.Partial {
		byCase.Note = "Not all cases are counted: there are very many. " + byCase.Note
	}
	v.Tables = append(v.Tables, byCase)
	return v
}

// botFacts sums up a bot's row of the standings.
func botFacts(view report.Standings, row standings.Row) []Fact {
	rank := fmt.Sprintf("%d of %d", row.Rank, len(view.Of.Ranked()))
	switch {
	case row.House:
		rank = "none: it was the opponent of a test or scoring"
	case row.Tied:
		rank = fmt.Sprintf("%d (tied) of %d", row.Rank, len(view.Of.Ranked()))
	}
	facts := []Fact{{"rank", rank}, {"matches", fmt.Sprint(row.Played)}}
	if view.Game.MaxSeats > 1 {
		facts = append(facts, Fact{"won, drawn, lost", fmt.Sprintf("%d, %d, %d", row.Won, row.Drawn, row.Lost)})
	}
	facts = append(facts, Fact{"score", fmt.Sprint(row.Points)})
	if r := ratingOf(row); r != nil {
		name := "Elo"
		if row.Rating == nil {
			name = "mean score"
		}
		facts = append(facts, Fact{name, rated(r)})
	}
	failed := report.Marks(row.Failures)
	return append(facts, Fact{"failures", cmp.Or(failed, "none")})
}

func opponentTable(rows []standings.Row, row int, list []opposed) grid {
	g := grid{Title: "By opponent", Caption: "Results by opponent", Header: heads(1, "opponent", "played", "won", "drawn", "lost", "score", "against", "share")}
	for _, o := range list[:min(maxOpposed, len(list))] {
		played := o.Played
		share := (float64(o.Won) + float64(o.Drawn)/2) / float64(max(1, played))
		g.Rows = append(g.Rows, []cell{
			{Text: page.SafeLine(rows[o.row].Bot), Link: fmt.Sprintf("%d.html", o.row+1), Name: true},
			{Text: fmt.Sprint(played), Right: true, Link: pairLink("../", row, o.row), Label: fmt.Sprintf("%d matches against %s", played, page.SafeLine(rows[o.row].Bot))},
			number(o.Won), number(o.Drawn), number(o.Lost), decimal(fmt.Sprint(o.Points)), decimal(fmt.Sprint(o.Against)),
			{Text: fmt.Sprintf("%.0f %%", 100*share), Right: true, Heat: heat(share)},
		})
	}
	if n := len(list) - maxOpposed; n > 0 {
		g.Note = fmt.Sprintf("%d more opponents are left out.", n)
	}
	return g
}

// countTable shows counts by their names, in that order, with links unless link is nil.
func countTable(game protocols.Game, name string, order []string, by map[string]*report.Counts, link func(string) string) grid {
	several := game.MaxSeats > 1
	g := grid{Title: "By " + name, Caption: "By " + name}
	if several {
		g.Header = heads(1, name, "played", "won", "drawn", "lost", "mean score", "failed")
	} else {
		g.Header = heads(1, name, "played", "mean score", "failed")
	}
	names := slices.DeleteFunc(slices.Clone(order), func(name string) bool { return by[name] == nil })
	most := 0.0
	for _, n := range by {
		most = max(most, n.Mean())
	}
	for _, key := range names[:min(maxCases, len(names))] {
		n := by[key]
		cells := []cell{{Text: cmp.Or(key, "none")}, {Text: fmt.Sprint(n.Played), Right: true}}
		if link != nil {
			cells[1].Link, cells[1].Label = link(key), fmt.Sprintf("%s on %s", report.Plural(n.Played, "match"), key)
		}
		if several {
			cells = append(cells, number(n.Won), number(n.Drawn), number(n.Lost))
		}
		mean := n.Mean()
		cells = append(cells, cell{Text: fmt.Sprintf("%.2f", mean), Right: true, Bar: barOf(mean, most)}, number(n.Failed))
		g.Rows = append(g.Rows, cells)
	}
	if n := len(names) - maxCases; n > 0 {
		g.Note = fmt.Sprintf("%d more are left out; the list of matches has all.", n)
	}
	return g
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
	analysis.Worst
	Class, Text, Best, Case string
	Board                   template.HTML // before the move; "" where it can't be drawn
}

// newBotWorth sums up what a bot's replies were worth.
func newBotWorth(b *analysis.Bot, games []protocols.Game) *botWorth {
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
			Worst: move, Class: string(replay.Grade(move.Move)), Case: page.SafeLine(move.Case), Best: page.SafeLine(values.BestReply(move.Move)),
			Text: page.SafeLine("Played " + page.Shorten(move.Reply) + ": " + values.Worth(move.Move)),
		}
		if move.Record != nil {
			one.Board = replay.BoardBefore(*move.Record, games, move.Move) // without a picture, the words remain
		}
		w.Worst = append(w.Worst, one)
	}
	return w
}
