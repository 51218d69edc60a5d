package protocols_test

import (
	"strings"
	"testing"

	"umpire/protocols"
)

func TestTokens(t *testing.T) {
	floats := protocols.Tokens{Tolerance: 1e-6}
	words := protocols.Tokens{FoldCase: true}
	for _, test := range []struct {
		tokens          protocols.Tokens
		found, expected string
		wrong           string // "" if it is right
		at              int
	}{
		{protocols.Tokens{}, "1 2\n3\n", "1 2\n3", "", 0},
		{protocols.Tokens{}, "\n 01\t2 \r\n\n3", "1 2\n3\n", "", 0},
		{protocols.Tokens{}, "1 2 3\n", "1 2\n3\n", `line 1: found "1 2 3", expected "1 2"`, 4},
		{protocols.Tokens{}, "1\n", "1 2\n", `line 1: found "1", expected "1 2"`, 1},
		{protocols.Tokens{}, "1 3", "1 2", `line 1: found "1 3", expected "1 2"`, 2},
		{protocols.Tokens{}, "", "7", `line 1: found the end, expected "7"`, -1},
		{protocols.Tokens{}, "7\n8", "7", `line 2: found "8", expected the end`, -1},
		{protocols.Tokens{}, "yes", "YES", `line 1: found "yes", expected "YES"`, 0},
		{protocols.Tokens{}, "1.0", "1", `line 1: found "1.0", expected "1"`, 0},
		{protocols.Tokens{}, strings.Repeat("9", 30), strings.Repeat("9", 30), "", 0},
		{words, "yes no", "YES No", "", 0},
		{words, "yes on", "YES No", `line 1: found "yes on", expected "YES No"`, 4},
		{floats, "x 0.3333333", "x 0.33333333", "", 0},
		{floats, "2000001", "2000000", "", 0},
		{floats, "2000003", "2000000", `line 1: found "2000003", expected "2000000"`, 0},
		{floats, "0.001 0.00001", "0.001 0", `line 1: found "0.001 0.00001", expected "0.001 0"`, 6},
		{floats, "nan", "0", `line 1: found "nan", expected "0"`, 0},
		{floats, "inf", "1", `line 1: found "inf", expected "1"`, 0},
	} {
		outcome, m := test.tokens.Judge(test.found, test.expected)
		want := protocols.Outcome{Wrong: test.wrong}
		if test.wrong == "" {
			want.Score = protocols.Points(1)
		}
		if outcome != want || (m == nil) != (test.wrong == "") || m != nil && m.At != test.at {
			t.Errorf("%+v: %q for %q: %+v, %+v", test.tokens, test.found, test.expected, outcome, m)
		}
	}
}

func TestFirstMistakeCounts(t *testing.T) {
	_, m := protocols.Tokens{}.Judge("1\nx\n3\ny\n", "1\n2\n3\n4\n5\n6\n")
	if m.Line != 2 || m.Lines != 6 || m.Wrong != 4 || m.Extra != 0 {
		t.Errorf("missing lines: %+v", m)
	}
	_, m = protocols.Tokens{}.Judge("1\nx\n3\n", "1\n")
	if m.Line != 2 || m.Expected != protocols.TheEnd || m.Lines != 1 || m.Wrong != 0 || m.Extra != 2 {
		t.Errorf("extra lines: %+v", m)
	}
}
