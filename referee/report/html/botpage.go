package html

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/protocols/svg"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/report/html/replay"
	"umpire/referee/scoring"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

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
	Failures           []failure
	Omitted            int
	FailedLink         string
	File               string
}

// histogram is a distribution, on 100 by 100 units a bar.
type histogram struct {
	Width   int
	Bars    []column
	Low     string
	High    string
	Summary string
}

type column struct {
	X      int
	Y, H   float64
	Label  string
	Marked bool
}

// ratingCurve is a rating over time, on 1000 by 100 units.
type ratingCurve struct {
	Line, Band, Grid       string
	Low, High, First, Last string
	Unit                   string
	Summary                string
}

// writeBots writes a page for each bot.
func (s *Site) writeBots(c *collector, scores scoring.Scores) error {
	opponents := s.opponents()
	scored := make(map[int]scoring.Score)
	for _, one := range scores.Submissions {
		if row, ok := c.rows[[2]string{one.Bot, one.Digest}]; ok {
			scored[row] = one
		}
	}
	for i, row := range s.table.Rows {
		v := s.botView(c, i, row, opponents[i])
		if one, ok := scored[i]; ok {
			v.Facts = append(v.Facts, Fact{"points", fmt.Sprintf("%s of %s", report.Number(one.Score), report.Number(scores.Points))})
		}
		var b bytes.Buffer
		if err := sitePages().ExecuteTemplate(&b, "bot", v); err != nil {
			return err
		}
		if err := s.write(botLink(i), b.Bytes()); err != nil {
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

// opponents lists each bot's results against the others, in their order.
func (s *Site) opponents() map[int][]opposed {
	place := make(map[string]int)
	for i, row := range s.table.Rows {
		place[row.Bot] = i
	}
	out := make(map[int][]opposed)
	for _, p := range s.table.Pairs {
		i, j := place[p.Bot], place[p.Opponent]
		out[i] = append(out[i], opposed{j, p})
		out[j] = append(out[j], opposed{i, p.Back()})
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b opposed) int { return cmp.Compare(a.row, b.row) })
	}
	return out
}

func (s *Site) botView(c *collector, i int, row standings.Row, opponents []opposed) botView {
	b := &c.bots[i]
	name := page.SafeLine(row.Bot)
	scripts := []string{sortText}
	if len(b.failures) > 0 {
		scripts = append(scripts, copyText)
	}
	style, worth := page.Style()+siteText, (*botWorth)(nil)
	if known := c.worthOf(row.Name, row.Digest); known != nil {
		style, worth = svg.Style+style, s.newBotWorth(known)
	}
	v := botView{
		chrome: s.newChrome(name+": "+page.SafeLine(s.Game.Title), "../", style, scripts...), Worth: worth,
		Game: page.SafeLine(s.Game.Title), Name: name, Digest: page.SafeLine(row.Digest), Facts: s.botFacts(row),
		Link: fmt.Sprintf("../matches.html#bot=%d", i+1), FailedLink: fmt.Sprintf("../matches.html#bot=%d&verdict=failed", i+1),
		Failures: b.failures, Omitted: b.omitted, Times: timesOf(&b.times, row), Rating: ratingCurveOf(c.at, b.ratings),
	}
	if v.Rating != nil {
		v.Rating.Unit = "the rating in Elo"
		if row.Rating == nil {
			v.Rating.Unit = "the mean score of a match"
		}
	}
	for n := range v.Failures {
		f := &v.Failures[n]
		if id := replay.IDFlag(f.ID); id != "" && f.Verdict != string(protocols.KindCompile) {
			f.ReproduceLine = "umpire reproduce " + record.ResultsFile + id
		}
	}
	if row.Broken != "" && row.Failures[string(protocols.KindCompile)] == 0 {
		v.Broken = new(page.DetailOf(string(protocols.KindCompile), row.Broken))
	}
	if b.limited {
		v.Shares = sharesOf(b.shares)
	}
	if len(opponents) > 0 {
		v.Tables = append(v.Tables, s.opponentTable(i, opponents))
	}
	if s.Game.MaxSeats > 1 {
		seats := make(map[string]*report.Counts)
		var order []string
		for _, seat := range slices.Sorted(maps.Keys(b.seats)) {
			name := fmt.Sprint(seat)
			seats[name], order = b.seats[seat], append(order, name)
		}
		v.Tables = append(v.Tables, s.countTable("By seat", "seat", order, seats, noLink))
	}
	if len(c.groups) > 1 {
		v.Tables = append(v.Tables, s.countTable("By group", "group", slices.Sorted(slices.Values(c.groups)), b.groups, noLink))
	}
	byCase := s.countTable("By case", "case", sortedKeys(b.cases), b.cases, func(name string) string {
		return caseLink("../", i, name)
	})
	if c.partial {
		byCase.Note = "Not all cases are counted: there are very many. " + byCase.Note
	}
	v.Tables = append(v.Tables, byCase)
	return v
}

// botFacts sums up a bot's row of the standings.
func (s *Site) botFacts(row standings.Row) []Fact {
	rank := fmt.Sprintf("%d of %d", row.Rank, len(s.table.Ranked()))
	switch {
	case row.House:
		rank = "none: it was the opponent of a test or scoring"
	case row.Tied:
		rank = fmt.Sprintf("%d (tied) of %d", row.Rank, len(s.table.Ranked()))
	}
	facts := []Fact{{"rank", rank}, {"matches", fmt.Sprint(row.Played)}}
	if s.Game.MaxSeats > 1 {
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

func (s *Site) opponentTable(row int, list []opposed) grid {
	g := grid{Title: "By opponent", Caption: "Results by opponent", Header: heads(1, "opponent", "played", "won", "drawn", "lost", "score", "against", "share")}
	for _, o := range list[:min(maxOpposed, len(list))] {
		played := o.Played
		share := (float64(o.Won) + float64(o.Drawn)/2) / float64(max(1, played))
		g.Rows = append(g.Rows, []cell{
			{Text: page.SafeLine(s.table.Rows[o.row].Bot), Link: fmt.Sprintf("%d.html", o.row+1), Name: true},
			{Text: fmt.Sprint(played), Right: true, Link: pairLink("../", row, o.row), Label: fmt.Sprintf("%d matches against %s", played, page.SafeLine(s.table.Rows[o.row].Bot))},
			number(o.Won), number(o.Drawn), number(o.Lost), decimal(fmt.Sprint(o.Points)), decimal(fmt.Sprint(o.Against)),
			{Text: fmt.Sprintf("%.0f %%", 100*share), Right: true, Heat: heat(share)},
		})
	}
	if n := len(list) - maxOpposed; n > 0 {
		g.Note = fmt.Sprintf("%d more opponents are left out.", n)
	}
	return g
}

func noLink(string) string { return "" }

// countTable shows counts by their names, in that order.
func (s *Site) countTable(title, name string, order []string, by map[string]*report.Counts, link func(string) string) grid {
	several := s.Game.MaxSeats > 1
	g := grid{Title: title, Caption: title}
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
		if to := link(key); to != "" {
			cells[1].Link, cells[1].Label = to, fmt.Sprintf("%s on %s", report.Plural(n.Played, "match"), key)
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

// timesOf draws how long replies took.
func timesOf(times *report.Times, row standings.Row) *histogram {
	bars, from := times.Grouped(binsBar)
	if bars == nil {
		return nil
	}
	at := func(i int) string { return report.TimeEdge(from+i, binsBar) }
	most := func(share float64) string { return report.TimeText(min(times.Within(share), row.SlowestUS)) }
	h := barsOf(bars, func(i int) string { return "from " + at(i) + " to " + at(i+1) })
	h.Low, h.High = at(0), at(len(bars))
	h.Summary = fmt.Sprintf("%d replies: half took at most %s, 99 %% at most %s, the slowest %s; the mean is %s.", times.Replies(),
		most(0.5), most(0.99), report.TimeText(row.SlowestUS), report.TimeText(int64(row.MeanUS)))
	return h
}

// sharesOf draws how much of its budget the bot used in its matches.
func sharesOf(shares [shareBins + 1]int64) *histogram {
	total, half := int64(0), int64(0)
	for i, n := range shares {
		total += n
		if i >= shareBins/2 {
			half += n
		}
	}
	if total == 0 {
		return nil
	}
	h := barsOf(shares[:], func(i int) string {
		if i == shareBins {
			return "all of it, or more"
		}
		return fmt.Sprintf("%d to %d %%", 100*i/shareBins, 100*(i+1)/shareBins)
	})
	h.Bars[shareBins].Marked = true
	h.Low, h.High = "0 %", "100 %, or more"
	h.Summary = fmt.Sprintf("In %d of %d matches it used half of its time or more, in %d all of it.", half, total, shares[shareBins])
	return h
}

func barsOf(bins []int64, label func(int) string) *histogram {
	h := &histogram{Width: 100 * len(bins)}
	most := slices.Max(bins)
	for i, n := range bins {
		tall := 0.0
		if n > 0 {
			tall = max(2, round1(96*float64(n)/float64(most)))
		}
		h.Bars = append(h.Bars, column{X: 100*i + 6, Y: round1(100 - tall), H: tall, Label: fmt.Sprintf("%s: %d", label(i), n)})
	}
	return h
}

// ratingCurveOf draws a rating over time; nil if there are fewer than two points.
func ratingCurveOf(at []int, ratings []*strength.Rating) *ratingCurve {
	s, known := scale{low: math.Inf(1), high: math.Inf(-1)}, 0
	for i, r := range ratings {
		if r == nil {
			continue
		}
		known++
		if r.Low != nil && i >= len(ratings)/8 { // the first intervals are very wide
			s.include(r)
		}
		s.low, s.high = min(s.low, r.Value), max(s.high, r.Value)
	}
	if known < 2 {
		return nil
	}
	s.widen()
	total := float64(at[len(at)-1])
	y := func(v float64) float64 { return round1(96 - 92*(min(s.high, max(s.low, v))-s.low)/(s.high-s.low)) }
	var line, upper, lower bytes.Buffer
	var under []string
	c := &ratingCurve{}
	for i, r := range ratings {
		if r == nil {
			continue
		}
		command := "L"
		if line.Len() == 0 {
			command = "M"
			c.First = fmt.Sprint(at[i])
		}
		x := round1(1000 * float64(at[i]) / total)
		fmt.Fprintf(&line, "%s%g %g", command, x, y(r.Value))
		if r.Low == nil {
			continue
		}
		if upper.Len() == 0 {
			fmt.Fprintf(&upper, "M%g %g", x, y(*r.High))
		} else {
			fmt.Fprintf(&upper, "L%g %g", x, y(*r.High))
		}
		under = append(under, fmt.Sprintf("L%g %g", x, y(*r.Low)))
	}
	for _, point := range slices.Backward(under) {
		lower.WriteString(point)
	}
	if upper.Len() > 0 {
		c.Band = upper.String() + lower.String() + "Z"
	}
	c.Line, c.Grid = line.String(), "M0 4H1000M0 50H1000M0 96H1000"
	c.Low, c.High, c.Last = fmt.Sprintf("%.4g", s.low), fmt.Sprintf("%.4g", s.high), fmt.Sprint(at[len(at)-1])
	c.Summary = fmt.Sprintf("After %d matches: %s.", at[len(at)-1], rated(ratings[len(ratings)-1]))
	return c
}
