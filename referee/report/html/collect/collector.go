package collect

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/analysis"
	"umpire/referee/cases"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
	"umpire/referee/standings"
)

// What a collector keeps has bounds, whatever the number of matches.
const (
	maxGroups   = 100
	maxCounted  = 100_000 // bots times cases
	maxScored   = 50_000  // matches that are scored by formula
	maxRatedBot = 100     // bots whose ratings over time are shown
	ratedPoints = 40      // in time
	maxUnplayed = 12      // reasons why matches have no result
)

// Score scores submissions, by the cases that were found and their results.
type Score = func([]cases.Case, *scoring.Results) (scoring.Scores, error)

// Collector counts matches, in their order.
type Collector struct {
	Standings  report.Standings // of the matches
	Bots       []Bot            // in the order of the standings
	Groups     []string         // of cases, in the order of their set, or by name
	Partial    bool             // cases are left out
	RatedAt    []int            // number of matches at each of the bots' ratings
	Highlights Highlights
	Unplayed   []Unplayed // matches without a result, by the reason
	Conditions Conditions
	Rows       Rows

	match    int              // number of the last match
	counted  int              // bots times cases
	orders   map[string]int   // of each group's first case in its set
	tally    *standings.Tally // nil: no ratings over time
	analysed *analysis.Tally
	score    Score // nil: there is none, or not all matches are those of submissions
	found    scoring.Found
	results  scoring.Results
}

// New returns a collector of the matches of which the standings are known. Score is nil
// where no scores are asked for.
func New(view report.Standings, score Score) *Collector {
	n := len(view.Of.Rows)
	c := &Collector{
		Standings: view, Bots: make([]Bot, n), Rows: RowsOf(view.Of), Conditions: Conditions{Values: make(map[string]map[string]bool)},
		analysed: analysis.NewTally(), score: score, orders: make(map[string]int),
	}
	for i := range c.Bots {
		c.Bots[i] = Bot{Seats: map[string]*report.Counts{}, Groups: map[string]*report.Counts{}, Cases: map[string]*report.Counts{}, kinds: map[string]int{}}
	}
	if n <= maxRatedBot && view.Game.MaxSeats > 1 { // of one seat it would be the order of the cases
		c.tally = standings.NewTally(view.Game.Rank)
	}
	return c
}

// Add counts a match, whose replay has an address. It returns the row of each seat's bot in
// the standings; -1 for one that has no row, having taken part only in matches that umpire
// failed to play.
func (c *Collector) Add(m *Match, link string) []int {
	c.match++
	c.Conditions.add(m.record)
	rows := make([]int, len(m.Summary.Seats))
	for i, s := range m.Summary.Seats {
		rows[i] = c.Rows.Of(standings.BotOf(s))
	}
	if !m.Summary.Failed {
		c.count(m, rows, link)
		c.Highlights.add(c.Standings.Of.Rows, &m.Summary, rows, link)
		c.rate(&m.Summary)
		c.analyse(m, rows, link)
	} else {
		c.addUnplayed(m, link)
	}
	c.keepScored(m)
	return rows
}

// RowOf is the row of a submission in the standings; -1 if it has none.
func (c *Collector) RowOf(one scoring.Score) int {
	return c.Rows.Of(standings.Bot{Name: one.Name, Digest: one.Digest})
}

// bot has the figures of a bot that has a row in standings.
func (c *Collector) bot(row standings.Row) *Bot { return &c.Bots[c.Rows.Of(row.Key())] }

func (c *Collector) count(m *Match, rows []int, link string) {
	group, limit := page.SafeLine(m.record.Case.Group), m.record.Limits.TimeUS
	if !slices.Contains(c.Groups, group) && len(c.Groups) < maxGroups {
		c.Groups, c.orders[group] = append(c.Groups, group), m.record.Case.Order
		slices.SortFunc(c.Groups, func(a, b string) int { return cmp.Or(cmp.Compare(c.orders[a], c.orders[b]), cmp.Compare(a, b)) })
	}
	for i, n := range rows {
		if n < 0 {
			continue
		}
		b := &c.Bots[n]
		countIn(b.Seats, strconv.Itoa(i+1)).Add(m.Summary.Seats, i)
		if slices.Contains(c.Groups, group) {
			countIn(b.Groups, group).Add(m.Summary.Seats, i)
		}
		c.countCase(b, m, i)
		b.Times.Include(&m.seats[i].times)
		if b.Passes = max(b.Passes, m.record.Passes()); limit > 0 {
			b.Shares[min(ShareBins, ShareBins*max(0, m.record.Seats[i].ChargedUS)/limit)]++ // a failure may be beyond it
		}
		if f := m.seats[i].failure; f != nil {
			f.Match, f.Replay, f.Case = c.match, link, m.Case
			b.fail(*f)
		}
	}
}

