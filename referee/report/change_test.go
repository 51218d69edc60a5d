package report

import (
	"bytes"
	"strings"
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
	v.printChanges(NewPrinter(&b))
	const want = "against the last run: 13 → 7 points on 5 cases, ▲ 2 better, ▼ 2 worse, 1 the same\n" +
		"  ▲ a/1: 0 → 4 points\n  ▼ a/2: 4 → 0 points\n  ▼ b/2: 4 → 0 points\n  ▲ c/1: 1 → 3 points\n"
	if b.String() != want {
		t.Errorf("printed\n%sexpected\n%s", b.String(), want)
	}
}

// TestChangeOfGraded: by a package's own rules, totals are compared where all cases were played
// before.
func TestChangeOfGraded(t *testing.T) {
	formula, err := scoring.Compile("X")
	if err != nil {
		t.Fatal(err)
	}
	best := func(list []scoring.CaseScore) []scoring.Graded { // of the cases, which are all ok
		one := scoring.Graded{}
		for _, c := range list {
			if x := float64(c.Matches[0].X.Micros().Int64()) / 1e6; c.Name != "" && c.Matches[0].Verdict == "ok" {
				one.Score = max(one.Score, x)
			}
		}
		return []scoring.Graded{one}
	}
	v := Test{Formula: formula, Result: TestResult{Cases: 2}}
	if v.Scores, err = (scoring.Task{Formula: formula, Grade: best}).Score(&scoring.Results{}); err != nil {
		t.Fatal(err)
	}
	v.Result.Results = []TestMatch{
		{Case: "a/1", Verdict: "ok", X: protocols.Points(7), Score: 7, Before: &Before{Verdict: "ok", X: protocols.Points(7), Score: 7}},
		{Case: "a/2", Verdict: "ok", X: protocols.Points(9), Score: 9, Before: &Before{Verdict: "wrong", Score: 0}},
	}
	for cases, want := range map[int]string{2: "against the last run: 7 → 9 points, ▲ 1 better", 3: "against the last run: 2 cases, ▲ 1 better"} {
		var b bytes.Buffer
		v.Result.Cases = cases
		if v.printChanges(NewPrinter(&b)); !strings.HasPrefix(b.String(), want) {
			t.Errorf("printed %s, expected %s", b.String(), want)
		}
	}
}
