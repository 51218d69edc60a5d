package standings

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"umpire/protocols"
	"umpire/referee/record"
)

// scored makes the match of a scoring: the text is that of played, and all seats
// but the given one are the house's.
func scored(where int, text string, seat int) *record.Summary {
	b := played(where, text)
	for i := range b.Seats {
		b.Seats[i].House = i != seat
	}
	return b
}

// TestPairedByCase: contestants of a scoring are compared case by case.
func TestPairedByCase(t *testing.T) {
	const t2 = 4.303 // 97.5 % of Student's t with 2 degrees of freedom
	for _, c := range []struct {
		name    string
		rank    protocols.Rank
		matches []*record.Summary
		want    string
	}{
		{"cases of very different worth", protocols.ByPoints, []*record.Summary{
			scored(1, "a 101", 0), scored(2, "a 1002", 0), scored(3, "a 10003", 0), // more by 1, 2 and 3
			scored(1, "b 100", 0), scored(2, "b 1000", 0), scored(3, "b 10000", 0),
		}, fmt.Sprintf("points: b to a in 3 cases, 0 better, 3 worse, -2 ±%.2f", t2/math.Sqrt(3))},
		{"matches on a case are one observation, their mean", protocols.ByPoints, []*record.Summary{
			scored(1, "a 4", 0), scored(1, "a 8", 0), scored(2, "a 9", 0), scored(3, "a 9", 0),
			scored(1, "b 5", 0), scored(2, "b 7", 0), scored(3, "b 10", 0), // less by 1, by 2, more by 1
		}, fmt.Sprintf("points: b to a in 3 cases, 1 better, 2 worse, -0.67 ±%.2f", t2*math.Sqrt(7./3/3))},
		{"cases of one alone do not count", protocols.ByPoints, []*record.Summary{
			scored(1, "a 9", 0), scored(2, "a 9", 0), scored(3, "a 90", 0),
			scored(1, "b 8", 0), scored(2, "b 9", 0), scored(4, "b 50", 0),
		}, fmt.Sprintf("points: b to a in 2 cases, 0 better, 1 worse, -0.5 ±%.2f", 12.706/2)},
		{"nor do seats and opponents of one alone", protocols.ByPoints, []*record.Summary{
			scored(1, "a 9, h 0", 0), scored(1, "h 0, a 70", 1), scored(1, "a 80, g 0", 0),
			scored(1, "b 8, h 0", 0),
		}, "points: b to a in 1 cases, 0 better, 1 worse, -1"},
		{"both seats of a case are one observation", protocols.ByPoints, []*record.Summary{
			scored(1, "a 9, h 0", 0), scored(1, "h 0, a 5", 1),
			scored(1, "b 6, h 0", 0), scored(1, "h 0, b 4", 1),
		}, "points: b to a in 1 cases, 0 better, 1 worse, -2"},
		{"match points, where they rank", protocols.ByWins, []*record.Summary{
			scored(1, "a 9, h 0", 0), scored(2, "a 9, h 9", 0),
			scored(1, "b 5, h 0", 0), scored(2, "b 1, h 9", 0),
		}, fmt.Sprintf("match-points: b to a in 2 cases, 0 better, 1 worse, -0.25 ±%.2f", 12.706/4)},
		{"equal differences say nothing about others", protocols.ByPoints, []*record.Summary{
			scored(1, "a 9", 0), scored(2, "a 7", 0),
			scored(1, "b 6", 0), scored(2, "b 4", 0),
		}, "points: b to a in 2 cases, 0 better, 2 worse, -3"},
		{"no case in common", protocols.ByPoints, []*record.Summary{scored(1, "a 9", 0), scored(2, "b 8", 0)}, "none"},
		{"who have met are not paired", protocols.ByPoints, []*record.Summary{
			scored(1, "a 9, h 0", 0), scored(1, "b 8, h 0", 0), played(1, "a 9, b 1"),
		}, "none"},
	} {
		for seed := range uint64(4) {
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(c.matches), func(i, j int) { c.matches[i], c.matches[j] = c.matches[j], c.matches[i] })
			tl := NewTally(c.rank)
			for n, b := range c.matches {
				b.Key = uint64(n + 1)
				tl.Add(b)
			}
			s := tl.Standings(nil)
			got := "none"
			if p := s.Rows[1].ToFirst; p != nil {
				got = fmt.Sprintf("%s: %s to %s in %d cases, %d better, %d worse, %v", p.By, p.Bot, p.To, p.Cases, p.Better, p.Worse, math.Round(p.Value*100)/100)
				if p.Low != nil {
					got += fmt.Sprintf(" ±%.2f", (*p.High-*p.Low)/2)
				}
			}
			if got != c.want {
				t.Errorf("%s: found %s, expected %s", c.name, got, c.want)
			}
			if s.Rows[0].ToFirst != nil {
				t.Errorf("%s: the first is compared with itself: %+v", c.name, s.Rows[0].ToFirst)
			}
		}
	}
}

