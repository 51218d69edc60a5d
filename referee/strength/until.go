package strength

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Until is when a round robin of two seats ends whose matches go where the order of the
// bots is least certain. One of its fields is set.
type Until struct {
	// Elo is the half width that the bounds of each difference between neighbours are to
	// have.
	Elo  float64
	Time time.Duration // for which is played
	Sure bool          // until the order is decided
}

// ParseUntil reads a goal as the command line has it: 10elo, 20m or sure.
func ParseUntil(text string) (u Until, err error) {
	if text == "sure" {
		return Until{Sure: true}, nil
	}
	if number, isElo := strings.CutSuffix(strings.ToLower(text), "elo"); isElo {
		u.Elo, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(u.Elo >= 1 && u.Elo <= 1000) {
			return u, fmt.Errorf("found %q, expected 1 to 1000 Elo, as in 10elo", text)
		}
		return u, nil
	}
	if u.Time, err = time.ParseDuration(text); err != nil || u.Time <= 0 {
		return u, fmt.Errorf("found %q, expected a half width as in 10elo, a time as in 20m, or sure", text)
	}
	return u, nil
}

// String returns the goal as ParseUntil reads it.
func (u Until) String() string {
	switch {
	case u.Sure:
		return "sure"
	case u.Elo > 0:
		return strconv.FormatFloat(u.Elo, 'g', -1, 64) + "elo"
	}
	text := u.Time.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Neighbours are two bots of which one follows the other in an order.
type Neighbours struct {
	Bots  Pair
	Pairs Pentanomial // the first one's mirrored pairs with the other
	// Decided is 1 if the first is the stronger one, -1 if the second is, and 0 if that
	// is not certain: by bounds that hold at any number of looks and for all pairs of
	// bots together.
	Decided int
	// Elo is the difference in strength by the pairs, and Low and High are its bounds,
	// which hold in the same way. An end is nil if there is none.
	Elo, Low, High *float64

	gap, variance float64 // of the difference of their ratings, in natural logarithms
}

// Order is how certain the order of bots is. Only matches among themselves decide which
// of two is the stronger one; so nothing is assumed of how strengths make results but that
// the mirrored pairs of two bots are draws with the same mean.
type Order struct {
	Next []Neighbours // of each bot and the next one by rating, the strongest first
	// Ranks are the first and the last rank that each bot may have, by the pairs that are
	// decided, and Bots the bots, the strongest first.
	Bots  []int
	Ranks [][2]int
}

// wrong is the probability, at most, of bounds that do not hold, at any time, for any
// pair of bots.
const wrong = 0.05

// NewOrder orders bots, two or more, by their ratings from their mirrored pairs: met
// returns the first one's with the second.
func NewOrder(bots []int, met func(a, b int) Pentanomial) Order {
	n := len(bots)
	pairs, played := make(map[Pair]Met), make(map[Pair]Pentanomial)
	for i, a := range bots {
		for j, b := range bots[:i] {
			p := met(b, a)
			d := Met{Observations: p.Pairs()}
			for result, count := range p {
				d.Quarters += int64(result * count)
			}
			pairs[Pair{j, i}], played[Pair{j, i}], played[Pair{i, j}] = d, p, p.Swapped()
		}
	}
	e := BradleyTerry(n, pairs)
	line := make([]int, n)
	for i := range line {
		line[i] = i
	}
	slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(e.Strength[b], e.Strength[a]) })
	alpha := wrong / float64(n*(n-1)/2)
	o := Order{Ranks: ranksOf(line, func(i, j int) int { return played[Pair{i, j}].leans(alpha) })}
	for k, i := range line {
		o.Bots = append(o.Bots, bots[i])
		if k == 0 {
			continue
		}
		h := line[k-1]
		next := Neighbours{Bots: Pair{bots[h], bots[i]}, Pairs: played[Pair{h, i}]}
		next.gap, next.variance = e.Strength[h]-e.Strength[i], max(0, e.Cov[h][h]+e.Cov[i][i]-2*e.Cov[h][i])
		next.bound(alpha)
		o.Next = append(o.Next, next)
	}
	return o
}

// NewAnytimeElo is NewElo for two of so many bots whose matches ended by looking at them.
func NewAnytimeElo(p Pentanomial, bots int) Elo {
	n := Neighbours{Pairs: p}
	n.bound(wrong / float64(max(1, bots*(bots-1)/2)))
	return Elo{Ptnml: p, Pairs: p.Pairs(), Value: n.Elo, Low: n.Low, High: n.High, Anytime: true}
}

