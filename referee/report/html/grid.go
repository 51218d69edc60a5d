package html

import (
	"fmt"
	"math"
	"strconv"

	"umpire/referee/standings"
)

// grid is a table on a page.
type grid struct {
	Title, Caption string // the caption is for those who can't see the title
	Header         []cell
	Rows           [][]cell
	Note           string
}

// cell is a cell of a grid. Its text is safe to show.
type cell struct {
	Text  string
	Link  string
	Right bool      // flush right
	Heat  string    // class of a heat map; "" outside of one
	Label string    // what is read out in place of the text
	Span  *interval // drawn behind the text
	Bar   *bar      // drawn behind the text
	Name  bool      // a bot's name, whose direction of writing is its own
}

func text(s string) cell { return cell{Text: s} }

func number(n int) cell { return cell{Text: strconv.Itoa(n), Right: true} }

func decimal(text string) cell { return cell{Text: text, Right: true} }

func heads(right int, names ...string) []cell {
	out := make([]cell, len(names))
	for i, name := range names {
		out[i] = cell{Text: name, Right: i >= right}
	}
	return out
}

// interval is an estimate with its 95 % interval on a scale of 200 units.
type interval struct {
	Low, High, Value, Mark float64
	Label                  string
}

// scale is the axis that intervals are drawn on.
type scale struct {
	low, high float64
	mark      float64 // of the line across all intervals
}

// scaleOf is the scale that holds the estimates of all rows, with their mean marked.
func scaleOf(rows []standings.Row, estimate func(standings.Row) *standings.Rating) (s scale, ok bool) {
	s = scale{low: math.Inf(1), high: math.Inf(-1)}
	n := 0.0
	for _, row := range rows {
		r := estimate(row)
		if r == nil {
			continue
		}
		s.include(r)
		s.mark += r.Value
		n++
	}
	if n == 0 {
		return s, false
	}
	s.mark /= n
	s.widen()
	return s, true
}

func (s *scale) include(r *standings.Rating) {
	s.low, s.high = min(s.low, r.Value), max(s.high, r.Value)
	if r.Low != nil {
		s.low, s.high = min(s.low, *r.Low), max(s.high, *r.High)
	}
}

// widen keeps the scale from being empty.
func (s *scale) widen() {
	if s.high-s.low < 1e-9 {
		s.low, s.high = s.low-1, s.high+1
	}
}

// at is where a value is drawn.
func (s scale) at(x float64) float64 { return round1(5 + 190*(x-s.low)/(s.high-s.low)) }

func (s scale) interval(r *standings.Rating) *interval {
	if r == nil {
		return nil
	}
	i := interval{Value: s.at(r.Value), Low: s.at(r.Value), High: s.at(r.Value), Mark: s.at(s.mark), Label: rated(r)}
	if r.Low != nil {
		i.Low, i.High = s.at(*r.Low), s.at(*r.High)
	}
	return &i
}

// rated is a rating with its interval in words.
func rated(r *standings.Rating) string {
	if r == nil {
		return "no rating"
	}
	if r.Low == nil {
		return fmt.Sprintf("%.4g", r.Value)
	}
	return fmt.Sprintf("%.4g, 95 %% interval %.4g to %.4g", r.Value, *r.Low, *r.High)
}

// ratingOf is a row's rating or, where there is none, its mean score.
func ratingOf(row standings.Row) *standings.Rating {
	if row.Rating != nil {
		return row.Rating
	}
	return row.Mean
}

// bar is a bar of 100 units.
type bar struct{ Width float64 }

func barOf(x, most float64) *bar {
	if most <= 0 || x <= 0 {
		return &bar{}
	}
	return &bar{round1(100 * min(1, x/most))}
}

func round1(x float64) float64 { return math.Round(x*10) / 10 }

// heat is the class of a share of points from 0 to 1: nine steps.
func heat(share float64) string { return fmt.Sprintf("h%d", int(math.Round(8*min(1, max(0, share))))) }
