package mensch

import (
	"slices"
	"strings"
	"testing"

	"umpire/protocols"
)

// TestMistake: a wrong line is shown with the requests up to that which it
// answers; giveup has no answer, and a line of a picture belongs to its request.
func TestMistake(t *testing.T) {
	const requests = "37 71 101\n4\ndice\ngiveup\ndice\ndice"
	for _, test := range []struct {
		part   int
		change int // line of the output that is made wrong, from 1
		lines  int // of the right output
		number int // of the line of input
		input  []string
	}{
		{4, 1, 3, 3, []string{"dice"}},
		{4, 2, 3, 5, []string{"dice", "giveup", "dice"}},
		{5, 2, 4 * len(grid), 3, []string{"dice"}}, // 3 answers and 4 pictures
	} {
		c, err := parseTask(test.part, requests)
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(1)
		m.Next()
		right := strings.Split(strings.TrimSuffix(string(c.(*task).answer()), "\n"), "\n")
		lines := slices.Clone(right)
		lines[test.change-1] = "wrong"
		m.Reply(1, strings.Join(lines, "\n"))
		got := m.(protocols.Explainer).Mistake()
		if test.part == 5 {
			test.lines += 3
		}
		if got == nil || got.Line != test.change || got.Found != "wrong" || got.Expected != right[test.change-1] ||
			got.Wrong != 1 || got.Lines != test.lines || got.Extra != 0 || got.InputLine != test.number || !slices.Equal(got.Input, test.input) {
			t.Errorf("part %d, line %d: got %+v", test.part, test.change, got)
		}
		m = c.Start(1)
		m.Next()
		m.Reply(1, strings.Join(right, "\n"))
		if got := m.(protocols.Explainer).Mistake(); got != nil {
			t.Errorf("part %d: a mistake in the right output: %+v", test.part, got)
		}
	}
}
