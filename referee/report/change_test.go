package report

import (
	"bytes"
	"testing"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/scoring"
)

// TestChange: better or worse by the verdicts, then by the points of the case. The
// seat's own score and place decide nothing.
func TestChange(t *testing.T) {
	match := func(verdict string, score float64, x, place int, was Before) TestMatch {
		return TestMatch{Verdict: verdict, Score: score, X: protocols.Points(x), Place: place, Before: &was}
	}
	second := func(m TestMatch) TestMatch { m.Seat = 2; return m }
	for _, test := range []struct {
		now       []TestMatch
		direction int
		what      string
	}{
		{[]TestMatch{match("ok", 4, 9, 1, Before{"ok", protocols.Points(9), 1, 4})}, 0, ""},
		{[]TestMatch{match("ok", 0, 0, 2, Before{"crash", protocols.Points(9), 1, 4})}, 1, "was crash"},
		{[]TestMatch{match("time", 4, 9, 1, Before{"ok", protocols.Points(0), 2, 0})}, -1, "was ok"},
		{[]TestMatch{match("time", 0, 0, 2, Before{"crash", protocols.Points(0), 2, 0})}, 0, ""},
		{[]TestMatch{match("ok", 4, 7, 1, Before{"ok", protocols.Points(9), 2, 0})}, 1, "0 → 4 points"},
		{[]TestMatch{match("ok", 0.5, 9, 1, Before{"ok", protocols.Points(9), 2, 1})}, -1, "1 → 0.5 points"},
		{[]TestMatch{match("ok", 1, 9, 1, Before{"ok", protocols.Points(9), 2, 1.0000001})}, -1, "1.0000001 → 1 point"},
		{[]TestMatch{match("ok", 0, 9, 2, Before{"ok", protocols.Points(8), 2, 0})}, 0, ""},
		{[]TestMatch{match("ok", 5, 1, 1, Before{"ok", protocols.Points(1), 1, 5}), second(match("foul", 5, 0, 2, Before{"ok", protocols.Points(9), 1, 5}))}, -1, "seat 2 was ok"},
		{[]TestMatch{match("time", 5, 1, 1, Before{"ok", protocols.Points(1), 1, 5}), second(match("ok", 5, 0, 2, Before{"foul", protocols.Points(9), 1, 5}))}, -1, "seat 0 was ok"},
		{[]TestMatch{match("ok", 5, 7, 1, Before{"ok", protocols.Points(1), 1, 4}), second(match("ok", 5, 3, 2, Before{"ok", protocols.Points(9), 1, 4}))}, 1, "4 → 5 points"},
	} {
		if got := changeOf(test.now); got.direction != test.direction || got.what != test.what {
			t.Errorf("%+v: %d %q, expected %d %q", test.now, got.direction, got.what, test.direction, test.what)
		}
	}
}

// TestChangeOfTotal: the sums before and now are those of the cases played before,
// each group combined in its way.
func TestChangeOfTotal(t *testing.T) {
	formula, err := scoring.Compile("P * win")
	if err != nil {
		t.Fatal(err)
	}
	match := func(name, group string, score float64, before *Before) TestMatch {
		return TestMatch{Case: name, Group: group, Verdict: "ok", Score: score, Points: 4, Before: before}
	}
	v := Test{Formula: formula, Result: TestResult{Cases: 6, Results: []TestMatch{
		match("a/1", "a", 4, &Before{"ok", protocols.Points(1), 2, 0}),
		match("a/2", "a", 0, &Before{"ok", protocols.Points(1), 1, 4}),
		match("a/3", "a", 4, nil),
		match("b/1", "b", 4, &Before{"ok", protocols.Points(1), 1, 4}),
		match("b/2", "b", 0, &Before{"ok", protocols.Points(1), 1, 4}),
		match("c/1", "c", 3, &Before{"ok", protocols.Points(1), 2, 1}),
	}}}
	v.Scores.Groups = []scoring.Group{{Name: "a"}, {Name: "b", Combine: cases.All}, {Name: "c", Combine: cases.Min}}
	var b bytes.Buffer
	printChanges(NewPrinter(&b), v.Result, v.Scores.Groups, v.Formula)
	const want = "against the last run: 13 → 7 points on 5 cases, ▲ 2 better, ▼ 2 worse, 1 the same\n" +
		"  ▲ a/1: 0 → 4 points\n  ▼ a/2: 4 → 0 points\n  ▼ b/2: 4 → 0 points\n  ▲ c/1: 1 → 3 points\n"
	if b.String() != want {
		t.Errorf("printed\n%sexpected\n%s", b.String(), want)
	}
}
