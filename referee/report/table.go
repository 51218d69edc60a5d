// Package report turns results into what people and other programs read:
// tables, CSV, Markdown, JUnit XML, positions and moves. It knows no processes,
// files or clocks. It prints through a Printer, which sends a terminal only
// plain text and colours.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table is rows of cells under a header.
type Table struct {
	Title  string // heading, if several tables follow each other; "" for none
	Header []string
	Right  []bool // by column: flush right; missing columns are flush left
	// Spare says, by column, how dispensable it is: where there is no room, the
	// columns with the greatest are left out first, together; 0: never.
	Spare []int
	// Shade is the colour of a cell on a terminal; nil: cells have none.
	Shade func(row, column int) Colour
	Rows  [][]string
	// Narrow, if not nil, is shown in place of the table where some of the columns do not fit
	// that Narrow does without; Folded names those columns.
	Narrow *Table
	Folded string
	more   string // what a wider window has in place of this table's columns
}

// Add appends a row; values that are not strings are formatted.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// addColumn appends a column to the header.
func (t *Table) addColumn(header string, right bool) {
	t.Header, t.Right = append(t.Header, header), append(t.Right, right)
}

// Write prints the table in columns two spaces apart, no wider than room; 0 is
// room for everything. Cells are made safe for a terminal and stay on one line.
// Style, if not nil, styles a cell after padding; row -1 is the header. Columns
// that are left out are named below.
func (t *Table) Write(w io.Writer, room int, style func(row, column int, text Text) Text) error {
	rows, width := t.prepare(SafeLine)
	l := t.fit(width, room)
	var b strings.Builder
	for n, row := range rows {
		b.WriteString(t.line(l, n-1, row, style) + "\n")
	}
	if more := t.leftOut(l); more != "" {
		for line := range strings.SplitSeq(wrap(more, room, 1), "\n") {
			note := Text{Cut(line, room)}
			if style != nil {
				note = style(-1, 0, note)
			}
			b.WriteString(note.fit + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// in returns the table that is shown where there is room for so many columns of text; 0 is
// room for everything.
func (t Table) in(room int) Table {
	if t.Narrow == nil {
		return t
	}
	var folded []string
	for _, name := range t.Header {
		if !slices.Contains(t.Narrow.Header, name) {
			folded = append(folded, name)
		}
	}
	_, width := t.prepare(SafeLine)
	if !slices.ContainsFunc(t.fit(width, room).without, func(i int) bool { return slices.Contains(folded, t.Header[i]) }) {
		return t
	}
	narrow := *t.Narrow
	narrow.Title, narrow.more = t.Title, t.Folded+": "+strings.Join(folded, ", ")
	return narrow
}

// prepare returns the header and the rows with clean cells and aligned
// decimals, and the width of each column.
func (t *Table) prepare(clean func(string) Text) (rows [][]string, width []int) {
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		cleaned := make([]string, len(row))
		for i, cell := range row {
			cleaned[i] = clean(cell).fit
		}
		rows = append(rows, cleaned)
	}
	width = make([]int, len(t.Header))
	for i := range width {
		var cells []string
		for _, row := range rows[1:] {
			cells = append(cells, row[i])
		}
		if t.right(i) {
			AlignDecimals(cells)
		}
		width[i] = Width(rows[0][i])
		for n, cell := range cells {
			rows[n+1][i] = cell
			width[i] = max(width[i], Width(cell))
		}
	}
	return rows, width
}

// line returns a row as laid out.
func (t *Table) line(l layout, row int, cells []string, style func(row, column int, text Text) Text) string {
	var line strings.Builder
	for n, i := range l.columns {
		cell := shortenMiddle(cells[i], l.width[i])
		padded := t.pad(i, l.width[i], cell)
		if style != nil && cell != "" {
			padded = strings.Replace(padded, cell, style(row, i, Text{cell}).fit, 1)
		}
		if n > 0 {
			line.WriteString(strings.Repeat(" ", gap))
		}
		line.WriteString(padded)
	}
	return strings.TrimRight(line.String(), " ")
}
