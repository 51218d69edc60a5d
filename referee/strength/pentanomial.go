package strength

import (
	"math"
	"slices"
)

// Pentanomial counts mirrored pairs of matches by what the first bot has scored in
// both together: 0, ½, 1, 1½ and 2 points. Both matches of a pair begin alike, so
// that it is the pairs which are independent of each other, not the matches.
type Pentanomial [5]int

// Pairs is how many pairs there are.
func (p Pentanomial) Pairs() (n int) {
	for _, count := range p {
		n += count
	}
	return n
}

// Mean is the first bot's share of the points, from 0 to 1; ½ of no pairs.
func (p Pentanomial) Mean() float64 {
	mean, _ := p.outcomes().moments()
	return mean
}

// Swapped is p with the second bot as the first.
func (p Pentanomial) Swapped() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// outcomes is a distribution of the five results of a pair, as probabilities.
type outcomes [5]float64

// unseen stands for the count of a result that has not occurred, as in fishtest: no
// result is taken to be impossible.
const unseen = 1e-3

// outcomes is how often each result occurred, as a share.
func (p Pentanomial) outcomes() (o outcomes) {
	sum := 0.0
	for i, count := range p {
		o[i] = max(float64(count), unseen)
		sum += o[i]
	}
	for i := range o {
		o[i] /= sum
	}
	return o
}

// share is the first bot's share of the points in the i-th result.
func share(i int) float64 { return float64(i) / 4 }

func (o outcomes) moments() (mean, variance float64) {
	for i, p := range o {
		mean += p * share(i)
	}
	for i, p := range o {
		variance += p * (share(i) - mean) * (share(i) - mean)
	}
	return mean, variance
}

// tilted returns the distribution that is most likely where o was found, of those in
// which the mean of a function of the result is 0: p/(1+x·f), with x such that it is.
// f has both signs (Owen, Empirical Likelihood, 2001, chapter 2).
func (o outcomes) tilted(f [5]float64) (most outcomes) {
	low, high := math.Inf(-1), math.Inf(1)
	for _, y := range f {
		if y > 0 {
			low = max(low, -1/y)
		} else if y < 0 {
			high = min(high, -1/y)
		}
	}
	bisect(low, high, 200, func(x float64) bool { // the mean falls from +∞ to -∞ between the poles
		sum := 0.0
		for i, y := range f {
			most[i] = o[i] / (1 + x*y)
			sum += most[i] * y
		}
		return sum > 0
	})
	return most
}

// withMean is the most likely distribution with that mean, 0 < mean < 1.
func (o outcomes) withMean(mean float64) outcomes {
	var f [5]float64
	for i := range f {
		f[i] = share(i) - mean
	}
	return o.tilted(f)
}

// withAdvantage is the most likely distribution whose mean lies t standard
// deviations above ½. The condition is linear but for the mean and the deviation,
// which are those of the step before (Van den Bergh, Normalized Elo, 2021). The first
// step is from a distribution that is surely further above: from one below, such as the
// uniform one, a large t leaves no distribution to choose.
func (o outcomes) withAdvantage(t float64) outcomes {
	most := outcomes{0.0025, 0.0025, 0.0025, 0.0025, 0.99}
	if t < 0 {
		slices.Reverse(most[:])
	}
	for range 300 {
		mean, variance := most.moments()
		deviation := math.Sqrt(variance)
		var f [5]float64
		for i := range f {
			off := (mean - share(i)) / deviation
			f[i] = share(i) - 0.5 - t*deviation*(1+off*off)/2
		}
		next, change := o.tilted(f), 0.0
		for i := range next {
			change = max(change, math.Abs(next[i]-most[i]))
		}
		if most = next; change < 1e-9 {
			break
		}
	}
	return most
}

// likelihood is the logarithm of how much more likely p is by distribution b than by a.
func (p Pentanomial) likelihood(a, b outcomes) float64 {
	sum := 0.0
	for i, share := range p.outcomes() {
		sum += share * math.Log(b[i]/a[i])
	}
	return sum * float64(p.Pairs())
}

// Elo is a difference in strength, of the second bot to the first, from mirrored
// pairs.
type Elo struct {
	Ptnml Pentanomial `json:"ptnml"` // the second bot's
	Pairs int         `json:"pairs"`
	// Value is the difference; nil if the second has won or lost everything. Low and
	// High are the ends of its 95 % interval; nil where it has none, as with fewer than
	// two pairs.
	Value *float64 `json:"elo"`
	Low   *float64 `json:"elo_low"`
	High  *float64 `json:"elo_high"`
	// Superior is the likelihood, from 0 to 1, that the second is the stronger one.
	Superior float64 `json:"los"`
	// Anytime reports that Low and High hold at any number of looks, together with those of
	// all pairs of the field; there is no Superior then.
	Anytime bool `json:"anytime,omitempty"`
}

// NewElo estimates a difference from the second bot's pairs. The interval has the
// means that are not too unlikely by the likelihood ratio, with the quantile of
// Student's t distribution in place of the normal one, as pairs may be few.
func NewElo(p Pentanomial) Elo {
	e := Elo{Ptnml: p, Pairs: p.Pairs(), Superior: 0.5}
	if e.Pairs == 0 {
		return e
	}
	found := p.outcomes()
	mean, _ := found.moments()
	if p[0] < e.Pairs && p[4] < e.Pairs {
		e.Value = eloOf(mean)
	}
	if e.Pairs < 2 {
		return e
	}
	freedom := int64(e.Pairs - 1)
	apart := func(other float64) float64 { return math.Sqrt(2 * max(0, p.likelihood(found.withMean(other), found))) }
	e.Superior = Round(StudentCDF(float64(freedom), math.Copysign(apart(0.5), mean-0.5)), 1e6)
	limit := Student(freedom)
	end := func(to float64) *float64 {
		return eloOf(bisect(mean, to, 60, func(other float64) bool { return apart(other) < limit }))
	}
	e.Low, e.High = end(0), end(1)
	return e
}

// certain is how near to 0 or 1 a share of the points may be to be one of these.
const certain = 1e-3

// eloOf is the difference at which the second bot is expected to have that share of
// the points, rounded to a tenth; nil at 0 and 1.
func eloOf(share float64) *float64 {
	if share < certain || share > 1-certain {
		return nil
	}
	elo := Round(400*math.Log10(share/(1-share)), 10)
	return &elo
}

// MorePairs is about how many more pairs make the interval half as wide as a number
// of Elo on either side; 0 if it is so already, or has no ends.
func (e Elo) MorePairs(half float64) int {
	if e.Low == nil || e.High == nil {
		return 0
	}
	ratio := (*e.High - *e.Low) / 2 / half
	return max(0, int(math.Ceil(float64(e.Pairs)*(ratio*ratio-1))))
}
