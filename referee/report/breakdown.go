package report

import (
	"fmt"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/record"
	"umpire/referee/standings"
)

// Counts adds up a bot's matches.
type Counts struct {
	Played, Won, Drawn, Lost, Failed int
	Points                           protocols.Score
}

// Add counts the match of the bot in a seat, from 0.
func (n *Counts) Add(seats []record.SummarySeat, seat int) {
	n.Played++
	n.Points = n.Points.Plus(seats[seat].Score)
	switch standings.HalvesOf(seats, seat) {
	case 2:
		n.Won++
	case 1:
		n.Drawn++
	default:
		n.Lost++
	}
	if seats[seat].Verdict != "ok" {
		n.Failed++
	}
}

// Mean is the mean score of a match.
func (n *Counts) Mean() float64 { return n.Points.Over(int64(n.Played)) }

// Breakdown is what standings lack: of each bot how it did case by case, and how long its
// replies took.
type Breakdown struct {
	Cases []string // in order
	Times func(row standings.Row) *Times
	On    func(row standings.Row, name string) *Counts // on a case; nil: it did not play it

	groups map[string]string // of the cases, where records made it
}

// widestCases is how many bars the cases have at most, each of neighbours if there are
// more.
const widestCases = 60

// casePlot shows what each bot scored on each case.
func (b *Breakdown) casePlot(rows []standings.Row) (p Plot) {
	if len(b.Cases) < 2 {
		return p
	}
	together := (len(b.Cases) + widestCases - 1) / widestCases
	low, high := 0.0, 0.0
	for _, r := range rows[:min(maxPlotted, len(rows))] {
		bars := Bars{Name: r.Bot}
		for names := range slices.Chunk(b.Cases, together) {
			all := Counts{}
			for _, name := range names {
				if n := b.On(r, name); n != nil {
					all.Played, all.Points = all.Played+n.Played, all.Points.Plus(n.Points)
				}
			}
			mean, label := math.NaN(), names[0]
			if len(names) > 1 {
				label += " to " + names[len(names)-1]
			}
			if all.Played > 0 {
				mean, label = all.Mean(), label+": "+Number(all.Mean())
				low, high = min(low, mean), max(high, mean)
			}
			bars.Heights, bars.Labels = append(bars.Heights, mean), append(bars.Labels, label)
		}
		p.Bars = append(p.Bars, bars)
	}
	if p.Bars == nil {
		return p
	}
	for _, bars := range p.Bars {
		for i := range bars.Heights {
			bars.Heights[i] = (bars.Heights[i] - low) / max(1e-9, high-low)
		}
	}
	last := len(p.Bars[0].Heights) - 1
	p.Title, p.Axis, p.High, p.Ticks = "Score by case", "cases in the order of their names", float64(last+1), []Tick{{0, b.Cases[0]}, {float64(last), b.Cases[len(b.Cases)-1]}}
	p.Legend = fmt.Sprintf("Height: the mean score of a match, from %s to %s.", Number(low), Number(high))
	if together > 1 {
		p.Legend = fmt.Sprintf("Height: the mean score of a match on %d neighbouring cases, from %s to %s.", together, Number(low), Number(high))
	}
	return p
}

// binsPlotted is how many bins of times a plot shows together.
const binsPlotted = 10

// timePlot shows how long the replies of each bot took.
func (b *Breakdown) timePlot(rows []standings.Row) (p Plot) {
	first, last, most := timeBins, -1, 0.0
	rows = slices.DeleteFunc(slices.Clone(rows), func(r standings.Row) bool { return b.Times(r).Replies() == 0 })
	rows = rows[:min(maxPlotted, len(rows))]
	for _, r := range rows {
		times := b.Times(r)
		counts, from := times.Grouped(binsPlotted)
		first, last = min(first, from), max(last, from+len(counts)-1)
		most = max(most, float64(slices.Max(counts))/float64(times.Replies()))
	}
	for _, r := range rows {
		times, bars := b.Times(r), Bars{Name: r.Bot}
		counts, from := times.Grouped(binsPlotted)
		for i := first; i <= last; i++ {
			part := 0.0
			if n := i - from; n >= 0 && n < len(counts) {
				part = float64(counts[n]) / float64(times.Replies())
			}
			bars.Heights = append(bars.Heights, part/most)
			bars.Labels = append(bars.Labels, fmt.Sprintf("%s to %s: %.1f %%", TimeEdge(i, binsPlotted), TimeEdge(i+1, binsPlotted), 100*part))
		}
		p.Bars = append(p.Bars, bars)
	}
	if p.Bars == nil {
		return p
	}
	p.Title, p.Axis, p.High = "Time of a reply", "wall time, logarithmic", float64(last-first+1)
	for i := first; i <= last+1; i++ {
		if i%(binsDecade/binsPlotted) == 0 {
			p.Ticks = append(p.Ticks, Tick{float64(i - first), TimeEdge(i, binsPlotted)})
		}
	}
	if len(p.Ticks) == 0 {
		p.Ticks = []Tick{{0, TimeEdge(first, binsPlotted)}}
	}
	p.Legend = fmt.Sprintf("Height: the share of a bot's replies, from 0 to %.0f %%.", 100*most)
	return p
}
