package report

import "strings"

// wrap breaks text between words so that no line takes more columns than room;
// 0 is room for everything. Lines after the first begin with hang spaces.
func wrap(text string, room, hang int) string { return wrapAfter(text, room, 0, hang) }

// wrapAfter is wrap for text that follows others on its first line, which take
// some columns.
func wrapAfter(text string, room, taken, hang int) string {
	if room <= 0 {
		return text
	}
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		width := Width(word)
		switch {
		case i == 0:
		case taken+1+width > room:
			b.WriteString("\n" + strings.Repeat(" ", hang))
			taken = hang
		default:
			b.WriteByte(' ')
			taken++
		}
		b.WriteString(word)
		taken += width
	}
	return b.String()
}

// Wrap makes text safe for a terminal and breaks it between words so that it
// fits the terminal.
func (p *Printer) Wrap(text string) Text { return Text{wrap(Safe(text).fit, p.room(), 0)} }
