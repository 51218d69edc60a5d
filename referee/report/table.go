// Package report turns results into what people and other programs read:
// tables, CSV, Markdown, JUnit XML. It computes nothing.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table is rows of cells under a header.
type Table struct {
	Title  string // heading where several tables stand below each other; "" for none
	Header []string
	Right  []bool // by column: flush right; missing ones are flush left
	Rows   [][]string
}

// Add appends a row; values that are not strings are printed.
func (t *Table) Add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.Rows = append(t.Rows, row)
}

// Write prints the table in columns two spaces apart. Style, if not nil, dresses
// a cell after it has been padded.
func (t *Table) Write(w io.Writer, style func(row, column int, text string) string) error {
	width := make([]int, len(t.Header))
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for n, row := range append([][]string{t.Header}, t.Rows...) {
		var line strings.Builder
		for i, cell := range row {
			padded := t.pad(i, width[i], cell)
			if style != nil && cell != "" {
				padded = strings.Replace(padded, cell, style(n-1, i, cell), 1)
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

// Safe makes a stranger's text fit for a terminal: control characters, escape
// sequences among them, are shown and not sent.
func Safe(text string) string {
	clean := func(r rune) bool { return r == '\n' || r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case clean(r):
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, "\\x%02x", text[i])
		default:
			q := fmt.Sprintf("%q", r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}
