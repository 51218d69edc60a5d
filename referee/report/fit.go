package report

import (
	"cmp"
	"fmt"
	"slices"
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
	start, taken := len(text), 0
	for _, c := range slices.Backward(clusters(text)) {
		if taken += Width(c); taken > back {
			break
		}
		start -= len(c)
	}
	return head(text, front) + "…" + text[start:]
}

// clusters returns the characters of text as a reader sees them.
func clusters(text string) (list []string) {
	for g := uniseg.NewGraphemes(text); g.Next(); {
		list = append(list, g.Str())
	}
	return list
}

// Text columns of a table are first shortened to comfortable, and, once nothing
// else can be left out, to least.
const (
	comfortable = 16
	least       = 6
	gap         = 2 // between columns
)

// layout is how a table is laid out.
type layout struct {
	columns []int // those shown, by their numbers
	width   []int // of all columns
	without []int // columns left out
}

// fit lays out a table for a number of columns of the terminal; 0 is room for
// everything. Widths are those of the cells. Columns of text are shortened,
// never numbers; columns are left out by importance.
func (t *Table) fit(width []int, room int) layout {
	l := layout{width: slices.Clone(width)}
	for i := range width {
		l.columns = append(l.columns, i)
	}
	if room <= 0 {
		return l
	}
	for l.total() > room && (l.narrow(t, comfortable) || l.leaveOut(t) || l.narrow(t, least)) {
	}
	l.widen(width, room)
	slices.Sort(l.without)
	return l
}

// widen gives columns of text the room that is left, the narrowest first.
func (l *layout) widen(width []int, room int) {
	for spare := room - l.total(); spare > 0; spare-- {
		next := -1
		for _, i := range l.columns {
			if l.width[i] < width[i] && (next < 0 || l.width[i] < l.width[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		l.width[next]++
	}
}

// total returns the width of a line.
func (l *layout) total() int {
	sum := gap * (len(l.columns) - 1)
	for _, i := range l.columns {
		sum += l.width[i]
	}
	return sum
}

// narrow makes a column of text narrower that is wider than to: the least
// important one, of several the widest.
func (l *layout) narrow(t *Table, to int) bool {
	next := -1
	for _, i := range l.columns {
		if t.right(i) || l.width[i] <= to {
			continue
		}
		if next < 0 || cmp.Or(cmp.Compare(t.spare(i), t.spare(next)), cmp.Compare(l.width[i], l.width[next])) > 0 {
			next = i
		}
	}
	if next >= 0 {
		l.width[next]--
	}
	return next >= 0
}

// leaveOut leaves out the least important column, or those that are equally important.
func (l *layout) leaveOut(t *Table) bool {
	worst := 0
	for _, i := range l.columns {
		worst = max(worst, t.spare(i))
	}
	if worst == 0 {
		return false
	}
	l.columns = slices.DeleteFunc(l.columns, func(i int) bool {
		if t.spare(i) == worst {
			l.without = append(l.without, i)
		}
		return t.spare(i) == worst
	})
	return true
}

// spare returns how dispensable a column is.
func (t *Table) spare(column int) int {
	if column < len(t.Spare) {
		return t.Spare[column]
	}
	return 0
}

// leftOut names the columns that a layout does without; "" if there are none.
func (t *Table) leftOut(l layout) string {
	const most = 16
	var names []string
	for _, i := range l.without {
		if t.Header[i] != "" {
			names = append(names, t.Header[i])
		}
	}
	if n := len(names); n > most {
		names = []string{fmt.Sprintf("%d more columns", n)}
	}
	if t.more != "" {
		names = append(names, t.more)
	}
	if names == nil {
		return ""
	}
	return "(in a wider window also: " + strings.Join(names, ", ") + ")"
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

// right reports whether a column is flush right.
func (t *Table) right(column int) bool { return column < len(t.Right) && t.Right[column] }

// pad pads a cell to width.
func (t *Table) pad(column, width int, cell string) string {
	blank := strings.Repeat(" ", max(0, width-Width(cell)))
	if t.right(column) {
		return blank + cell
	}
	return cell + blank
}
