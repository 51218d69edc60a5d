package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/analysis"
	"umpire/referee/cases"
	"umpire/referee/pattern"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
	"umpire/referee/scoring"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// What a collector keeps has bounds, whatever the number of matches.
const (
	binsBar     = 20      // bins of reply times that a bar shows together
	shareBins   = 10      // of the distribution of the used share of a budget
	maxFailures = 40      // kinds of a bot's failures, an example of each
	maxAgain    = 12      // links to more matches of a kind
	maxCounted  = 100_000 // bots times cases
	maxScored   = 50_000  // matches that are scored by formula
	maxRatedBot = 100     // bots whose ratings over time are shown
	ratedPoints = 40      // in time
	maxDetail   = 2000    // bytes of a detail
	maxSaid     = 600     // bytes of standard error beside a failure
)

// botCounts holds the figures of a bot that the standings lack.
type botCounts struct {
	seats    map[int]*report.Counts
	groups   map[string]*report.Counts
	cases    map[string]*report.Counts
	times    report.Times
	shares   [shareBins + 1]int64 // the last one is more than the budget
	limited  bool                 // there was a budget
	failures []failure
	kinds    map[string]int // failures, by their signatures
	omitted  int            // failures beyond those
	ratings  []*strength.Rating
}

// failure is the first of the matches that a bot has failed in for the same reason, as far
// as that can be seen: with the same verdict and, but for numbers, the same last line of
// standard error, if it crashed and wrote one, or the same detail.
type failure struct {
	Match                     int
	Replay, Verdict, Case, ID string
	Seat                      int
	Detail                    page.Prose
	Times                     int
	Again                     []again // some of the other matches
	Hint, ReproduceLine       string
	Stderr                    string // its end
	Said                      string // that of a crash, its last line
}

// again is another match with a failure.
type again struct {
	Match  int
	Replay string
}

var digits = pattern.New(`[0-9]+`)

// signature tells failures apart.
func (f *failure) signature() string {
	return f.Verdict + "\n" + digits().ReplaceAllString(cmp.Or(f.Said, f.Detail.Line), "0")
}

// collector counts matches, in their order.
type collector struct {
	site     *Site
	bots     []botCounts
	rows     map[[2]string]int
	groups   []string // in the order of their appearance
	counted  int      // bots times cases
	partial  bool     // cases are left out
	match    int      // number of the last match
	tally    *standings.Tally
	at       []int // number of matches at each rating
	list     *lister
	found    scoring.Found
	results  scoring.Results
	unscored bool
	facts    map[string]map[string]bool
	limits   record.Limits // of the last match
	from, to string        // when the first and the last match started

	closest, upset *told // nil: there was none

	analysed *analysis.Tally
}

func newCollector(s *Site) *collector {
	c := &collector{site: s, bots: make([]botCounts, len(s.table.Rows)), rows: s.rows(), facts: make(map[string]map[string]bool)}
	for i := range c.bots {
		c.bots[i] = botCounts{seats: make(map[int]*report.Counts), groups: make(map[string]*report.Counts), cases: make(map[string]*report.Counts)}
	}
	if len(c.bots) <= maxRatedBot && s.Game.MaxSeats > 1 { // of one seat it would be the order of the cases
		c.tally = standings.NewTally(s.Game.Rank)
	}
	c.unscored, c.analysed = s.Score == nil, analysis.NewTally()
	c.list = newLister(s)
	return c
}

// add counts the matches of a unit.
func (c *collector) add(u *unit) error {
	for i := range u.played {
		c.match++
		p := &u.played[i]
		c.fact("umpire", p.umpire)
		c.fact("isolation", p.level)
		c.limit(p.limits)
		if p.started != "" && (c.from == "" || p.started < c.from) {
			c.from = p.started
		}
		c.to = max(c.to, p.started)
		seats := c.seats(&p.summary)
		if p.failed == "" {
			link := fmt.Sprintf("replays/%d.html?%d", u.number, u.from+i)
			c.count(p, seats, link)
			c.tell(&p.summary, seats, link)
			c.rate(&p.summary)
			c.analyse(p, seats, link)
		}
		c.score(p)
		if err := c.list.add(p, seats, u.number, u.from+i); err != nil {
			return err
		}
		if c.site.Done != nil {
			c.site.Done()
		}
	}
	return nil
}

