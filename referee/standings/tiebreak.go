package standings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"umpire/protocols"
)

// Tiebreak is a figure that bots are compared by; more is better, but for
// Failures.
type Tiebreak string

// The tie-breaks, by the names that users type. Sums that grow with the number of
// matches are compared as means per match.
const (
	// Direct is the match points in the matches among the tied bots. It decides
	// only if all of them have met equally often (FIDE Handbook C.07, 6).
	Direct Tiebreak = "direct"
	// Buchholz is the sum of the opponents' points, in rounds; a bye counts as
	// FIDE's virtual opponent.
	Buchholz Tiebreak = "buchholz"
	// BuchholzCut1 is Buchholz without the opponent that has the fewest points.
	BuchholzCut1 Tiebreak = "buchholz-cut1"
	// SonnebornBerger is the sum of the points of the opponents that were beaten
	// and half of those of the opponents that were tied with.
	SonnebornBerger Tiebreak = "sonneborn-berger"
	Wins            Tiebreak = "wins"         // matches in which the bot was first alone
	Difference      Tiebreak = "difference"   // the bot's points less those of its opponents
	Points          Tiebreak = "points"       // the sum of the bot's scores
	MatchPoints     Tiebreak = "match-points" // a win 1, a tie ½
	Firsts          Tiebreak = "firsts"       // first places, including shared ones
	Failures        Tiebreak = "failures"     // matches in which it failed; fewer are better

	// ByFormula is the score by a formula, which Paired compares.
	ByFormula Tiebreak = "score"

	// ByRating is the rating in Elo, where it decides whose matches are played.
	ByRating Tiebreak = "rating"

	// ByRounds is the result of the rounds, which comes before any tie-break.
	ByRounds Tiebreak = "rounds"
)

// Tiebreaks are all that a user may list.
var Tiebreaks = []Tiebreak{Direct, Buchholz, BuchholzCut1, SonnebornBerger, Wins, Difference, Points, MatchPoints, Firsts, Failures}

// ParseTiebreaks reads a list parted by commas. The error names the word.
func ParseTiebreaks(list string) (breaks []Tiebreak, err error) {
	for word := range strings.SplitSeq(list, ",") {
		t := Tiebreak(strings.TrimSpace(word))
		if !slices.Contains(Tiebreaks, t) {
			return nil, fmt.Errorf("tiebreaks: found %q, expected some of %s", word, joinTiebreaks(Tiebreaks))
		}
		if slices.Contains(breaks, t) {
			return nil, fmt.Errorf("tiebreaks: found %s twice", t)
		}
		breaks = append(breaks, t)
	}
	return breaks, nil
}

func joinTiebreaks(list []Tiebreak) string {
	var words []string
	for _, t := range list {
		words = append(words, string(t))
	}
	return strings.Join(words, ", ")
}

// Ordering is how a tournament ranks its bots, beyond the game's own rule. The
// zero value is that of a tournament that is not played in rounds.
type Ordering struct {
	// Rounds holds what each bot has reached in the rounds of a Swiss tournament
	// or a knockout, which is compared first. Bots without an entry come last.
	Rounds map[Bot]RoundFigures
	Swiss  bool
	// Tiebreaks are compared in this order; nil: the usual ones.
	Tiebreaks []Tiebreak
	// ByElo compares ratings first, since the matches were played where the order by them
	// was least certain: means per match depend on whom a bot has met how often. Ratings
	// have no intervals then, which would hold for one look only.
	ByElo bool
	// NoCertainty leaves out how sure the ranks are, which takes longest of small fields.
	NoCertainty bool
}

// RoundFigures is what a bot has reached in rounds.
type RoundFigures struct {
	Reached         int // Swiss: points in halves (a round won 2, tied 1, a bye 2); knockout: rounds survived
	Buchholz        int // in halves, of a Swiss tournament, as are the following
	BuchholzCut1    int // in halves
	SonnebornBerger int // in quarters
}

// rule is what a game's own rule compares, the first thing first.
func rule(rank protocols.Rank) []Tiebreak {
	switch rank {
	case protocols.ByWins:
		return []Tiebreak{MatchPoints, Points}
	case protocols.ByPlaces:
		return []Tiebreak{Points, Firsts}
	}
	return []Tiebreak{Points}
}

// criteria lists what orders the bots, the first thing first. Without tie-breaks
// of the user's, ties are broken by the rest of the game's rule, by direct
// encounters and by fewer failures; in a Swiss tournament by Buchholz before them.
func (o *Ordering) criteria(rank protocols.Rank) []Tiebreak {
	first, rest := rule(rank)[:1], rule(rank)[1:]
	if o.Rounds != nil {
		first, rest = []Tiebreak{ByRounds}, rule(rank)
	}
	if o.ByElo {
		first, rest = []Tiebreak{ByRating}, rule(rank)
	}
	if o.Tiebreaks != nil {
		return slices.Concat(first, o.Tiebreaks)
	}
	if o.Swiss {
		first = append(first, Buchholz)
	}
	return slices.Concat(first, rest, []Tiebreak{Direct, Failures})
}

// figure returns a row's figure, as it is shown.
func (r *Row) figure(t Tiebreak) float64 {
	switch t {
	case ByRounds:
		switch len(r.Reached) {
		case 0:
			return -1 // it took part in none
		case 1:
			return float64(r.Reached[0])
		}
		return float64(r.Reached[0]) / 2 // Swiss
	case ByRating:
		if r.Rating == nil {
			return 0 // it has not played
		}
		return r.Rating.Value
	case Wins:
		return float64(r.Won)
	case Difference:
		return r.Difference
	case Points:
		return r.Points.Float()
	case MatchPoints:
		return r.MatchPoints
	case Firsts:
		return float64(r.Firsts)
	case Failures:
		return float64(r.Failed)
	}
	return r.Figures[t]
}

