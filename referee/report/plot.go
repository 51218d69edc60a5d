package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

// Plot is a picture of results, which terminals and pages draw: it has Spans, Bars or a
// Path.
type Plot struct {
	Title     string
	Axis      string // what the horizontal axis shows, with its unit
	Legend    string // what the marks mean
	Low, High float64
	Ticks     []Tick // of the horizontal axis, from Low to High

	Spans []Span
	Mark  *float64 // of a line across all spans; nil: there is none
	Bars  []Bars   // of as many values each; the n-th is drawn from n to n + 1
	Path  *Path    // its n-th value is drawn at n
}

// Tick is a labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// Span is an estimate with its interval.
type Span struct {
	Name string
	strength.Rating
}

// Bars are heights beside each other, from 0 to 1; NaN where there is none.
type Bars struct {
	Name    string
	Heights []float64
	Labels  []string // of each height, in words
}

// Path is a quantity step by step, and the bounds at which it ends.
type Path struct {
	Values []float64
	Bounds []Tick
}

// maxPlotted is how many bots a plot has at most.
const maxPlotted = 40

// Plots draw the standings: the ratings, the path of a sequential test and, where it is
// known, how bots did case by case and how long their replies took.
func (v Standings) Plots(more *Breakdown) []Plot {
	plots := []Plot{v.ratingPlot(), v.SPRT.plot()}
	if more != nil {
		plots = append(plots, more.casePlot(v.Of.Ranked()))
		if !v.NoTimes {
			plots = append(plots, more.timePlot(v.Of.Ranked()))
		}
	}
	return drawn(plots)
}

// drawn leaves out plots that show nothing.
func drawn(plots []Plot) []Plot {
	return slices.DeleteFunc(plots, func(p Plot) bool { return p.Spans == nil && p.Bars == nil && p.Path == nil })
}

// ratingPlot shows the last of the estimates of strength in the standings.
func (v Standings) ratingPlot() Plot {
	rows, zero := v.Of.Ranked(), 0.0
	has := func(f func(standings.Row) bool) int { return slices.IndexFunc(rows, f) }
	if i := has(func(r standings.Row) bool { return isPaired(r.ToFirst) }); i >= 0 {
		to := rows[i].ToFirst
		p := Plot{Title: "Differences to the first", Axis: pairedUnits[to.By] + " a case", Mark: &zero}
		return p.spans(rows, "0 is "+to.To, func(r standings.Row) *strength.Rating {
			switch {
			case r.ToFirst != nil:
				return &r.ToFirst.Rating
			case r.Bot == to.To:
				return &strength.Rating{}
			}
			return nil
		})
	}
	if has(func(r standings.Row) bool { return r.Rating != nil }) < 0 {
		return Plot{Title: "Mean scores", Axis: "score a match"}.spans(rows, "", func(r standings.Row) *strength.Rating { return r.Mean })
	}
	mean := 1500.0
	return Plot{Title: "Ratings", Axis: elo, Mark: &mean}.spans(rows, "1500 is the mean of all", func(r standings.Row) *strength.Rating { return r.Rating })
}

// spans adds the estimates of the rows to a plot.
func (p Plot) spans(rows []standings.Row, legend string, estimate func(standings.Row) *strength.Rating) Plot {
	for _, r := range rows {
		if e := estimate(r); e != nil {
			p.Spans = append(p.Spans, Span{r.Bot, *e})
		}
	}
	return p.measured(legend)
}

// measured makes the axis and the legend of a plot of spans.
func (p Plot) measured(legend string) Plot {
	words := []string{"●: the estimate"}
	if left := len(p.Spans) - maxPlotted; left > 0 {
		p.Spans, words = p.Spans[:maxPlotted], append(words, fmt.Sprintf("%d more are left out", left))
	}
	p.Low, p.High = math.Inf(1), math.Inf(-1)
	include := func(list ...*float64) {
		for _, x := range list {
			if x != nil {
				p.Low, p.High = min(p.Low, *x), max(p.High, *x)
			}
		}
	}
	include(p.Mark)
	for i := range p.Spans {
		s := &p.Spans[i]
		if include(&s.Value, s.Low, s.High); s.Low != nil {
			words[0] = "●: the estimate with its 95 % interval"
		}
	}
	if legend != "" {
		words = append(words, legend)
	}
	if p.Spans == nil {
		return p
	}
	if p.High-p.Low < 1e-9*max(1, math.Abs(p.High)) {
		p.Low, p.High = p.Low-1, p.High+1
	}
	p.Legend, p.Ticks = strings.Join(words, "; ")+".", ticks(p.Low, p.High)
	return p
}

// ticks are round numbers from low to high, about five.
func ticks(low, high float64) (list []Tick) {
	unit := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, step := range []float64{unit, unit / 2, unit / 5} {
		list = nil
		first := math.Ceil(low/step - 1e-9)
		for n := range int(math.Floor(high/step+1e-9) - first + 1) {
			at := (first + float64(n)) * step
			list = append(list, Tick{at, Number(at)})
		}
		if len(list) > 3 {
			break
		}
	}
	return list
}

// plot shows the path of a sequential test.
func (s *SPRT) plot() Plot {
	if s == nil || len(s.path) == 0 {
		return Plot{}
	}
	high := float64(len(s.path))
	return Plot{
		Title: "Log-likelihood ratio", Axis: "mirrored pairs played", High: high, Ticks: ticks(0, high),
		Legend: fmt.Sprintf("LLR: the logarithm of how much likelier the results are if %s is stronger than %s by %s %s Elo than if by %s; at H1 or H0 the test accepts that.",
			s.bot, s.to, Number(s.Elo1), s.Model, Number(s.Elo0)),
		Path: &Path{s.path, []Tick{{s.Upper, fmt.Sprintf("H1 %.2f", s.Upper)}, {s.Lower, fmt.Sprintf("H0 %.2f", s.Lower)}}},
	}
}

// plots draw a comparison: the difference, the path of a sequential test, and the cases by
// how much they decide.
func (s *Strength) plots() []Plot {
	zero := 0.0
	difference := Plot{Title: "Difference", Mark: &zero}
	switch {
	case s.Elo != nil && s.Elo.Value != nil:
		difference.Axis, difference.Spans = elo, []Span{{s.Bot, strength.Rating{Value: *s.Elo.Value, Low: s.Elo.Low, High: s.Elo.High}}}
	case s.Paired != nil:
		difference.Axis, difference.Spans = pairedUnits[s.Paired.By]+" a case", []Span{{s.Bot, s.Paired.Rating}}
	}
	cases := Plot{Title: "Difference by case", Axis: "score a match", Mark: &zero}
	if s.Paired != nil {
		cases.Axis = pairedUnits[s.Paired.By] + " a match"
	}
	for _, c := range s.Cases {
		cases.Spans = append(cases.Spans, Span{c.Case, strength.Rating{Value: c.Difference}})
	}
	list := []Plot{difference, cases}
	for i, p := range list {
		if p.Spans != nil {
			list[i] = p.measured("0 is " + s.To)
		}
	}
	return drawn([]Plot{list[0], s.SPRT.plot(), list[1]})
}

// PrintPlots draws a comparison on a terminal.
func (s *Strength) PrintPlots(p *Printer) { p.Plots(s.plots()) }
