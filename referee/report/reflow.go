package report

import (
	"strings"

	"umpire/referee/pattern"
)

// marked matches the beginning of a paragraph or an item of a list, which may be
// broken anew: not that of a heading, a table, or lines that are shown as they are.
var marked = pattern.New(`^ {0,3}(- |[0-9]+\. )?[^ |#]`)

// Reflow breaks the paragraphs and lists of a text in Markdown anew, so that they
// fit room columns; 0, or what the text fits already, leaves it as it is.
func Reflow(text string, room int) string {
	var out, words []string // words are the lines of the paragraph that is being read
	lead, hang := "", 0     // before its first line, and before the others
	end := func() {
		if len(words) > 0 {
			out = append(out, lead+Fill(strings.Join(words, " "), room, len(lead), hang))
		}
		words = nil
	}
	wide := false
	for line := range strings.SplitSeq(text, "\n") {
		wide = wide || Width(line) > room
		rest := strings.TrimLeft(line, " ")
		mark := marked().FindStringSubmatch(line)
		switch {
		case len(words) > 0 && rest != "" && len(line)-len(rest) == hang && (mark == nil || mark[1] == "") && rest[0] != '|':
			words = append(words, rest)
		case mark != nil:
			end()
			hang = len(mark[0]) - len(strings.TrimLeft(mark[0], " ")) + len(mark[1])
			lead, words = line[:hang], []string{line[hang:]}
		default:
			end()
			out = append(out, line)
		}
	}
	end()
	if room <= 0 || !wide {
		return text
	}
	return strings.Join(out, "\n")
}

// Reflow prints a text in Markdown, whose paragraphs and lists are broken anew
// where it is too wide for the terminal.
func (p *Printer) Reflow(text string) { p.Printf("%s", Reflow(text, p.room())) }