// compareBy compares two rows by one figure; negative: a ranks before b.
func compareBy(t Tiebreak, a, b *Row) int {
	switch t {
	case Points:
		return compareMeans(b.Points, b.Played, a.Points, a.Played)
	case MatchPoints:
		return compareMeans(protocols.Points(2*b.Won+b.Drawn), b.Played, protocols.Points(2*a.Won+a.Drawn), a.Played)
	case Firsts:
		return compareMeans(protocols.Points(b.Firsts), b.Played, protocols.Points(a.Firsts), a.Played)
	case Wins:
		return compareMeans(protocols.Points(b.Won), b.Played, protocols.Points(a.Won), a.Played)
	case Difference:
		return cmp.Compare(b.Difference/float64(max(1, b.Played)), a.Difference/float64(max(1, a.Played)))
	case Failures:
		return cmp.Compare(a.Failed, b.Failed)
	}
	return cmp.Compare(b.figure(t), a.figure(t))
}

// order ranks the rows. Each criterion orders the bots that are still tied; those
// that are tied in the end share a rank and are listed by name.
func (t *Tally) order(rows []Row, criteria []Tiebreak) {
	tied := [][]Row{rows}
	for _, by := range criteria {
		var next [][]Row
		for _, group := range tied {
			if by == Direct && !t.setDirect(group) {
				next = append(next, group)
				continue
			}
			slices.SortStableFunc(group, func(a, b Row) int { return compareBy(by, &a, &b) })
			for len(group) > 0 {
				n := 1
				for n < len(group) && compareBy(by, &group[0], &group[n]) == 0 {
					n++
				}
				next = append(next, group[:n])
				group = group[n:]
			}
		}
		tied = next
	}
	rank := 1
	for _, group := range tied {
		for i := range group {
			group[i].Rank, group[i].Tied = rank, len(group) > 1
		}
		rank += len(group)
	}
}

// setDirect sets the figures of a direct encounter of tied bots. It reports false
// where they have not all met equally often.
func (t *Tally) setDirect(tied []Row) bool {
	meetings := 0
	halves := make([]int, len(tied))
	for i := range tied {
		for j := range i {
			d, _ := view(t.pairs, tied[i].n, tied[j].n)
			played := d.played()
			if meetings == 0 {
				meetings = played
			}
			if played == 0 || played != meetings {
				return false
			}
			halves[i] += 2*d.won + d.drawn
			halves[j] += 2*d.lost + d.drawn
		}
	}
	if len(tied) < 2 {
		return false
	}
	for i := range tied {
		tied[i].set(Direct, float64(halves[i])/2)
	}
	return true
}

// set sets one of the figures that a row has only for breaking ties.
func (r *Row) set(t Tiebreak, value float64) {
	if r.Figures == nil {
		r.Figures = make(map[Tiebreak]float64)
	}
	r.Figures[t] = value
}

// setRounds sets what a bot has reached in rounds.
func (r *Row) setRounds(o *Ordering) {
	f, ok := o.Rounds[r.Key()]
	if !ok {
		return
	}
	r.Reached = []int{f.Reached}
	if o.Swiss {
		r.Reached = []int{f.Reached, f.Buchholz}
		r.set(Buchholz, float64(f.Buchholz)/2)
		r.set(BuchholzCut1, float64(f.BuchholzCut1)/2)
		r.set(SonnebornBerger, float64(f.SonnebornBerger)/4)
	}
}

// setSonnebornBerger sets the figure outside Swiss tournaments: the match points
// against each opponent times all match points of that opponent.
func (s *Standings) setSonnebornBerger(pairs map[[2]int]*headToHead) {
	row := make([]*Row, len(s.Rows))
	sum := make([]float64, len(s.Rows))
	for i := range s.Rows {
		row[s.Rows[i].n] = &s.Rows[i]
	}
	for pair, d := range pairs {
		a, b := pair[0], pair[1]
		sum[a] += float64(2*d.won+d.drawn) / 2 * row[b].MatchPoints
		sum[b] += float64(2*d.lost+d.drawn) / 2 * row[a].MatchPoints
	}
	for n, r := range row {
		r.set(SonnebornBerger, sum[n])
	}
}

// Comparison is a figure by which two bots were compared. Direct encounters have
// none where they did not decide.
type Comparison struct {
	By     Tiebreak `json:"by"`
	Better int      `json:"better"` // the first bot is better: 1; the second: -1; 0: alike
	First  float64  `json:"first"`
	Second float64  `json:"second"`
}

// PerMatch reports whether a figure is compared as a mean per match.
func (t Tiebreak) PerMatch() bool {
	return slices.Contains([]Tiebreak{Points, MatchPoints, Firsts, Wins, Difference}, t)
}

// Find returns the rows of the bots that a user's word names.
func (s *Standings) Find(word string) (rows []*Row) {
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Bot == word {
			return []*Row{r}
		} else if r.Key().Is(word) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Why returns what two bots were compared by, in order: the last comparison is
// the one that decided, unless they are tied.
func (s *Standings) Why(a, b *Row) (list []Comparison) {
	for _, by := range s.Criteria {
		if _, applied := a.Figures[Direct]; by == Direct && !applied {
			continue
		}
		order := -compareBy(by, a, b)
		list = append(list, Comparison{By: by, Better: order, First: a.figure(by), Second: b.figure(by)})
		if order != 0 {
			break
		}
	}
	return list
}
