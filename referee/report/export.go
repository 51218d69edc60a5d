package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"umpire/referee/pattern"
)

// WriteCSV prints the table as comma-separated values (RFC 4180, but lines end
// in a bare newline). Cells are exact, except that control characters are made
// visible and that what a spreadsheet would compute begins with an apostrophe.
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		if err := out.Write(cells(row)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// cells makes cells of comma-separated values.
func cells(row []string) []string {
	clean := make([]string, len(row))
	for i, cell := range row {
		clean[i] = noFormula(Safe(cell).fit)
	}
	return clean
}

// builtinName is the form of the names of built-in bots, which no spreadsheet computes.
var builtinName = pattern.New(`^@[a-z0-9/-]+(#[0-9a-f]{8})?( \(opponent\))?$`)

// noFormula keeps a spreadsheet from computing a cell: a bot's author chooses
// its name. Numbers, and the names of built-in bots, stay as they are.
func noFormula(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) || builtinName().MatchString(cell) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// Markdown returns the table as a Markdown table under its title, aligned
// so that the source also reads well. Markup in cells is escaped.
func (t *Table) Markdown() string {
	rows, width := t.prepare(func(cell string) Text { return Text{escapeMarkdown(cell)} })
	for i := range width {
		width[i] = max(width[i], 3)
	}
	var b strings.Builder
	if t.Title != "" {
		fmt.Fprintf(&b, "### %s\n\n", escapeMarkdown(t.Title))
	}
	for n, row := range rows {
		for i, cell := range row {
			b.WriteString("| " + t.pad(i, width[i], cell) + " ")
		}
		b.WriteString("|\n")
		if n == 0 {
			b.WriteString(t.rule(width))
		}
	}
	return b.String()
}

// rule returns the line under the header, which sets the columns' alignment.
func (t *Table) rule(width []int) string {
	var b strings.Builder
	for i, n := range width {
		dashes := strings.Repeat("-", n)
		if t.right(i) {
			dashes = dashes[1:] + ":"
		}
		b.WriteString("| " + dashes + " ")
	}
	return b.String() + "|\n"
}

// escapeMarkdown escapes markup. An underscore inside a word is not markup and
// stays readable. A space without width after an @ keeps a site from taking the name of
// a bot for that of a user, who would be told.
func escapeMarkdown(text string) string {
	runes := []rune(strings.ReplaceAll(Safe(text).fit, "\n", " "))
	word := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	var b strings.Builder
	for i, r := range runes {
		switch {
		case strings.ContainsRune("\\`*[]|<>~&", r), r == '_' && !(word(i-1) && word(i+1)):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if r == '@' && word(i+1) && !word(i-1) {
			b.WriteString("&#8203;")
		}
	}
	return b.String()
}
