package testlevel

import "testing"

// Every skips the nth of some cases that are much alike, counted from 0, in runs below
// thorough ones, unless it is the first or one of every so many.
func Every(t testing.TB, n, step int) {
	t.Helper()
	if n%step != 0 {
		Needs(t, Thorough)
	}
}
