package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/referee/analysis"
	"umpire/referee/report"
)

// worth draws the worth of positions after each reply: of two seats one curve, as
// the first sees it, of others one for each seat; and below, a lane for each seat with what its
// replies lost. The x axis is that of the chart of times. The zero worth shows
// nothing.
type worth struct {
	Unit, Method string
	Legend       string // which replies differ, where values are a bot's opinion; else the losses are graded
	Inaccuracy   string // least losses
	Mistake      string
	Blunder      string
	Result       bool // giving a result away is a blunder
	Wide         bool
	Curves       []curve
	Lanes        []losses
}

// curve is the values of a seat. Paths are within 1000 by 100 units.
type curve struct {
	Seat      int
	Bot       string
	Both      bool // the values of the other seat's replies are in it, with the sign turned round
	Line      string
	Zero      string
	Low, High string
}

// losses draws how much each reply of a seat lost, a path for each class.
type losses struct {
	Seat                                int
	Bot                                 string
	Sum                                 string
	Small, Inaccurate, Mistaken, Failed string
	High                                string
	Marks                               []mark
	More                                int // marks that are not listed; 0 or less: none
}

// mark is a link to a reply of a class.
type mark struct {
	Step  int
	Class string
	lost  float64
}

// maxMarks is how many links to marked replies stand below a lane, those that
// lost most.
const maxMarks = 12

// stepWorth is a step's part of it, for the script.
type stepWorth struct {
	Class string `json:"c,omitempty"`
	Text  string `json:"t"`
	Best  string `json:"b,omitempty"` // the best reply, if another was played
	// Ahead is how far the first of two seats is ahead: 100 and -100 are the best and the
	// worst of the match.
	Ahead int `json:"h"`
}

// addWorth adds an analysis to a page: to its steps and as a chart.
func (v *replay) addWorth(m *analysis.Match) {
	steps, values := v.Data.Steps, report.ValuesIn(m)
	ahead := func(move analysis.Move) float64 {
		if move.Seat == 1 {
			return move.Value
		}
		return -move.Value
	}
	most := 0.0
	if v.Balance = len(v.Seats) == 2 && len(m.Moves) > 0; v.Balance {
		for _, move := range m.Moves {
			most = max(most, math.Abs(ahead(move)))
		}
	}
	for _, move := range m.Moves {
		if move.Step >= len(steps) {
			continue
		}
		w := &stepWorth{Class: string(graded(move)), Text: safeLine(values.Worth(move))}
		v.Marked = v.Marked || w.Class != ""
		if most > 0 {
			w.Ahead = int(math.Round(100 * ahead(move) / most))
		}
		if move.Lost > 0 {
			w.Best = safeLine(values.BestReply(move))
		}
		steps[move.Step].Worth = w
	}
	for _, f := range m.Failures {
		if f.Step < len(steps) {
			steps[f.Step].Worth = &stepWorth{Text: safeLine(f.Kind + " " + values.Cost(f))}
		}
	}
	if len(m.Moves) == 0 {
		return
	}
	legend := ""
	if m.Classes.Opinion != "" {
		legend = report.LossesIn(m)
	}
	x := func(step int) float64 { return 1000 * (float64(step) + .5) / float64(len(steps)) }
	v.Worth = worth{
		Unit: m.Unit, Method: m.Method, Wide: len(steps) <= maxWide, Legend: legend, Result: m.Classes.Result,
		Inaccuracy: report.Number(m.Classes.Inaccuracy), Mistake: report.Number(m.Classes.Mistake), Blunder: report.Number(m.Classes.Blunder),
	}
	for i := range v.Seats {
		if i == 0 || len(v.Seats) != 2 {
			v.Worth.Curves = append(v.Worth.Curves, newCurve(m, i+1, v.Data.Bots, x))
		}
		v.Worth.Lanes = append(v.Worth.Lanes, newLosses(m, i+1, v.Data.Bots[i], x))
	}
}

