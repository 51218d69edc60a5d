package report

import (
	"fmt"
	"slices"

	"umpire/referee/standings"
	"umpire/referee/strength"
)

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
	return Plot{Title: "Ratings", Axis: Elo, Mark: &mean}.spans(rows, "1500 is the mean of all", func(r standings.Row) *strength.Rating { return r.Rating })
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
		difference.Axis, difference.Spans = Elo, []Span{{s.Bot, strength.Rating{Value: *s.Elo.Value, Low: s.Elo.Low, High: s.Elo.High}}}
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
