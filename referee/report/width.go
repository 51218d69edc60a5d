package report

import (
	"strings"

	"github.com/rivo/uniseg"

	"umpire/referee/pattern"
)

// Width returns how many columns of a terminal text takes: a Chinese character
// takes two, a combining mark none.
func Width(text string) int { return uniseg.StringWidth(text) }

// Cut shortens text to a number of columns. What is left out at the end is
// marked by an ellipsis.
func Cut(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	return head(text, columns-1) + "…"
}

// head returns the beginning of text that fits a number of columns.
func head(text string, columns int) string {
	end, taken := 0, 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if taken += g.Width(); taken > columns {
			break
		}
		_, end = g.Positions()
	}
	return text[:end]
}

// shortenMiddle shortens a name to a number of columns by leaving out its
// middle: versions of a program differ at the end of their names.
func shortenMiddle(text string, columns int) string {
	if Width(text) <= columns {
		return text
	}
	front := columns / 2
	back := columns - 1 - front
	start, left := 0, Width(text)
	for g := uniseg.NewGraphemes(text); left > back && g.Next(); {
		left -= g.Width()
		_, start = g.Positions()
	}
	return head(text, front) + "…" + text[start:]
}

// numberForm matches a cell that begins with a number: the number, its
// decimals, and what follows, such as a unit or the points available.
var numberForm = pattern.New(`^(-?[0-9]+)(\.[0-9]+)?( .*|/.*)?$`)

// AlignDecimals gives the numbers of a column as many decimals as the one with
// the most, and what follows them the same width, so that numbers flush right
// have their decimal points below each other.
func AlignDecimals(cells []string) {
	parts, decimals, rest := make([][]string, len(cells)), 0, 0
	for i, cell := range cells {
		if parts[i] = numberForm().FindStringSubmatch(cell); parts[i] != nil {
			decimals = max(decimals, len(parts[i][2]))
			if strings.HasPrefix(parts[i][3], " ") {
				rest = max(rest, Width(parts[i][3]))
			}
		}
	}
	for i, p := range parts {
		if p == nil {
			continue
		}
		number := p[1] + p[2]
		if n := decimals - len(p[2]); n == decimals && n > 0 {
			number += "." + strings.Repeat("0", n-1)
		} else {
			number += strings.Repeat("0", n)
		}
		if after := strings.TrimPrefix(p[3], " "); after != p[3] {
			p[3] = strings.Repeat(" ", rest-Width(after)) + after
		}
		cells[i] = number + p[3]
	}
}
