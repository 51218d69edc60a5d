package report

import (
	"io"
	"slices"
	"strings"
)

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
	_, err := io.WriteString(w, b.String()+t.leftOutNote(l, room, style).fit)
	return err
}

// leftOutNote returns the lines below the table that name what is left out; "" if nothing
// is.
func (t *Table) leftOutNote(l layout, room int, style func(row, column int, text Text) Text) Text {
	more := t.leftOut(l)
	if more == "" {
		return Text{}
	}
	var b strings.Builder
	for line := range strings.SplitSeq(Fill(more, room, 0, 1), "\n") {
		note := Text{Cut(line, room)}
		if style != nil {
			note = style(-1, 0, note)
		}
		b.WriteString(note.fit + "\n")
	}
	return Text{b.String()}
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

// pad pads a cell to width.
func (t *Table) pad(column, width int, cell string) string {
	blank := strings.Repeat(" ", max(0, width-Width(cell)))
	if t.right(column) {
		return blank + cell
	}
	return cell + blank
}
