package session

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/external/problem"
	"umpire/referee/program"
	"umpire/referee/record"
)

// TestRowOf: the verdict that is named is one by which a submission differs, if it does.
func TestRowOf(t *testing.T) {
	words := strings.Fields
	worst := &problem.Group{Score: problem.Sum, Items: []problem.Item{{Case: "1"}, {Case: "2"}}}
	lenient := &problem.Group{Verdict: problem.AlwaysAccept, Score: problem.Sum, Items: worst.Items}
	for _, test := range []struct {
		each                bool
		permitted, required []string
		verdicts            string // on cases 1, 2 …
		got, on             string
		ok                  bool
		grading             *problem.Group
	}{
		{false, words("RTE"), words("RTE"), "wrong crash", "RTE", "2", true, worst},
		{false, words("AC"), words("AC"), "wrong ok", "AC", "", true, lenient},
		{true, words("AC WA"), words("WA"), "wrong time", "TLE", "2", false, nil},
		{true, words("AC WA"), words("WA"), "wrong wrong", "WA", "1", true, nil},
		{true, words("AC TLE RTE"), words("TLE RTE"), "time wrong time", "WA", "2", false, nil},
		{true, words("AC WA"), words("WA"), "ok ok", "AC", "", false, nil},
		{true, words("WA"), words("WA"), "wrong ok", "AC", "2", false, nil},
		{true, nil, words("WA TLE"), "ok crash time", "RTE", "2", true, nil},
		{false, words("WA"), words("WA"), "ok wrong", "WA", "2", true, nil},
		{false, words("TLE WA"), words("TLE"), "wrong time", "TLE", "2", true, nil},
		{false, words("TLE WA"), words("TLE"), "wrong crash", "RTE", "2", false, nil},
		{false, words("TLE WA"), words("TLE"), "wrong wrong", "WA", "1", false, nil},
		{false, words("AC"), words("AC"), "ok ok", "AC", "", true, nil},
	} {
		p := &problem.Problem{EachCase: test.each, Grading: test.grading}
		var records []record.Record
		for i, verdict := range strings.Fields(test.verdicts) {
			name := string(rune('1' + i))
			p.Cases = append(p.Cases, problem.Case{Name: name})
			records = append(records, record.Record{Case: record.Case{Name: name}, Seats: []record.Seat{{Verdict: verdict}}})
		}
		row := rowOf(p, problem.Submission{Permitted: test.permitted, Required: test.required}, program.Bot{}, records)
		if row.Got != test.got || row.Case != test.on || row.OK != test.ok {
			t.Errorf("%v of %v, %s, each %t: found %s on %q, %t, expected %s on %q, %t", test.required, test.permitted, test.verdicts, test.each, row.Got, row.Case, row.OK, test.got, test.on, test.ok)
		}
	}
}

// TestGoesOn: where the first failure counts, cases are judged until there is one that decides.
func TestGoesOn(t *testing.T) {
	p, late := &problem.Problem{}, problem.Submission{Permitted: []string{"TLE", "WA"}, Required: []string{"TLE"}}
	for verdict, want := range map[string]bool{"ok": true, string(protocols.KindTime): false, "wrong": true, string(protocols.KindCrash): false} {
		if goesOn(p, late, []record.Record{{Seats: []record.Seat{{Verdict: verdict}}}}, "2") != want {
			t.Errorf("%s: found %t", verdict, !want)
		}
	}
	if goesOn(p, problem.Submission{Permitted: []string{"WA"}, Required: []string{"WA"}}, []record.Record{{Seats: []record.Seat{{Verdict: "wrong"}}}}, "2") {
		t.Error("found that a wrong answer does not decide, expected that it does")
	}
}
