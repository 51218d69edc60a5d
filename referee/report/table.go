// Package report turns results into what people and other programs read:
// tables, CSV, Markdown, JUnit XML, positions and moves. It knows no processes,
// files or clocks. It prints through a Printer, which sends a terminal only
// plain text and colours.
package report

import "fmt"

// Table is rows of cells under a header.
type Table struct {
	Title  string // heading, if several tables follow each other; "" for none
	Header []string
	Right  []bool // by column: flush right; missing columns are flush left
	// Spare says, by column, how dispensable it is: where there is no room, the
	// columns with the greatest are left out first, together; 0: last, and never text.
	Spare []int
	// Shade is the colour of a cell on a terminal; nil: cells have none.
	Shade       func(row, column int) Colour
	PlainHeader bool // the header is not dimmed there
	Rows        [][]string
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

// addColumn appends a column to the header; spare is how dispensable it is.
func (t *Table) addColumn(header string, right bool, spare int) {
	for len(t.Spare) < len(t.Header) {
		t.Spare = append(t.Spare, 0)
	}
	t.Header, t.Right, t.Spare = append(t.Header, header), append(t.Right, right), append(t.Spare, spare)
}

// right reports whether a column is flush right.
func (t *Table) right(column int) bool { return column < len(t.Right) && t.Right[column] }

// spare returns how dispensable a column is.
func (t *Table) spare(column int) int {
	if column < len(t.Spare) {
		return t.Spare[column]
	}
	return 0
}