// limit notes the limits of a match, mostly those of the one before.
func (c *collector) limit(l record.Limits) {
	if l == c.limits {
		return
	}
	c.limits = l
	c.fact("clock", l.Clock)
	if l.TimeUS > 0 {
		c.fact("time for all replies", report.TimeText(l.TimeUS))
	}
	if l.MemoryBytes > 0 {
		c.fact("memory", fmt.Sprintf("%.4g MiB", float64(l.MemoryBytes)/(1<<20)))
	}
}

// fact notes a property of the matches, of a few values.
func (c *collector) fact(name, value string) {
	if c.facts[name] == nil {
		c.facts[name] = make(map[string]bool)
	}
	switch {
	case value == "":
	case len(c.facts[name]) < 8:
		c.facts[name][page.SafeLine(value)] = true
	case !c.facts[name][page.SafeLine(value)]:
		c.facts[name]["…"] = true
	}
}

// seats is the row of each seat's bot; -1 for one that has no row, having taken
// part only in matches that umpire failed to play.
func (c *collector) seats(b *record.Summary) []int {
	out := make([]int, len(b.Seats))
	for i, s := range b.Seats {
		n, ok := c.rows[[2]string{s.Bot, s.Digest}]
		if !ok {
			n = -1
		}
		out[i] = n
	}
	return out
}

func (c *collector) count(p *played, seats []int, link string) {
	if !slices.Contains(c.groups, p.group) && len(c.groups) < 100 {
		c.groups = append(c.groups, p.group)
	}
	for i, n := range seats {
		if n < 0 || p.summary.Seats[i].House && !c.site.table.Rows[n].House {
			continue
		}
		b := &c.bots[n]
		countIn(b.seats, i+1).Add(p.summary.Seats, i)
		if slices.Contains(c.groups, p.group) {
			countIn(b.groups, p.group).Add(p.summary.Seats, i)
		}
		c.countCase(b, p, i)
		b.times.Include(&p.times[i])
		if share := p.shares[i]; share >= 0 {
			b.limited = true
			b.shares[min(shareBins, int(share*shareBins))]++
		}
		if verdict := p.summary.Seats[i].Verdict; verdict != "ok" {
			b.fail(failure{
				Match: c.match, Replay: link, Verdict: page.SafeLine(referee.Verdict(verdict).Word(p.details[i])), Case: p.name, ID: p.id, Seat: i + 1,
				Detail: page.DetailOf(verdict, p.details[i]), Hint: p.hints[i], Stderr: p.stderr[i],
			})
		}
	}
}

func countIn[K comparable](in map[K]*report.Counts, key K) *report.Counts {
	n := in[key]
	if n == nil {
		n = &report.Counts{}
		in[key] = n
	}
	return n
}

func (c *collector) countCase(b *botCounts, p *played, seat int) {
	if b.cases[p.name] == nil {
		if c.counted >= maxCounted {
			c.partial = true
			return
		}
		c.counted++
	}
	countIn(b.cases, p.name).Add(p.summary.Seats, seat)
}

func (b *botCounts) fail(f failure) {
	f.Times = 1
	if f.Verdict == string(protocols.KindCrash) {
		said := strings.TrimSpace(f.Stderr)
		f.Said = strings.TrimSpace(said[strings.LastIndexByte(said, '\n')+1:])
	}
	kind := f.signature()
	if n, known := b.kinds[kind]; known {
		first := &b.failures[n]
		if first.Times++; len(first.Again) < maxAgain {
			first.Again = append(first.Again, again{f.Match, f.Replay})
		}
		return
	}
	if len(b.failures) >= maxFailures {
		b.omitted++
		return
	}
	if b.kinds == nil {
		b.kinds = make(map[string]int)
	}
	b.kinds[kind] = len(b.failures)
	b.failures = append(b.failures, f)
}

// breakdown is how the bots did case by case, and how long their replies took.
func (c *collector) breakdown() *report.Breakdown {
	names := make(map[string]bool)
	for _, b := range c.bots {
		for name := range b.cases {
			names[name] = true
		}
	}
	of := func(r standings.Row) *botCounts { return &c.bots[c.rows[[2]string{r.Name, r.Digest}]] }
	return &report.Breakdown{
		Cases: sortedKeys(names),
		Times: func(r standings.Row) *report.Times { return &of(r).times },
		On:    func(r standings.Row, name string) *report.Counts { return of(r).cases[name] },
	}
}

