// Package suggest finds the known word that a user probably meant.
package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest returns the known word that takes the fewest changes of letters to
// become, upper and lower case being alike; "" if all are too far from it to be
// meant.
func Nearest(word string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	lower := strings.ToLower(word)
	cost := func(k string) int { return distance(lower, strings.ToLower(k)) }
	// Of words that are as near the longest: letters are left out more often than added.
	best := slices.MinFunc(known, func(a, b string) int { return cmp.Or(cost(a)-cost(b), len(b)-len(a)) })
	if cost(best) > max(1, utf8.RuneCountInString(word)/3) {
		return ""
	}
	return best
}

// DidYouMean is the end of a message about an unknown word: "; did you mean
// X?", or "; " and otherwise where no known word is near.
func DidYouMean(word string, known []string, otherwise string) string {
	if near := Nearest(word, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; " + otherwise
}

// distance is the number of letters to insert, delete or replace, and of
// neighbours to swap (optimal string alignment).
func distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	d := make([][]int, len(a)+1) // of the first i letters of a and the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			replace := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			d[i][j] = min(replace, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
