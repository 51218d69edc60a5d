package replay

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"umpire/referee/analysis"
	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// worth is what replies were worth: a graph, which the script draws from the steps, and
// what each seat lost. The zero worth shows nothing.
type worth struct {
	Balance                      bool // the steps say what the first of two seats may expect
	Marked                       bool // replies that lost something
	Inaccuracy, Mistake, Blunder string
	Of, Results                  string
	Method                       string
	Opinion                      string // what it means that a reply differs; "": losses have classes
	Axis                         string // what the graph shows
	Low, High                    float64
	Lines                        int // 1: one for all seats
	Labels                       []string
	Ticks                        []int // steps
	Said                         string
	Seats                        []losses
}

// losses is what the replies of a seat lost.
type losses struct {
	Seat     int
	Bot, Sum string
	Marks    []mark
	More     int // marks that are not listed; 0 or less: none
}

// mark is a link to a reply of a class.
type mark struct {
	Step  int
	Class string
	lost  float64
}

// maxMarks is how many links to marked replies a seat has, those that lost most.
const maxMarks = 12

// graphed says what a page's graph shows of a match.
type graphed struct {
	*analysis.Match
	results bool // expected results in per cent, of two seats those of the first; else values
}

// single reports whether the graph has one line for all seats.
func (g graphed) single() bool { return len(g.Seats) == 1 || g.results && len(g.Seats) == 2 }

// at is where the graph is after a move.
func (g graphed) at(m analysis.Move) int {
	switch {
	case !g.results:
		return int(math.Round(m.Value))
	case len(g.Seats) == 2 && m.Seat == 2:
		return int(math.Round(100 - 100*m.Result))
	}
	return int(math.Round(100 * m.Result))
}

// end is where a single line ends: at the result, or the score.
func (g graphed) end() int {
	if !g.results {
		return int(math.Round(g.Seats[0].Margin.Float()))
	}
	return 50 + 50*cmp.Compare(g.Seats[1].Place, g.Seats[0].Place)
}

// newWorth adds an analysis to the steps of a page, and makes its graph. Hints are the
// texts that draw the best replies, by step.
func newWorth(in *album, m *analysis.Match, hints map[int]int, steps []step, bots []string) (w worth) {
	values := report.ValuesIn(m)
	g := graphed{m, m.Classes.Results != "" && len(bots) > 1}
	text := func(text string) int { return 1 + in.text(page.SafeLine(text)) }
	for _, move := range m.Moves {
		if move.Step >= len(steps) {
			continue
		}
		one := &stepWorth{Class: string(Grade(move)), Text: text(values.Worth(move)), At: new(g.at(move))}
		w.Marked = w.Marked || one.Class != ""
		if move.Lost > 0 {
			one.Best = text(values.BestReply(move))
		}
		if hint, ok := hints[move.Step]; ok {
			one.Hint = hint + 1
		}
		steps[move.Step].Worth = one
	}
	for _, f := range m.Failures {
		if f.Step < len(steps) {
			steps[f.Step].Worth = &stepWorth{Text: text(f.Kind + " " + values.Cost(f))}
		}
	}
	if len(m.Moves) == 0 {
		return w
	}
	w.Balance = g.results && g.single()
	if first := m.Moves[0]; g.single() && first.Event == 0 {
		before := analysis.Move{Seat: first.Seat, Value: first.BestValue, Result: first.Result + first.ResultLost}
		steps[0].Worth = &stepWorth{At: new(g.at(before))}
	}
	if g.single() {
		last := &steps[len(steps)-1]
		if last.Worth == nil {
			last.Worth = &stepWorth{}
		}
		last.Worth.At = new(g.end())
	}
	w.Of, w.Results, w.Method = m.Classes.Of, m.Classes.Results, "Values are in "+m.Unit+", "+m.Method
	w.Inaccuracy, w.Mistake, w.Blunder = report.Percent(m.Classes.Inaccuracy), report.Percent(m.Classes.Mistake), report.Percent(m.Classes.Blunder)
	if m.Classes.Opinion != "" {
		w.Opinion = report.LossesIn(m)
	}
	w.draw(g, steps, bots)
	for i, bot := range bots {
		w.Seats = append(w.Seats, newLosses(m, i+1, bot))
	}
	return w
}