// TestSignTest: the probabilities are those of throws of a coin.
func TestSignTest(t *testing.T) {
	for _, c := range []struct {
		a, b int
		want float64
	}{
		{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {5, 0, 2. / 32}, {0, 5, 2. / 32}, {14, 0, 2. / 16384}, {13, 1, 2 * 15. / 16384}, {4, 4, 1},
		{3000, 2800, 0.008969}, // by summing binomial coefficients
	} {
		if got := signTest(c.a, c.b); math.Abs(got-c.want) > 1e-4*max(c.want, 0.1) {
			t.Errorf("%d and %d: found %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}

// TestPairedOfAnyScore: whatever a formula gives, the comparison is of finite
// numbers, or there is none.
func TestPairedOfAnyScore(t *testing.T) {
	for _, list := range [][]float64{{}, {1e308, -1e308}, {math.Inf(1), 1}, {1, math.NaN()}, {1e139, -1e139, 3}, {1e-300, 2e-300}, {0, 0}} {
		if _, err := json.Marshal(NewPaired("a", "b", ByFormula, list)); err != nil {
			t.Errorf("%v: %v", list, err)
		}
	}
}

// TestMeanOfScoring: the unit of the mean's interval is the case, in whatever seats
// it was played, and though the house has several seats.
func TestMeanOfScoring(t *testing.T) {
	tl := NewTally(protocols.ByPlaces)
	for where, score := range []int{1, 3} {
		tl.Add(scored(where, fmt.Sprintf("a %d, h 0, h 0", score), 0))
		tl.Add(scored(where, fmt.Sprintf("h 0, a %d, h 0", score), 1))
	}
	m := tl.Standings(nil).Rows[0].Mean
	if m == nil || m.Value != 2 || m.High == nil || math.Abs(*m.High-2-12.706) > 0.001 { // t(1) times sd √2 over √2
		t.Errorf("found %+v, expected 2 ±12.706", m)
	}
}

// TestHouseAsContestant: what a bot did as the house has a row of its own when it is a
// contestant as well, and is no direct encounter.
func TestHouseAsContestant(t *testing.T) {
	matches := []*record.Summary{scored(1, "h 5, h 5", 0), scored(1, "a 5, h 5", 0), scored(1, "b 0, h 20", 0), scored(2, "b 0, h 20", 0), scored(2, "a 9, h 9", 0), scored(2, "h 9, h 9", 0)}
	for _, list := range [][]*record.Summary{matches, slices.Concat(matches[1:], matches[:1])} {
		tl := NewTally(protocols.ByWins)
		for n, b := range list {
			b.Key = uint64(n + 1)
			tl.Add(b)
		}
		s := tl.Standings(nil)
		if got := ranking(s); got != "1 a=, 1 h=, 3 b, 0 h (opponent)" || tl.Leader() != "" {
			t.Errorf("found %s, leader %q", got, tl.Leader())
		}
		for i, r := range s.Rows {
			met := 0
			for _, p := range s.Pairs {
				if p.Bot == r.Bot || p.Opponent == r.Bot {
					met += p.Played
				}
			}
			if want := []int{2, 2, 2, 6}[i]; r.House != (i == 3) || r.Played != want || met != want {
				t.Errorf("%s: house %v, played %d, in pairs %d, expected %d", r.Bot, r.House, r.Played, met, want)
			}
			if _, compared := r.Figures[Direct]; compared {
				t.Errorf("%s: a match against the house was taken for a direct encounter", r.Bot)
			}
		}
	}
}
