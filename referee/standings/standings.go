package standings

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/strength"
)

// Standings is the ranking of the bots, with the figures behind it. Rows and
// pairs are in order.
type Standings struct {
	Matches int `json:"matches"`
	Failed  int `json:"failed"` // umpire could not play them
	// JudgeErrors counts, by bot, the matches of Failed in which the judge failed after
	// the bot's reply; by "" those in which it failed before any.
	JudgeErrors map[string]int `json:"judge_errors,omitempty"`
	Duplicates  int            `json:"duplicates"`        // counted once
	Own         int            `json:"own,omitempty"`     // matches of a bot against itself, which count in no row
	Repeated    int            `json:"repeated"`          // alike reply by reply with another repetition: nothing new for ratings
	Uneven      bool           `json:"uneven"`            // not all bots have played equally many matches
	Unrated     bool           `json:"unrated,omitempty"` // too many pairs have met for Elo ratings
	// Isolation lists the levels, if there are several. Workers are those that
	// played for another umpire, and WorkerEffects what that changed.
	Isolation     []Level        `json:"isolations,omitempty"`
	Workers       []Worker       `json:"workers,omitempty"`
	WorkerEffects []WorkerEffect `json:"worker_effects,omitempty"`
	Criteria      []Tiebreak     `json:"criteria"` // what the bots are compared by, in order
	Rows          []Row          `json:"standings"`
	Pairs         []HeadToHead   `json:"pairs"`

	pairedBy Tiebreak // what contestants are compared by case by case; "": they have met
}

// Row is a bot's line of the standings.
type Row struct {
	Rank    int    `json:"rank"`            // 0: it is of the house
	House   bool   `json:"house,omitempty"` // it was the opponent in tests and scorings, and is listed last
	Reached []int  `json:"lead,omitempty"`  // in rounds: Swiss points and Buchholz, in halves, or the rounds survived
	Tied    bool   `json:"tied"`            // with another of the same rank
	Bot     string `json:"bot"`             // what it is called: see Tally.names
	Name    string `json:"-"`               // name in records
	Digest  string `json:"digest"`

	Played int `json:"played"`
	Won    int `json:"won"`   // first alone
	Drawn  int `json:"drawn"` // first with others
	Lost   int `json:"lost"`
	Firsts int `json:"firsts"`

	MatchPoints float64         `json:"match_points"` // a win 1, a tie ½
	Points      protocols.Score `json:"points"`       // the sum of its scores
	Against     float64         `json:"against"`      // the points of its opponent; of several, their mean
	Difference  float64         `json:"difference"`

	// Broken is why it could not be compiled or started; "" if it could.
	Broken string `json:"broken,omitempty"`
	// NotJudged is what the machine lacked to judge it, such as a language; "" if
	// nothing.
	NotJudged string `json:"not_judged,omitempty"`

	// Figures are those that only break ties: direct only where it was compared.
	Figures map[Tiebreak]float64 `json:"figures,omitempty"`

	Failures map[string]int `json:"failures"` // matches, by verdict
	Failed   int            `json:"failed"`   // all failures together
	// Voided counts, by cause, matches that were void for it and were played again.
	Voided map[string]int `json:"voided,omitempty"`

	Replies   int64   `json:"replies"`
	WallUS    int64   `json:"wall_us"`
	MeanUS    float64 `json:"mean_us"` // mean time of a reply, and of a request on which the time ran out
	SlowestUS int64   `json:"slowest_us"`
	RanOut    bool    `json:"ran_out,omitempty"` // the slowest request was not answered: the time had run out

	Rating *strength.Rating `json:"rating,omitempty"` // in Elo: Bradley-Terry for two seats, Plackett-Luce for more
	Mean   *strength.Rating `json:"mean,omitempty"`   // for more seats: points per match

	Certainty *strength.Certainty `json:"certainty,omitempty"` // of its place in the field; nil: not rated

	// ToFirst compares a bot of a scoring with the first one case by case; nil for
	// the first itself, and where they share no case.
	ToFirst *Paired `json:"to_first,omitempty"`

	n      int // number of the bot in the tally
	trials map[uint64]trial
}

// Key is the bot of the row, as records name it.
func (r *Row) Key() Bot { return Bot{r.Name, r.Digest, r.House} }