// bound sets what the pairs decide, and the bounds.
func (n *Neighbours) bound(alpha float64) {
	n.Decided = n.Pairs.leans(alpha)
	if n.Pairs.Pairs() == 0 {
		return
	}
	low, high := n.Pairs.anytime(alpha)
	n.Elo, n.Low, n.High = eloOf(n.Pairs.Mean()), eloOf(low), eloOf(high)
}

// ranksOf returns the ranks that the decided pairs leave open: a bot is behind those that
// are stronger than it, and than which those are, and so on.
func ranksOf(line []int, stronger func(a, b int) int) [][2]int {
	n := len(line)
	above := make([][]bool, n)
	for k, i := range line {
		above[k] = make([]bool, n)
		for l, j := range line {
			above[k][l] = k != l && stronger(i, j) > 0
		}
	}
	for m := range n {
		for k := range n {
			for l := range n {
				above[k][l] = above[k][l] || above[k][m] && above[m][l]
			}
		}
	}
	ranks := make([][2]int, n)
	for k := range n {
		ranks[k] = [2]int{1, n}
		for l := range n {
			if above[l][k] && !above[k][l] {
				ranks[k][0]++
			}
			if above[k][l] && !above[l][k] {
				ranks[k][1]--
			}
		}
	}
	return ranks
}

// far is a difference, in Elo, beyond which a bound is precise enough: of 10 to 1 nobody
// needs to know how much more it is, and it would take ever more pairs.
const far = 400

// Open reports whether further pairs of the neighbours serve a goal.
func (n *Neighbours) Open(u Until) bool {
	switch {
	case u.Elo == 0:
		return n.Decided == 0
	case n.Low != nil && *n.Low >= far, n.High != nil && *n.High <= -far:
		return false
	}
	return n.Low == nil || n.High == nil || (*n.High-*n.Low)/2 > u.Elo
}

// Tied lists the neighbours that may be equally strong, as runs of bots, the strongest
// first.
func (o Order) Tied() (runs [][]int) {
	for k, n := range o.Next {
		switch {
		case n.Decided != 0:
		case k > 0 && o.Next[k-1].Decided == 0:
			runs[len(runs)-1] = append(runs[len(runs)-1], n.Bots.B)
		default:
			runs = append(runs, []int{n.Bots.A, n.Bots.B})
		}
	}
	return runs
}

// Share says how many mirrored pairs two bots play.
type Share struct {
	Pair
	N int
}

// Allocate says which of the neighbours play so many further mirrored pairs: half of them
// go evenly to all whose pairs serve the goal, so that each comes to its decision, and
// half to those where an error about the order is expected to cost most, in Elo. No two
// play more than there is room for. If time decides and no pairs serve, all may play.
func (o Order) Allocate(u Until, pairs int, room func(Pair) int) (shares []Share) {
	var open []int
	left := make([]int, len(o.Next))
	find := func(serves func(n *Neighbours) bool) {
		for i := range o.Next {
			if left[i] = room(o.Next[i].Bots); left[i] > 0 && serves(&o.Next[i]) {
				open = append(open, i)
			}
		}
	}
	if find(func(n *Neighbours) bool { return n.Open(u) }); len(open) == 0 && u.Time > 0 {
		find(func(*Neighbours) bool { return true })
	}
	given := make([]int, len(o.Next))
	for k := range pairs {
		best, most := -1, math.Inf(-1)
		for _, i := range open {
			worth := float64(-given[i])
			if k%2 == 1 {
				worth = o.Next[i].loss(given[i])
			}
			if given[i] < left[i] && worth > most {
				best, most = i, worth
			}
		}
		if best < 0 {
			break
		}
		given[best]++
	}
	for i, n := range given {
		if n > 0 {
			shares = append(shares, Share{o.Next[i].Bots, n})
		}
	}
	return shares
}

// loss is by how much the one that is behind is expected to be stronger, if it is, once
// they have played more pairs (the expected opportunity cost of Chick and Inoue, 2001).
func (n *Neighbours) loss(more int) float64 {
	p := logistic(n.gap)
	deviation := math.Sqrt(1 / (1/n.variance + float64(more)*p*(1-p)))
	z := n.gap / deviation
	return deviation * (normalDensity(z) - z*normalCDF(-z))
}

// Batch is how many mirrored pairs are played between two looks at the order, after so
// many: ever more, so that matches are rarely waited for, and never many too many.
func Batch(bots, played int) int { return max(16, 2*bots, played/8) }
