package report

import (
	"cmp"
	"slices"
	"strings"
)

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
// never numbers; columns are left out by importance, and where that is not enough,
// numbers from the right.
func (t *Table) fit(width []int, room int) layout {
	l := layout{width: slices.Clone(width)}
	for i := range width {
		l.columns = append(l.columns, i)
	}
	if room <= 0 {
		return l
	}
	for l.total() > room && (l.narrow(t, comfortable) || l.leaveOut(t) || l.narrow(t, least) || l.leaveOutLast(t)) {
	}
	l.widen(width, room)
	slices.Sort(l.without)
	return l
}

// widen gives columns of text the room that is left, the narrowest first.
func (l *layout) widen(width []int, room int) {
	for spare := room - l.total(); spare > 0; spare-- {
		short := slices.DeleteFunc(slices.Clone(l.columns), func(i int) bool { return l.width[i] >= width[i] })
		if len(short) == 0 {
			return
		}
		l.width[slices.MinFunc(short, l.compareWidth)]++
	}
}

// compareWidth compares the widths of two columns.
func (l *layout) compareWidth(a, b int) int { return cmp.Compare(l.width[a], l.width[b]) }

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
	wide := slices.DeleteFunc(slices.Clone(l.columns), func(i int) bool { return t.right(i) || l.width[i] <= to })
	if len(wide) == 0 {
		return false
	}
	l.width[slices.MaxFunc(wide, func(a, b int) int { return cmp.Or(cmp.Compare(t.spare(a), t.spare(b)), l.compareWidth(a, b)) })]--
	return true
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

// leaveOutLast leaves out the last column of numbers, but for the first column.
func (l *layout) leaveOutLast(t *Table) bool {
	for n := len(l.columns) - 1; n > 0; n-- {
		if i := l.columns[n]; t.right(i) {
			l.columns, l.without = slices.Delete(l.columns, n, n+1), append(l.without, i)
			return true
		}
	}
	return false
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
		names = []string{Plural(n, "more column")}
	}
	if t.more != "" {
		names = append(names, t.more)
	}
	if names == nil {
		return ""
	}
	return "(in a wider window also: " + strings.Join(names, ", ") + ")"
}
