package report

import (
	"fmt"
	"math"
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

// Names are those of the spans or bars.
func (p Plot) Names() (names []string) {
	for _, s := range p.Spans {
		names = append(names, s.Name)
	}
	for _, b := range p.Bars {
		names = append(names, b.Name)
	}
	return names
}

// maxPlotted is how many bots a plot has at most.
const maxPlotted = 40

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
