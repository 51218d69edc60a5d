// Package dialogue reads the dialogues in the rules of games, which tests play.
package dialogue

import (
	"slices"
	"strings"
)

// How lines of a dialogue begin: what a seat reads, and what it writes.
const (
	Reads  = "→ "
	Writes = "← "
)

// GoesOn stands for lines that a dialogue leaves out.
const GoesOn = "…"

// Of returns the dialogues in a game's rules: indented lines that begin
// with → or < for what a seat reads, or with ← or > for what it writes. Wide
// gaps end a line, before a remark or another dialogue.
func Of(rules string) (out [][]string) {
	columns := [][]string{}
	for text := range strings.SplitSeq(rules+"\n", "\n") {
		cells := cellsOf(text)
		if len(cells) == 0 {
			for _, d := range columns {
				if slices.ContainsFunc(d, func(line string) bool { return strings.HasPrefix(line, Writes) }) {
					out = append(out, d)
				}
			}
			columns = nil
		}
		for i, cell := range cells {
			if i == len(columns) {
				columns = append(columns, nil)
			}
			columns[i] = append(columns[i], cell)
		}
	}
	return out
}

var marks = map[string]string{"→": Reads, "<": Reads, "←": Writes, ">": Writes}

// cellsOf returns what an indented line of the rules has of each of the
// dialogues that stand side by side there.
func cellsOf(text string) (cells []string) {
	if !strings.HasPrefix(text, "    ") {
		return nil
	}
	for cell := range strings.SplitSeq(strings.TrimSpace(text), "  ") {
		first, rest, _ := strings.Cut(strings.TrimSpace(cell), " ")
		if mark, ok := marks[first]; ok {
			cells = append(cells, mark+rest)
		} else if first == GoesOn {
			cells = append(cells, GoesOn)
		} else if first != "" {
			break // a remark
		}
	}
	return cells
}
