package protocols_test

import (
	"testing"

	"umpire/protocols"
)

// compare compares an output with the right one, byte by byte.
func compare(found, expected string) *protocols.Mistake {
	return protocols.FirstMistake(protocols.TextLines(found), protocols.TextLines(expected),
		func(_ int, found, expected string) int { return protocols.Difference(found, expected) })
}

func TestFirstMistake(t *testing.T) {
	for _, test := range []struct {
		found, expected string
		wrong           string // "" if it is right
		at              int
	}{
		{"1 2\n3\n", "1 2\n3", "", 0},
		{"\n 1 2 \r\n\n3", "1 2\n3\n", "", 0},
		{"1 2 3\n", "1 2\n3\n", `line 1: found "1 2 3", expected "1 2"`, 3},
		{"1\n", "1 2\n", `line 1: found "1", expected "1 2"`, 1},
		{"1 3", "1 2", `line 1: found "1 3", expected "1 2"`, 2},
		{"", "7", `line 1: found the end, expected "7"`, -1},
		{"7\n8", "7", `line 2: found "8", expected the end`, -1},
		{"yes", "YES", `line 1: found "yes", expected "YES"`, 0},
	} {
		m := compare(test.found, test.expected)
		if (m == nil) != (test.wrong == "") || m != nil && (m.String() != test.wrong || m.At != test.at) {
			t.Errorf("%q for %q: %+v", test.found, test.expected, m)
		}
	}
}

func TestFirstMistakeCounts(t *testing.T) {
	m := compare("1\nx\n3\ny\n", "1\n2\n3\n4\n5\n6\n")
	if m.Line != 2 || m.Lines != 6 || m.Wrong != 4 || m.Extra != 0 {
		t.Errorf("missing lines: %+v", m)
	}
	m = compare("1\nx\n3\n", "1\n")
	if m.Line != 2 || m.Expected != protocols.TheEnd || m.Lines != 1 || m.Wrong != 0 || m.Extra != 2 {
		t.Errorf("extra lines: %+v", m)
	}
}
