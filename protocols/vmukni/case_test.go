package vmukni

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// sample is a case of two moves.
const sample = "2 1 4\n1 2 3 4 1\n2 3 4 1 2\n3 4 1 2 3\n4 1 2 3 4\n1 2 3 4 1\n3 2"

func mustParse(t testing.TB, text string) *Case {
	t.Helper()
	c, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Case)
}

func TestParse(t *testing.T) {
	for _, text := range []string{
		sample,
		sample + "\n",
		sample + "\n \n\n",
		strings.ReplaceAll(sample, "\n", "\r\n"),
		strings.ReplaceAll(sample, " ", " \t "),
		strings.ReplaceAll(sample, "4", "004"),
	} {
		c := mustParse(t, text)
		if c.String() != sample {
			t.Errorf("parse(%q) prints %q", text, c.String())
		}
	}
}

func TestParseRefuses(t *testing.T) {
	with := func(line int, text string) string {
		lines := strings.Split(sample, "\n")
		lines[line-1] = text
		return strings.Join(lines, "\n")
	}
	for _, test := range []struct{ text, want string }{
		{"", "line 1: found the end, expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)"},
		{with(1, "2 1"), `line 1: found 2 values in "2 1", expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)`},
		{with(1, "0 1 4"), `line 1: found "0", expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)`},
		{with(1, "3 1 4"), "line 1: found N = 3, expected an even N from 2 to 200"},
		{with(1, "202 1 4"), `line 1: found "202", expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)`},
		{with(1, "2 0 4"), `line 1: found "0", expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)`},
		{with(1, "2 3 4"), "line 1: found K = 3, expected a K from 1 to N = 2"},
		{with(1, "2 1 2"), "line 1: found P = 2, expected a P from 3 to 7"},
		{with(1, "2 1 8"), "line 1: found P = 8, expected a P from 3 to 7"},
		{with(1, "2 1 x"), `line 1: found "x", expected N K P, N even, K at most N, P from 3 to 7 (3 integers from 1 to 200)`},
		{with(2, "1 2 3 4"), `line 2: found 4 values in "1 2 3 4", expected row 1 of the board (5 integers from 1 to 4)`},
		{with(3, "2 3 5 1 2"), `line 3: found "5", expected row 2 of the board (5 integers from 1 to 4)`},
		{with(3, "2 3 0 1 2"), `line 3: found "0", expected row 2 of the board (5 integers from 1 to 4)`},
		{with(4, "3 1 1 1 3"), "line 4: found three equal tiles in a row, the last one at row 3, column 4, " +
			"expected a board without three equal tiles in a straight run"},
		{with(5, "4 1 1 2 4"), ""},
		{"2 1 4\n1 2 3 4 1\n1 3 4 1 2\n1 4 1 2 3\n4 1 2 3 4\n1 2 3 4 1\n3 2",
			"line 4: found three equal tiles in a column, the last one at row 3, column 1, " +
				"expected a board without three equal tiles in a straight run"},
		{with(7, "3"), `line 7: found 1 value in "3", expected the queue (2 integers from 1 to 4)`},
		{with(7, "3 5"), `line 7: found "5", expected the queue (2 integers from 1 to 4)`},
		{sample + "\n1", `line 8: found "1", expected the end`},
		{strings.TrimSuffix(sample, "\n3 2"), "line 7: found the end, expected the queue (2 integers from 1 to 4)"},
	} {
		_, err := parse(test.text)
		var fault *protocols.CaseError
		switch {
		case test.want == "" && err != nil:
			t.Errorf("parse(%q): %v", test.text, err)
		case test.want != "" && (!errors.As(err, &fault) || err.Error() != test.want):
			t.Errorf("parse(%q):\n got %v\nwant %v", test.text, err, test.want)
		}
	}
}

func TestLimits(t *testing.T) {
	for moves, want := range map[int]time.Duration{2: 200 * time.Millisecond, 10: time.Second, 200: 20 * time.Second} {
		c := &Case{queue: make([]int, moves)}
		limits := protocols.Limits{Time: want, Startup: time.Second, Memory: 256 << 20}
		if got := c.Limits(Seats); got != limits {
			t.Errorf("limits of %d moves: %+v", moves, got)
		}
	}
}

// TestGenerate checks that generated cases are within their group's bounds.
func TestGenerate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		group := rapid.SampledFrom(Game().Groups).Draw(t, "group")
		seed := rapid.Uint64().Draw(t, "seed")
		c, err := generate(group, seed)
		if err != nil {
			t.Fatal(err)
		}
		bounds := map[string][2]int{"small": {10, 40}, "medium": {50, 100}, "large": {200, 200}, "extreme": {2, 200}}[group]
		if n := c.(*Case).Moves(); n < bounds[0] || n > bounds[1] {
			t.Fatalf("N = %d in group %s", n, group)
		}
	})
	if _, err := generate("official", 1); err == nil ||
		err.Error() != `generate vmukni: found group "official", expected one of small, medium, large, extreme` {
		t.Errorf("unknown group: %v", err)
	}
}

// TestExtremes checks that eight seeds in a row give all combinations of the
// bounds.
func TestExtremes(t *testing.T) {
	heads := map[string]bool{}
	for seed := range uint64(8) {
		c, err := generate("extreme", seed)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(c.String(), "\n")
		heads[head] = true
	}
	for _, head := range []string{"2 1 3", "2 1 7", "2 2 3", "2 2 7", "200 1 3", "200 1 7", "200 200 3", "200 200 7"} {
		if !heads[head] {
			t.Errorf("no extreme case %s", head)
		}
	}
}

var update = flag.Bool("update", false, "write the standard cases")

// TestStandardCases checks that the standard cases are generated ones: by
// group, the seeds of its cases in order.
func TestStandardCases(t *testing.T) {
	for group, seeds := range map[string][]uint64{
		"small":   {1, 2, 3, 4},
		"medium":  {1, 2, 3, 4},
		"large":   {1, 2},
		"extreme": {0, 1, 2, 4, 6, 7},
	} {
		for i, seed := range seeds {
			c, err := generate(group, seed)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("..", "..", "testdata", "cases", "vmukni", group, fmt.Sprintf("%02d.txt", i+1))
			protocoltest.File(t, path, c.String()+"\n", *update)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("2 2 3\n1 1 2 1 1\n")
	f.Add("4 18446744073709551617 3")
	protocoltest.Suite{}.Fuzz(f, Game())
}

func FuzzReply(f *testing.F) { protocoltest.Suite{}.FuzzReply(f, Game()) }
