package testlevel

import (
	"slices"
	"strings"
	"testing"
)

// Dimension is something that tests vary: a level of isolation, a user, a
// language, the size of a thing. The first of its values is the one to try if
// only one is tried.
type Dimension []string

// Combine runs a test for combinations of the dimensions' values, each in a
// subtest named after them: short runs try one, the first; by default each value
// is tried once; thorough runs try every pair of values of two dimensions; runs
// for a release try all combinations. A last subtest, called rest, is skipped if
// combinations are left out, and says how many.
func Combine(t *testing.T, dimensions []Dimension, test func(t *testing.T, values []string)) {
	t.Helper()
	sizes, all := make([]int, len(dimensions)), 1
	for i, d := range dimensions {
		sizes[i] = len(d)
		all *= len(d)
	}
	rows := Rows(sizes...)
	for _, row := range rows {
		values := make([]string, len(row))
		for i, v := range row {
			values[i] = dimensions[i][v]
		}
		t.Run(strings.Join(values, "/"), func(t *testing.T) { test(t, values) })
	}
	Rest(t, len(rows), all)
}

// Rest runs a last subtest, called rest, that is skipped and says how many
// combinations are left out, if so many are tried of all that there are.
func Rest(t *testing.T, tried, all int) {
	t.Helper()
	if n := all - tried; n > 0 {
		t.Run("rest", func(t *testing.T) { t.Skipf("%s%s: %d of %d combinations", LeftOut, Release.runs(), n, all) })
	}
}

// Rows chooses combinations of as many dimensions as there are sizes, as Combine
// does: a row holds the number of a value for each dimension.
func Rows(sizes ...int) [][]int {
	return Covering([]int{0, 1, 2, len(sizes)}[Current()], sizes...)
}

// Covering returns rows in which the values of any so many dimensions occur in
// all their combinations, in lexical order: for 0 the first row alone, for 1 each
// value once, for 2 each pair, for all dimensions everything. There are no others.
func Covering(strength int, sizes ...int) (rows [][]int) {
	if slices.Contains(sizes, 0) {
		return nil
	}
	switch {
	case strength == 0:
		return [][]int{make([]int, len(sizes))}
	case strength == 1:
		for i := range slices.Max(sizes) {
			row := make([]int, len(sizes))
			for d, size := range sizes {
				row[d] = i % size
			}
			rows = append(rows, row)
		}
	case strength == 2 && len(sizes) > 2:
		rows = pairs(sizes)
	default:
		rows = product(sizes)
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// product returns all combinations.
func product(sizes []int) [][]int {
	rows := [][]int{nil}
	for _, size := range sizes {
		var longer [][]int
		for _, row := range rows {
			for v := range size {
				longer = append(longer, append(slices.Clip(row), v))
			}
		}
		rows = longer
	}
	return rows
}

// pair is a value of one dimension with a value of a later one.
type pair struct{ d, v, e, w int }

// pairs returns rows in which each pair of values of two dimensions occurs. It is
// greedy: a row starts with a pair that no row has, and takes in each dimension
// the value that makes the most such pairs with those it has.
func pairs(sizes []int) (rows [][]int) {
	missing := make(map[pair]bool)
	var order []pair
	for d, size := range sizes {
		for e := d + 1; e < len(sizes); e++ {
			for v := range size {
				for w := range sizes[e] {
					p := pair{d, v, e, w}
					missing[p] = true
					order = append(order, p)
				}
			}
		}
	}
	for _, p := range order {
		if !missing[p] {
			continue
		}
		row := complete(p, sizes, missing)
		for d, v := range row {
			for e := d + 1; e < len(row); e++ {
				delete(missing, pair{d, v, e, row[e]})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// complete makes a row of a pair.
func complete(p pair, sizes []int, missing map[pair]bool) []int {
	const none = -1
	row := slices.Repeat([]int{none}, len(sizes))
	row[p.d], row[p.e] = p.v, p.w
	for d, size := range sizes {
		if row[d] != none {
			continue
		}
		best, most := 0, none
		for v := range size {
			n := 0
			for e, w := range row {
				if w != none && (missing[pair{d, v, e, w}] || missing[pair{e, w, d, v}]) {
					n++
				}
			}
			if n > most {
				best, most = v, n
			}
		}
		row[d] = best
	}
	return row
}