// HeadToHead is the result of the matches that two bots shared; the first is
// ahead of the second in the standings.
type HeadToHead struct {
	Bot      string          `json:"bot"`
	Opponent string          `json:"opponent"`
	Played   int             `json:"played"`
	Won      int             `json:"won"` // had the better place
	Drawn    int             `json:"drawn"`
	Lost     int             `json:"lost"`
	Points   protocols.Score `json:"points"`
	Against  protocols.Score `json:"against"`
	// Observations is the number of matches, counting mirrored ones as one, and
	// repetitions that are alike reply by reply.
	Observations int `json:"observations,omitempty"`
	Cases        int `json:"cases,omitempty"`   // on which these were played; where a judge draws, what it drew
	Neither      int `json:"neither,omitempty"` // of Lost: matches that the opponent lost, too
	// Ptnml counts the mirrored pairs of two seats, by the first's points. Apart is how
	// much higher its score is per match of more seats.
	Ptnml strength.Pentanomial `json:"ptnml,omitzero"`
	Apart *strength.Rating     `json:"apart,omitempty"`
}

// Standings ranks the bots by the game's own rule, then by tie-breaks; nil is the
// ordering of a tournament that is not played in rounds. The sums that the rule
// names are compared as means per match, which makes no difference if all have
// played equally many. Bots that are still equal are tied, and listed by name.
func (t *Tally) Standings(o *Ordering) Standings {
	if o == nil {
		o = &Ordering{}
	}
	pairs, bots, finishes, repeated := t.snapshot()
	s := Standings{
		Matches: t.Matches, Failed: t.Failed, Duplicates: t.Duplicates, Own: t.Own, Repeated: repeated, Criteria: o.criteria(t.Rank), Rows: []Row{}, Pairs: []HeadToHead{},
	}
	for _, bot := range t.judgeErrors {
		count(&s.JudgeErrors, bot, 1)
	}
	names := t.names()
	played := -1 // matches of each bot that was judged
	for n, e := range bots {
		row := e.row(names[n])
		row.n = n
		row.setRounds(o)
		s.Rows = append(s.Rows, row)
		if e.notJudged == "" && !e.House {
			s.Uneven = s.Uneven || played >= 0 && e.played != played
			played = e.played
		}
	}
	if !o.Swiss && slices.Contains(s.Criteria, SonnebornBerger) {
		s.setSonnebornBerger(pairs)
	}
	slices.SortFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(houseLast(a.House, b.House), strings.Compare(a.Bot, b.Bot))
	})
	if o.ByElo && t.seats == 2 {
		s.rateTwo(pairs, bots, &Ordering{NoCertainty: true})
		for i := range s.Rows {
			if r := s.Rows[i].Rating; r != nil {
				s.Rows[i].Rating = &strength.Rating{Value: r.Value}
			}
		}
	}
	t.order(s.Ranked(), s.Criteria)
	switch {
	case o.ByElo: // which it was ordered by
	case t.seats == 2:
		s.rateTwo(pairs, bots, o)
	default:
		s.setMeans(bots)
		if t.seats > 2 && t.alone == 0 && len(bots) <= maxDense {
			number := byName(bots)
			s.setRatings(strength.PlackettLuce(len(bots), finishes.list(number)), number, o)
		}
	}
	s.pair(t)
	s.addPairs(pairs)
	s.addPlaces(t, names)
	return s
}

// houseLast compares bots so that those of the house come last.
func houseLast(a, b bool) int {
	switch {
	case a && !b:
		return 1
	case b && !a:
		return -1
	}
	return 0
}

// Ranked returns the rows of all bots but the house's, which follow them.
func (s *Standings) Ranked() []Row {
	n := slices.IndexFunc(s.Rows, func(r Row) bool { return r.House })
	if n < 0 {
		n = len(s.Rows)
	}
	return s.Rows[:n]
}

