package report

import (
	"strings"

	"umpire/referee/pattern"
)

// Fill breaks text between words so that no line takes more columns than room; 0
// is room for everything. The first line follows text that takes some columns, and
// the others begin with hang spaces.
func Fill(text string, room, taken, hang int) string {
	if room <= 0 {
		return text
	}
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		width := Width(uncoloured(word))
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

// command matches what a user may copy to a shell.
var command = pattern.New("`[^`]*`|\\bumpire [a-z].*")

// glue stands for a space that is no place to break a line: a character for
// private use, which takes one column.
const glue = "\ue000"

func say(text string, room int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		words := strings.TrimLeft(line, " ")
		if room <= 0 || Width(uncoloured(line)) <= room || strings.Contains(words, "  ") || strings.HasPrefix(line, "    ") {
			continue
		}
		indent := len(line) - len(words)
		words = command().ReplaceAllStringFunc(words, func(c string) string { return strings.ReplaceAll(c, " ", glue) })
		lines[i] = line[:indent] + strings.ReplaceAll(Fill(words, room, indent, indent), glue, " ")
	}
	return strings.Join(lines, "\n")
}

// colours matches the escape sequences that Style and Link add.
var colours = pattern.New("\x1b\\[[0-9;]*m|\x1b\\]8;;[^\x1b]*\x1b\\\\")

// uncoloured is text without its colours and links.
func uncoloured(text string) string { return colours().ReplaceAllString(text, "") }
