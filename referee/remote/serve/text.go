package serve

import (
	"slices"
	"strings"

	"umpire/referee/pattern"
)

// block is a part of a text. Lines of a heading, of prose and of a list's items
// may be broken elsewhere; others are shown as they are.
type block struct {
	Kind  string
	Lines []string // of a list: its items
}

// Text is a block's lines as they are.
func (b block) Text() string { return strings.Join(b.Lines, "\n") }

// Kinds of blocks.
const (
	heading = "heading"
	prose   = "prose"
	items   = "list"
	asIs    = "lines"
)

// fullLine is the fewest bytes of a line that was broken because it was full.
const fullLine = 60

var (
	itemStart = pattern.New(`^([-*]|\d+[.)]) `)
	drawn     = pattern.New("^[ \t#|>+`]")
)

// blocksOf splits a text at its empty lines.
func blocksOf(text string) (list []block) {
	for part := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(strings.Trim(part, "\n"), "\n")
		switch {
		case strings.TrimSpace(part) == "":
		case strings.HasPrefix(lines[0], "#") && len(lines) == 1:
			list = append(list, block{heading, []string{strings.TrimLeft(lines[0], "# ")}})
		case isList(lines):
			list = append(list, block{items, joined(lines)})
		case isProse(lines):
			list = append(list, block{prose, joined(lines)})
		case len(list) > 0 && list[len(list)-1].Kind == asIs:
			last := &list[len(list)-1]
			last.Lines = append(append(last.Lines, ""), lines...)
		default:
			list = append(list, block{asIs, lines})
		}
	}
	return list
}

// isList reports whether lines are items, whose further lines are indented.
func isList(lines []string) bool {
	for i, line := range lines {
		if !itemStart().MatchString(line) && (i == 0 || !strings.HasPrefix(line, "  ")) {
			return false
		}
	}
	return true
}

// isProse reports whether lines begin with a full one, unless there is only one,
// and none is part of a list, a table or a drawing.
func isProse(lines []string) bool {
	return (len(lines) == 1 || len(lines[0]) >= fullLine) && !slices.ContainsFunc(lines, func(line string) bool {
		return drawn().MatchString(line) || itemStart().MatchString(line)
	})
}

// joined joins lines, up to those that begin an item. After one that was not full
// the break stays.
func joined(lines []string) (out []string) {
	for i, line := range lines {
		switch last := len(out) - 1; {
		case i == 0 || itemStart().MatchString(line):
			out = append(out, line)
		case len(lines[i-1]) < fullLine:
			out[last] += "\n" + strings.TrimSpace(line)
		default:
			out[last] += " " + strings.TrimSpace(line)
		}
	}
	return out
}