// rate notes the ratings now and then.
func (c *collector) rate(b *record.Summary) {
	if c.tally == nil {
		return
	}
	c.tally.Add(b)
	total := c.site.table.Matches
	if n := c.tally.Matches; n*ratedPoints/total == (n-1)*ratedPoints/total {
		return
	}
	c.at = append(c.at, c.tally.Matches)
	for _, row := range c.tally.Standings(&standings.Ordering{NoCertainty: true}).Rows {
		rating := row.Rating
		if rating == nil {
			rating = row.Mean
		}
		list := &c.bots[c.rows[[2]string{row.Name, row.Digest}]].ratings
		for len(*list) < len(c.at)-1 {
			*list = append(*list, nil) // it had not played
		}
		*list = append(*list, rating)
	}
}

// score keeps what scoring needs, as long as all matches are those of
// submissions.
func (c *collector) score(p *played) {
	if c.unscored {
		return
	}
	if p.scored == nil || c.match > maxScored {
		c.unscored, c.results, c.found = true, scoring.Results{}, scoring.Found{}
		return
	}
	c.results.Add(p.scored)
	c.found.Add(c.site.Game, p.scored)
}

// scores is the result of scoring, if the matches are those of submissions and
// can be scored.
func (c *collector) scores() (scores scoring.Scores, ok bool, why string) {
	if c.unscored || len(c.found.Cases) == 0 {
		return scores, false, ""
	}
	if c.found.Unlike != nil {
		return scores, false, c.found.Unlike.Error()
	}
	scores, err := c.site.Score(slices.Clone[[]cases.Case](c.found.Cases), &c.results)
	if err != nil {
		return scores, false, err.Error()
	}
	return scores, true, ""
}

// fill takes from a record what lists and tables show.
func (p *played) fill(s *Site, r record.Record) {
	p.name, p.group = page.SafeLine(r.Case.Name), page.SafeLine(r.Case.Group)
	if p.name == "" {
		p.name = page.SafeLine(page.Shorten(r.Case.Text))
	}
	p.failed, p.level, p.id = page.Published(page.Clip(r.Error, maxDetail)), r.Isolation, page.SafeLine(r.Called())
	p.started, p.umpire, p.limits = page.SafeLine(r.Started), r.Umpire, r.Limits
	n := len(r.Seats)
	p.details, p.hints, p.stderr = make([]string, n), make([]string, n), make([]string, n)
	p.times, p.shares = make([]report.Times, n), make([]float64, n)
	for i, seat := range r.Seats {
		if seat.Verdict != "ok" {
			p.details[i] = page.Published(page.Clip(seat.Detail, maxDetail))
			p.hints[i] = page.Published(report.Hint(r.Isolation, seat))
			p.stderr[i] = page.Published(tail(strings.TrimSpace(seat.Stderr), maxSaid))
		}
		p.shares[i] = -1
		if used := max(seat.ChargedUS, 0); r.Limits.TimeUS > 0 {
			p.shares[i] = min(1, float64(used)/float64(r.Limits.TimeUS)) // a failure may be beyond it
		}
	}
	for _, e := range r.Events {
		if e.Fail == "" && e.Seat >= 1 && e.Seat <= n {
			p.times[e.Seat-1].Add(e.WallUS)
		}
	}
	p.scored = scored(s, r)
}

// tail is the end of a text, from the beginning of a line if that is possible.
func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = strings.ToValidUTF8(text[len(text)-limit:], "")
	if _, after, ok := strings.Cut(text, "\n"); ok {
		text = after
	}
	return "…\n" + text
}

// scored is the part of a submission's record that scoring needs; nil if it is
// no submission's, being a match without the house, or its case is not in
// canonical form.
func scored(s *Site, r record.Record) *record.Record {
	if s.Score == nil || len(r.Seats) > 1 && !slices.ContainsFunc(r.Seats, func(s record.Seat) bool { return s.House }) {
		return nil
	}
	if _, c, err := r.Parse(s.Games); err != nil || c.String() != r.Case.Text {
		return nil
	}
	r.Events = nil
	r.Seats = slices.Clone(r.Seats)
	for i := range r.Seats {
		r.Seats[i].Stderr, r.Seats[i].StderrAfter, r.Seats[i].Detail = "", "", ""
	}
	return &r
}
