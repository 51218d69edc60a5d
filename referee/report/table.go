// Package report turns results into what people and other programs read:
// tables, CSV, Markdown, JUnit XML, positions and moves. It knows no processes,
// files or clocks. It prints through a Printer, which sends a terminal only
// plain text and colours.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is rows of cells under a header.
type Table struct {
	Title  string // heading, if several tables follow each other; "" for none
	Header []string
	Right  []bool // by column: flush right; missing columns are flush left
	Rows   [][]string
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

// Write prints the table in columns two spaces apart. Cells are made safe for a
// terminal and stay on one line. Style, if not nil, styles a cell after
// padding; row -1 is the header.
func (t *Table) Write(w io.Writer, style func(row, column int, text Text) Text) error {
	width := make([]int, len(t.Header))
	rows := make([][]string, 0, len(t.Rows)+1)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = SafeLine(cell).fit
			width[i] = max(width[i], utf8.RuneCountInString(safe[i]))
		}
		rows = append(rows, safe)
	}
	var b strings.Builder
	for n, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			padded := t.pad(i, width[i], cell)
			if style != nil && cell != "" {
				padded = strings.Replace(padded, cell, style(n-1, i, Text{cell}).fit, 1)
			}
			if i > 0 {
				line.WriteString("  ")
			}
			line.WriteString(padded)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
