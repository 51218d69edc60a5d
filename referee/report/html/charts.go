package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/collect"
	"umpire/referee/standings"
	"umpire/referee/strength"
)

// binsBar is how many bins of reply times a bar shows together.
const binsBar = 20

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
	h.Summary = fmt.Sprintf("%s: half took at most %s, 99 %% at most %s, the slowest %s; the mean is %s.", report.Plural(int(times.Replies()), "reply"),
		most(0.5), most(0.99), report.TimeText(row.SlowestUS), report.TimeText(int64(row.MeanUS)))
	return h
}

// sharesOf draws how much of its budget the bot used in its matches.
func sharesOf(shares [collect.ShareBins + 1]int64) *histogram {
	total, half := int64(0), int64(0)
	for i, n := range shares {
		total += n
		if i >= collect.ShareBins/2 {
			half += n
		}
	}
	if total == 0 {
		return nil
	}
	h := barsOf(shares[:], func(i int) string {
		if i == collect.ShareBins {
			return "all of it, or more"
		}
		return fmt.Sprintf("%d to %d %%", 100*i/collect.ShareBins, 100*(i+1)/collect.ShareBins)
	})
	h.Bars[collect.ShareBins].Marked = true
	h.Low, h.High = "0 %", "100 %, or more"
	h.Summary = fmt.Sprintf("In %d of %d matches it used half of its time or more, in %d all of it.", half, total, shares[collect.ShareBins])
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

// ratingCurve is a rating over time, on 1000 by 100 units.
type ratingCurve struct {
	Line, Band, Grid       string
	Low, High, First, Last string
	Unit                   string
	Summary                string
}

// ratingCurveOf draws a rating over time; nil if there are fewer than two points.
func ratingCurveOf(at []int, ratings []*strength.Rating) *ratingCurve {
	low, high, known := math.Inf(1), math.Inf(-1), 0
	for i, r := range ratings {
		if r == nil {
			continue
		}
		known++
		low, high = min(low, r.Value), max(high, r.Value)
		if r.Low != nil && i >= len(ratings)/8 { // the first intervals are very wide
			low, high = min(low, *r.Low), max(high, *r.High)
		}
	}
	if known < 2 {
		return nil
	}
	if high-low < 1e-9 {
		low, high = low-1, high+1
	}
	total := float64(at[len(at)-1])
	y := func(v float64) float64 { return round1(96 - 92*(min(high, max(low, v))-low)/(high-low)) }
	var line, upper, lower []string
	c := &ratingCurve{Grid: "M0 4H1000M0 50H1000M0 96H1000"}
	for i, r := range ratings {
		if r == nil {
			continue
		}
		if line == nil {
			c.First = fmt.Sprint(at[i])
		}
		point := func(v float64) string { return fmt.Sprintf("%g %g", round1(1000*float64(at[i])/total), y(v)) }
		line = append(line, point(r.Value))
		if r.Low != nil {
			upper, lower = append(upper, point(*r.High)), append(lower, point(*r.Low))
		}
	}
	c.Line = "M" + strings.Join(line, "L")
	if upper != nil {
		slices.Reverse(lower)
		c.Band = "M" + strings.Join(append(upper, lower...), "L") + "Z"
	}
	c.Low, c.High, c.Last = fmt.Sprintf("%.4g", low), fmt.Sprintf("%.4g", high), fmt.Sprint(at[len(at)-1])
	c.Summary = fmt.Sprintf("After %s: %s.", report.Plural(at[len(at)-1], "match"), rated(ratings[len(ratings)-1]))
	return c
}

// rated is a rating with its interval in words.
func rated(r *strength.Rating) string {
	if r == nil {
		return "no rating"
	}
	if r.Low == nil {
		return fmt.Sprintf("%.4g", r.Value)
	}
	return fmt.Sprintf("%.4g, 95 %% interval %.4g to %.4g", r.Value, *r.Low, *r.High)
}

// ratingOf is a row's rating or, where there is none, its mean score.
func ratingOf(row standings.Row) *strength.Rating { return cmp.Or(row.Rating, row.Mean) }
