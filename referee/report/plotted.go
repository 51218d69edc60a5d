package report

import (
	"math"
	"slices"
	"strings"
)

// What a plot takes on a terminal.
const (
	plotColumns = 80 // the width, unless the terminal is narrower
	plotNames   = 24 // the widest names of rows
	plotLines   = 11 // the height of a path
)

// Plots draws plots, each after an empty line, within 80 columns.
func (p *Printer) Plots(plots []Plot) {
	for _, plot := range plots {
		p.Printf("\n%s\n", p.Style(Bold, plot.Title+" ("+plot.Axis+")"))
		for _, line := range plot.lines(p.plotRoom()) {
			p.Printf("%s\n", strings.TrimRight(p.plain(line), " "))
		}
		p.Printf("%s\n", p.Style(Dim, p.plain(Fill(Safe(plot.Legend).fit, p.plotRoom(), 0, 0))))
	}
}

func (p *Printer) plotRoom() int {
	if room := p.room(); room > 0 {
		return min(room, plotColumns)
	}
	return plotColumns
}

// levels are the heights of a bar.
const levels = "▁▂▃▄▅▆▇█"

// inASCII replaces what a plot is drawn with.
var inASCII = strings.NewReplacer("├", "|", "┤", "|", "─", "-", "●", "o", "│", "|", "┴", "+", "┼", "+", "╌", "-", "•", "*", "·", ".",
	"…", "~", "µ", "u", "▁", "1", "▂", "2", "▃", "3", "▄", "4", "▅", "5", "▆", "6", "▇", "7", "█", "8")

// plain is a part of a plot in the characters that the printer may use.
func (p *Printer) plain(text string) string {
	if p.ASCII {
		return inASCII.Replace(text)
	}
	return text
}

// lines draws a plot in so many columns of a terminal.
func (g Plot) lines(room int) (lines []string) {
	names, widest := g.Names(), 0
	for i := range names {
		names[i] = shortenMiddle(SafeLine(names[i]).fit, min(plotNames, room/3))
		widest = max(widest, Width(names[i]))
	}
	if g.Path != nil {
		names, widest = g.margin()
	}
	width := max(10, room-widest-2)
	var rows [][]rune
	switch {
	case g.Path != nil:
		rows = g.Path.draw(width)
	case g.Bars != nil:
		for _, b := range g.Bars {
			rows = append(rows, b.draw(width))
		}
		width = len(rows[0])
	default:
		for _, s := range g.Spans {
			rows = append(rows, g.span(s, width))
		}
	}
	for i, row := range rows {
		lines = append(lines, names[i]+strings.Repeat(" ", widest-Width(names[i])+2)+string(row))
	}
	margin := strings.Repeat(" ", widest+2)
	rule, labels := g.axis(width)
	return append(lines, margin+rule, margin+labels)
}

// column is where a value is on the horizontal axis.
func (g Plot) column(x float64, width int) int {
	return int(math.Round((x - g.Low) / (g.High - g.Low) * float64(width-1)))
}

func (g Plot) span(s Span, width int) []rune {
	row := []rune(strings.Repeat(" ", width))
	if g.Mark != nil {
		row[g.column(*g.Mark, width)] = '│'
	}
	if s.Low != nil && s.High != nil {
		from, to := g.column(*s.Low, width), g.column(*s.High, width)
		for i := from; i <= to; i++ {
			row[i] = '─'
		}
		if g.Mark != nil && row[g.column(*g.Mark, width)] == '─' {
			row[g.column(*g.Mark, width)] = '┼'
		}
		row[from], row[to] = '├', '┤'
	}
	row[g.column(s.Value, width)] = '●'
	return row
}

// axis draws the horizontal axis, and the labels of the ticks for which there is room.
func (g Plot) axis(width int) (rule, labels string) {
	line := []rune(strings.Repeat("─", width))
	for _, t := range g.Ticks {
		at := min(width-1, g.column(t.At, width))
		line[at] = '┴'
		label := SafeLine(Cut(t.Label, width)).fit
		start := max(0, min(at-Width(label)/2, width-Width(label)))
		if gap := start - Width(labels); gap >= 0 && (gap > 0 || labels == "") {
			labels += strings.Repeat(" ", gap) + label
		}
	}
	return string(line), labels
}

// sparkline draws values of a scale as a line of bars, neighbours together where there are
// more than fit so many columns.
func (p *Printer) sparkline(values []float64, low, high float64, most int) string {
	if len(values) == 0 {
		return ""
	}
	heights := make([]float64, len(values))
	for i, x := range values {
		heights[i] = max(0.01, (x-low)/max(1e-9, high-low))
	}
	return p.plain(string(Bars{Heights: heights}.draw(min(most, len(heights)))))
}

// draw draws bars, each as wide as there is room for, or neighbours together.
func (b Bars) draw(width int) (row []rune) {
	together := (len(b.Heights) + width - 1) / width
	wide := max(1, min(4, width/len(b.Heights)))
	for group := range slices.Chunk(b.Heights, together) {
		sum, n := 0.0, 0
		for _, h := range group {
			if !math.IsNaN(h) {
				sum, n = sum+h, n+1
			}
		}
		bar := '·'
		if steps := []rune(levels); n > 0 && sum > 0 {
			bar = steps[min(len(steps)-1, int(sum/float64(n)*float64(len(steps))))]
		} else if n > 0 {
			bar = ' '
		}
		row = append(row, []rune(strings.Repeat(string(bar), wide))...)
	}
	return row
}

// Ends are the ends of the vertical axis of a path.
func (h Path) Ends() (low, high float64) {
	for _, b := range h.Bounds {
		low, high = min(low, b.At), max(high, b.At)
	}
	return min(low, slices.Min(h.Values)), max(high, slices.Max(h.Values))
}

// line is where a value is, the top being 0.
func (h Path) line(x float64) int {
	low, high := h.Ends()
	return int(math.Round((high - x) / (high - low) * (plotLines - 1)))
}

// margin labels the lines of a path.
func (g Plot) margin() (names []string, widest int) {
	names = make([]string, plotLines)
	for _, b := range append([]Tick{{0, "0"}}, g.Path.Bounds...) {
		names[g.Path.line(b.At)] = b.Label
		widest = max(widest, Width(b.Label))
	}
	return names, widest
}

func (h Path) draw(width int) [][]rune {
	rows := make([][]rune, plotLines)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", width))
	}
	for _, b := range h.Bounds {
		rows[h.line(b.At)] = []rune(strings.Repeat("╌", width))
	}
	for column := range width {
		// The n-th of k values is after n pairs; the first column is before any.
		at, y := int(math.Round(float64(column)/float64(width-1)*float64(len(h.Values)))), 0.0
		if at > 0 {
			y = h.Values[at-1]
		}
		rows[h.line(y)][column] = '•'
	}
	return rows
}