func (c *Collector) countCase(b *Bot, m *Match, seat int) {
	if b.Cases[m.Case] == nil {
		if c.counted >= maxCounted {
			c.Partial = true
			return
		}
		c.counted++
	}
	countIn(b.Cases, m.Case).Add(m.Summary.Seats, seat)
}

// Unplayed is the first of the matches that have no result for the same reason.
type Unplayed struct {
	Match       int
	Replay, Why string
	Times       int
}

func (c *Collector) addUnplayed(m *Match, link string) {
	why, _, _ := strings.Cut(m.record.Error, "\n")
	why = page.PublishedLine(page.Clip(why, maxDetail))
	at := slices.IndexFunc(c.Unplayed, func(u Unplayed) bool { return u.Why == why })
	switch {
	case at >= 0:
		c.Unplayed[at].Times++
	case len(c.Unplayed) < maxUnplayed:
		c.Unplayed = append(c.Unplayed, Unplayed{c.match, link, why, 1})
	}
}

// rate notes the ratings now and then.
func (c *Collector) rate(b *record.Summary) {
	if c.tally == nil {
		return
	}
	c.tally.Add(b)
	total := c.Standings.Of.Matches
	if n := c.tally.Matches; n*ratedPoints/total == (n-1)*ratedPoints/total {
		return
	}
	c.RatedAt = append(c.RatedAt, c.tally.Matches)
	for _, row := range c.tally.Standings(&standings.Ordering{NoCertainty: true}).Rows {
		list := &c.bot(row).Ratings
		for len(*list) < len(c.RatedAt)-1 {
			*list = append(*list, nil) // it had not played
		}
		*list = append(*list, cmp.Or(row.Rating, row.Mean))
	}
}

// keepScored keeps what scoring needs, as long as all matches are those of submissions.
func (c *Collector) keepScored(m *Match) {
	switch {
	case c.score == nil:
	case m.scored == nil || c.match > maxScored:
		c.score, c.results, c.found = nil, scoring.Results{}, scoring.Found{}
	default:
		c.results.Add(m.scored)
		c.found.Add(c.Standings.Game, m.scored)
	}
}

// Scores is the result of scoring, if the matches are those of submissions and can be
// scored. Why says what keeps submissions from being scored.
func (c *Collector) Scores() (scores scoring.Scores, ok bool, why string) {
	if c.score == nil || len(c.found.Cases) == 0 {
		return scores, false, ""
	}
	if c.found.Unlike != nil {
		return scores, false, c.found.Unlike.Error()
	}
	scores, err := c.score(slices.Clone[[]cases.Case](c.found.Cases), &c.results)
	if err != nil {
		return scores, false, err.Error()
	}
	return scores, true, ""
}

// Breakdown is how the bots did case by case, and how long their replies took.
func (c *Collector) Breakdown() *report.Breakdown {
	names := make(map[string]*report.Counts)
	for _, b := range c.Bots {
		maps.Copy(names, b.Cases)
	}
	return &report.Breakdown{
		Cases: slices.Sorted(maps.Keys(names)),
		Times: func(r standings.Row) *report.Times { return &c.bot(r).Times },
		On:    func(r standings.Row, name string) *report.Counts { return c.bot(r).Cases[name] },
	}
}

// analyse counts what replies were worth.
func (c *Collector) analyse(m *Match, rows []int, link string) {
	if m.Worth == nil {
		return
	}
	for i, n := range rows {
		if n < 0 {
			m.Worth.Seats[i].Analysed = false
		}
	}
	c.analysed.Add(m.Worth, analysis.At{Link: link, Number: c.match, Record: m.record})
	m.Worth, m.record = nil, nil
}

// IsAnalysed reports whether the worth of replies is known of any match.
func (c *Collector) IsAnalysed() bool { return c.analysed.Matches > 0 }

// Worth returns the analysis of a bot's replies; nil if there is none.
func (c *Collector) Worth(row standings.Row) *analysis.Bot {
	return c.analysed.Bot(c.Standings.Game.Name, row.Name, row.Digest, row.House)
}
