package problem

import (
	"strings"
	"testing"
)

// TestGlob: braces and stars, which leave out slashes.
func TestGlob(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"accepted", "accepted/a.py", true},
		{"accepted/*", "accepted/a.py", true},
		{"*", "accepted/a.py", true}, // the folder
		{"*.py", "accepted/a.py", false},
		{"accepted/{a,b{1,2}}.py", "accepted/b2.py", true},
		{"accepted/{a,b{1,2}}.py", "accepted/b3.py", false},
		{"{x,}a.py", "a.py", true},
		{"a[bc].py", "ab.py", false},
		{"a[bc].py", "a[bc].py", true},
		{"a?.py", "ab.py", false},
	} {
		g, err := ParseGlob(test.pattern)
		if err != nil || g.Covers(test.name) != test.want {
			t.Errorf("%s, %s: found %v, %v, expected %v", test.pattern, test.name, !test.want, err, test.want)
		}
	}
	if _, err := ParseGlob(strings.Repeat("{a,b}", 11)); err == nil || !strings.Contains(err.Error(), "more than 1000") {
		t.Errorf("found %v, expected a bound", err)
	}
}