// newCurve draws the values of a seat's replies and, of two seats, those of the
// other's.
func newCurve(m *analysis.Match, seat int, bots []string, x func(int) float64) curve {
	c := curve{Seat: seat, Bot: bots[seat-1], Both: len(bots) == 2}
	low, high := 0.0, 0.0
	values := make(map[int]float64)
	var order []int
	if first := m.Moves[0]; m.Start != nil && first.Seat == seat {
		values[0], order = *m.Start, append(order, 0)
		low, high = min(0, *m.Start), max(0, *m.Start)
	}
	for _, move := range m.Moves {
		value := move.Value
		if move.Seat != seat {
			if !c.Both {
				continue
			}
			value = -value
		}
		values[move.Step] = value
		order = append(order, move.Step)
		low, high = min(low, value), max(high, value)
	}
	if high == low {
		high = low + 1
	}
	y := func(value float64) int { return int(math.Round(96 - 92*(value-low)/(high-low))) }
	var line strings.Builder
	for i, step := range order {
		letter := byte('L')
		if i == 0 {
			letter = 'M'
		}
		fmt.Fprintf(&line, "%c%.1f %d", letter, x(step), y(values[step]))
	}
	c.Line, c.Zero = line.String(), fmt.Sprintf("M0 %dH1000", y(0))
	c.Low, c.High = trim(fmt.Sprintf("%.1f", low)), trim(fmt.Sprintf("%.1f", high))
	return c
}

// graded is the class of a reply that is marked as one.
func graded(m analysis.Move) analysis.Class {
	if m.Class == analysis.Differs {
		return ""
	}
	return m.Class
}

// newLosses draws what the replies of a seat lost.
func newLosses(m *analysis.Match, seat int, bot string, x func(int) float64) losses {
	l := losses{Seat: seat, Bot: bot, Sum: sumOf(m, seat)}
	high := m.Classes.Blunder
	for _, move := range m.Moves {
		high = max(high, move.Lost)
	}
	l.High = trim(fmt.Sprintf("%.1f", high))
	paths := map[analysis.Class]*string{
		"": &l.Small, analysis.Inaccuracy: &l.Inaccurate, analysis.Mistake: &l.Mistaken, analysis.Blunder: &l.Failed,
	}
	for _, move := range m.Moves {
		if move.Seat != seat || move.Lost == 0 {
			continue
		}
		*paths[graded(move)] += fmt.Sprintf("M%.1f 100V%.0f", x(move.Step), 97-93*move.Lost/high)
		if graded(move) != "" {
			l.Marks = append(l.Marks, mark{move.Step, string(move.Class), move.Lost})
		}
	}
	if l.More = len(l.Marks) - maxMarks; l.More > 0 {
		slices.SortStableFunc(l.Marks, func(a, b mark) int { return cmp.Compare(b.lost, a.lost) })
		l.Marks = l.Marks[:maxMarks]
		slices.SortFunc(l.Marks, func(a, b mark) int { return cmp.Compare(a.Step, b.Step) })
	}
	return l
}

// sumOf says what a seat lost in all.
func sumOf(m *analysis.Match, seat int) string {
	s := m.Seats[seat-1]
	about := "about "
	if m.Exact {
		about = ""
	}
	if bot := m.Classes.Opinion; bot != "" {
		return fmt.Sprintf("%d of %d choices differ from %s, by %s%s %s", s.Differs, s.Choices, bot, about, trim(fmt.Sprintf("%.1f", s.Lost)), m.Unit)
	}
	return fmt.Sprintf("lost %s%s %s: %s, %s, %s", about, trim(fmt.Sprintf("%.1f", s.Lost)), m.Unit,
		plural(s.Inaccuracies, "inaccuracy", "inaccuracies"), plural(s.Mistakes, "mistake", "mistakes"), plural(s.Blunders, "blunder", "blunders"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
