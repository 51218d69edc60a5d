package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// tabWidth is how many cells a tab takes at most; on a terminal it may be fewer.
const tabWidth = 8

// fold breaks a line into lines of at most width cells, at spaces where there
// are any. Colours take no cells. Width is at least 2, which is as wide as a
// character gets.
func fold(line string, width int) (lines []Text) {
	width = max(2, width)
	start, space, cells, afterSpace := 0, -1, 0, 0
	state := -1
	for at := 0; at < len(line); {
		if n := colourAt(line[at:]); n > 0 {
			at += n
			continue
		}
		cluster, _, w, next := uniseg.FirstGraphemeClusterInString(line[at:], state)
		state = next
		if cluster == "\t" {
			w = tabWidth
		}
		switch {
		case cells+w <= width:
		case space > start:
			lines = append(lines, Text{line[start:space]})
			start, cells = space+1, cells-afterSpace
		default:
			lines = append(lines, Text{line[start:at]})
			start, cells = at, 0
		}
		cells += w
		at += len(cluster)
		if cluster == " " {
			space, afterSpace = at-1, cells
		}
	}
	return append(lines, Text{line[start:]})
}

// firstFold cuts a line to a width in cells.
func firstFold(line Text, width int) Text {
	first := fold(line.fit, width)[0]
	if strings.Contains(first.fit, "\x1b[") {
		first.fit += "\x1b[0m" // the end of the colour may be cut off
	}
	return first
}

// colourAt returns the length of the escape sequence for a colour that a text
// begins with; 0 if it begins with none.
func colourAt(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	return strings.IndexByte(text, 'm') + 1
}
