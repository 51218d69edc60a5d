package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html/page"
)

// The most rows of a table.
const (
	maxRows  = 2000 // of bots
	maxCases = 500  // of cases
)

// grid is a table on a page.
type grid struct {
	Title, Caption string // the caption is for those who can't see the title
	Header         []cell
	Rows           [][]cell
	Note           string
}

// Classes says how the table scrolls and sorts: its column of bots or cases stays in view,
// and where no column's name is a link, the rows can be put in the order of a column.
func (g grid) Classes() string {
	var classes []string
	for i, head := range g.Header[:min(2, len(g.Header))] {
		if head.Text == "bot" || head.Text == "case" {
			classes = append(classes, fmt.Sprintf("pinned%d", i+1))
			break
		}
	}
	if g.Folds() > 0 {
		classes = append(classes, "folds")
	}
	if len(g.Header) > 20 {
		classes = append(classes, "broad")
	}
	if len(g.Rows) > 2 && !slices.ContainsFunc(g.Header, func(c cell) bool { return c.Link != "" }) {
		classes = append(classes, "sorts")
	}
	return strings.Join(classes, " ")
}

// Folds is how many columns are shown on demand.
func (g grid) Folds() (n int) {
	for _, head := range g.Header {
		if head.Extra {
			n++
		}
	}
	return n
}

// IsExtra reports whether a column is shown on demand.
func (g grid) IsExtra(column int) bool { return column < len(g.Header) && g.Header[column].Extra }

// fold has columns shown on demand: those named, and those that are nothing but zeros.
func (g *grid) fold(names []string) {
	for i := range g.Header {
		isZero := func(row []cell) bool { return row[i].Text == "0" || row[i].Text == "" || row[i].Text == "-" }
		full := slices.ContainsFunc(g.Rows, func(row []cell) bool { return !isZero(row) })
		g.Header[i].Extra = i > 1 && (!full || slices.Contains(names, g.Header[i].Text))
	}
}

// align gives the numbers of each column as many decimals.
func (g *grid) align() {
	for i, head := range g.Header {
		texts := make([]string, len(g.Rows))
		for n, row := range g.Rows {
			texts[n] = row[i].Text
		}
		if head.Right {
			report.AlignDecimals(texts)
		}
		for n := range g.Rows {
			g.Rows[n][i].Text = texts[n]
		}
	}
}

// cell is a cell of a grid. Its text is safe to show.
type cell struct {
	Text  string
	Link  string
	Right bool   // flush right
	Heat  string // class of a heat map; "" outside of one
	Label string // what is read out after the text
	Bar   *bar   // drawn behind the text
	Value string // what the column is sorted by; "": the text
	Name  bool   // a bot's name, whose direction of writing is its own
	Extra bool   // of a header: the column is shown on demand
}

// cellsOf are the cells of a row of a report's table.
func cellsOf(row []string, right []bool) []cell {
	cells := make([]cell, len(row), len(row)+1)
	for i, value := range row {
		cells[i] = cell{Text: page.SafeLine(value), Right: right[i]}
	}
	return cells
}

// gridOf shows a report's table, whose second column are bots.
func gridOf(caption string, t report.Table) grid {
	g := grid{Caption: caption, Header: cellsOf(t.Header, t.Right)}
	for _, row := range t.Rows {
		cells := cellsOf(row, t.Right)
		cells[1].Name = true
		g.Rows = append(g.Rows, cells)
	}
	return g
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