// draw sets the axes of the graph, and says what it shows.
func (w *worth) draw(g graphed, steps []step, bots []string) {
	unit := ""
	switch w.Lines = 1; {
	case g.results && len(bots) == 2:
		w.Axis, unit = "Expected result of "+bots[0], " %"
	case g.results:
		w.Axis, unit, w.Lines = "Expected results", " %", len(bots)
	case len(bots) == 1:
		w.Axis, unit = "Score to be expected", " "+g.Unit
	default:
		w.Axis, unit, w.Lines = "Value of each seat’s position to it, in "+g.Unit, "", len(bots)
	}
	if w.High = 100; !g.results {
		w.High = 0
	}
	points := make([][]point, w.Lines)
	for n, s := range steps {
		if s.Worth == nil || s.Worth.At == nil {
			continue
		}
		line := 0
		if w.Lines > 1 {
			line = s.Seat - 1
		}
		at := *s.Worth.At
		points[line] = append(points[line], point{n, at})
		w.Low, w.High = min(w.Low, float64(at)), max(w.High, float64(at))
	}
	if w.High == w.Low {
		w.High++
	}
	label := func(at float64) string { return trim(fmt.Sprintf("%.1f", at)) + strings.TrimSuffix(unit, g.Unit) }
	w.Labels = []string{label(w.High), label((w.High + w.Low) / 2), label(w.Low)}
	for i := range 5 {
		if tick := i * (len(steps) - 1) / 4; !slices.Contains(w.Ticks, tick) {
			w.Ticks = append(w.Ticks, tick)
		}
	}
	w.Said = w.Axis
	for i, line := range points {
		if len(line) == 0 {
			continue
		}
		of := ""
		if w.Lines > 1 {
			of = " " + bots[i] + ":"
		}
		value := func(p point) string { return fmt.Sprintf("%d%s", p.at, unit) }
		high := slices.MaxFunc(line, func(a, b point) int { return cmp.Compare(a.at, b.at) })
		low := slices.MinFunc(line, func(a, b point) int { return cmp.Compare(a.at, b.at) })
		w.Said += fmt.Sprintf(";%s %s after step %d, at most %s after %d, at least %s after %d, at last %s",
			of, value(line[0]), line[0].step, value(high), high.step, value(low), low.step, value(line[len(line)-1]))
	}
}

// point is where a line of the graph is after a step.
type point struct{ step, at int }

// Grade is the class of a reply that is marked as one.
func Grade(m analysis.Move) analysis.Class {
	if m.Class == analysis.Differs {
		return ""
	}
	return m.Class
}

// newLosses sums up what the replies of a seat lost.
func newLosses(m *analysis.Match, seat int, bot string) losses {
	l := losses{Seat: seat, Bot: bot, Sum: sumOf(m, seat)}
	for _, move := range m.Moves {
		if move.Seat == seat && Grade(move) != "" {
			l.Marks = append(l.Marks, mark{move.Step, string(move.Class), move.ResultLost})
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
	about := report.About(m.Exact)
	lost := trim(fmt.Sprintf("%.1f", s.Lost))
	if bot := m.Classes.Opinion; bot != "" {
		return fmt.Sprintf("%d of %d choices differ from %s, by %s%s %s", s.Differs, s.Choices, bot, about, lost, m.Unit)
	}
	accurate := ""
	if share, ok := s.Accuracy(m.Classes); ok {
		accurate = fmt.Sprintf("accuracy %.1f %%, ", 100*share)
	}
	return fmt.Sprintf("%slost %s%s %s: %s", accurate, about, lost, m.Unit, Marks(s.Inaccuracies, s.Mistakes, s.Blunders))
}

// trim takes the zeros off a fraction.
func trim(number string) string { return strings.TrimRight(strings.TrimRight(number, "0"), ".") }

// Marks counts the replies that are marked, by class.
func Marks(inaccuracies, mistakes, blunders int) string {
	return report.Plural(inaccuracies, "inaccuracy") + ", " + report.Plural(mistakes, "mistake") + ", " + report.Plural(blunders, "blunder")
}