// addPairs lists the pairs that have met, in the order of the rows.
func (s *Standings) addPairs(pairs map[[2]int]*headToHead) {
	place := make([]int, len(s.Rows))
	for i, row := range s.Rows {
		place[row.n] = i
	}
	var met [][2]int
	for pair := range pairs {
		a, b := place[pair[0]], place[pair[1]]
		met = append(met, [2]int{min(a, b), max(a, b)})
	}
	slices.SortFunc(met, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, m := range met {
		a, b := s.Rows[m[0]], s.Rows[m[1]]
		d, _ := view(pairs, a.n, b.n)
		s.Pairs = append(s.Pairs, d.duel(a.Bot, b.Bot))
	}
}

// snapshot counts the observations that may still grow, in copies. Repeated is the
// number of matches that repeat others.
func (t *Tally) snapshot() (_ map[[2]int]*headToHead, _ []entry, ends finishes, repeated int) {
	pairs, bots, ends := maps.Clone(t.pairs), slices.Clone(t.bots), maps.Clone(t.finishes)
	for key, d := range pairs {
		copied := *d
		if d.apart != nil {
			apart := *d.apart
			copied.apart = &apart
		}
		pairs[key] = &copied
	}
	repeated = t.repeated + t.countOpen(pairs, bots, ends)
	return pairs, bots, ends, repeated
}

// names returns what the bots are called: see record.BotNames.
func (t *Tally) names() []string {
	var all record.BotNames
	for _, b := range t.bots {
		all.Add("", b.Name, b.Digest, b.House)
	}
	names := make([]string, len(t.bots))
	for i, b := range t.bots {
		names[i] = all.Of("", b.Name, b.Digest, b.House)
	}
	return names
}

func (e entry) row(name string) Row {
	f := e.figures
	r := Row{
		Bot: name, House: e.House, Name: e.Name, Digest: e.Digest, Played: f.played, Won: f.won, Drawn: f.drawn, Lost: f.lost, Firsts: f.firsts,
		MatchPoints: float64(2*f.won+f.drawn) / 2, Points: f.points, Against: f.against.Over(scale),
		Difference: f.points.Times(scale, 1).Minus(f.against).Over(scale), Failures: make(map[string]int), Voided: maps.Clone(f.voided),
		Replies: f.replies, WallUS: f.wallUS, SlowestUS: f.slowestUS, RanOut: f.ranOut, Broken: e.broken, NotJudged: e.notJudged,
		trials: e.trials,
	}
	for verdict, n := range f.failures {
		r.Failures[verdict] = n
		r.Failed += n
	}
	if n := f.replies + f.late; n > 0 {
		r.MeanUS = float64(max(0, f.wallUS-f.lostUS)) / float64(n)
	}
	return r
}

// compareMeans compares a/n with b/m. A bot that has not played comes last.
func compareMeans(a protocols.Score, n int, b protocols.Score, m int) int {
	if n == 0 || m == 0 {
		return cmp.Compare(n, m)
	}
	x, y := a.Micros(), b.Micros()
	return x.Mul(x, big.NewInt(int64(m))).Cmp(y.Mul(y, big.NewInt(int64(n))))
}

// Leader returns the bot in first place by the game's own rule, "" if several share
// it or none has played.
func (t *Tally) Leader() string {
	var first []Row
	for _, e := range t.bots {
		if e.played > 0 && !e.House {
			first = append(first, Row{Bot: e.Name, Played: e.played, Won: e.won, Drawn: e.drawn, Firsts: e.firsts, Points: e.points})
		}
	}
	if len(first) == 0 {
		return ""
	}
	for _, by := range rule(t.Rank) {
		best := slices.MinFunc(first, func(a, b Row) int { return compareBy(by, &a, &b) })
		first = slices.DeleteFunc(first, func(r Row) bool { return compareBy(by, &r, &best) != 0 })
	}
	if len(first) > 1 {
		return ""
	}
	return first[0].Bot
}

// view returns the head-to-head of two bots from the first one's view.
func view(pairs map[[2]int]*headToHead, a, b int) (headToHead, bool) {
	d := pairs[[2]int{min(a, b), max(a, b)}]
	if d == nil || a == b {
		return headToHead{}, false
	}
	v := *d
	if a > b {
		v.won, v.lost = v.lost, v.won
		v.points, v.against = v.against, v.points
		v.failed[0], v.failed[1] = v.failed[1], v.failed[0]
		v.quarters = 4*int64(v.observations) - v.quarters
		v.ptnml, v.apart = v.ptnml.Swapped(), v.apart.negated()
	}
	return v, true
}

// played returns the number of matches.
func (d headToHead) played() int { return d.won + d.drawn + d.lost + d.neither }

// Back returns the same result from the opponent's view.
func (h HeadToHead) Back() HeadToHead {
	h.Bot, h.Opponent = h.Opponent, h.Bot
	h.Won, h.Lost = h.Lost-h.Neither, h.Won+h.Neither
	h.Points, h.Against = h.Against, h.Points
	h.Ptnml = h.Ptnml.Swapped()
	if h.Apart != nil {
		h.Apart = h.Apart.Negated()
	}
	return h
}

func (d headToHead) duel(bot, opponent string) HeadToHead {
	return HeadToHead{
		Bot: bot, Opponent: opponent, Played: d.played(), Won: d.won, Drawn: d.drawn, Lost: d.lost + d.neither, Neither: d.neither,
		Points: d.points, Against: d.against, Observations: d.observations, Cases: d.cases, Ptnml: d.ptnml, Apart: d.apart.mean(),
	}
}
