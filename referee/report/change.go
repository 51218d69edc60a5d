package report

import (
	"cmp"
	"fmt"
	"slices"

	"umpire/referee"
	"umpire/referee/scoring"
)

// caseChange compares a case with when it was last played.
type caseChange struct {
	name      string
	direction int // 1 if it is better, -1 if it is worse, else 0
	what      string
}

// changeOf compares the matches of a case with when they were last played: one that
// was not ok is worse than any that was; else the points decide that the case earned.
// What else differs, such as beads in a match that is lost either way, is no change.
func changeOf(matches []TestMatch) caseChange {
	first := matches[0]
	c := caseChange{name: first.Case}
	for _, m := range matches {
		wasOK, isOK := m.Before.Verdict == string(referee.OK), m.Verdict == string(referee.OK)
		if wasOK == isOK || c.direction < 0 {
			continue
		}
		if c.direction, c.what = -1, "was "+m.Before.Verdict; isOK {
			c.direction = 1
		}
		if len(matches) > 1 {
			c.what = fmt.Sprintf("seat %d was %s", m.Seat, m.Before.Verdict)
		}
	}
	if was, now := first.Before.Score, first.Score; c.direction == 0 && now != was {
		c.direction, c.what = cmp.Compare(now, was), Points(fromTo(was, now))
	}
	return c
}

// fromTo formats two numbers that differ.
func fromTo(was, now float64) string {
	from, to := Number(was), Number(now)
	if from == to {
		from, to = exact(was), exact(now)
	}
	return from + " → " + to
}

// changesOf compares all cases of which every match has been played before, and says
// what they earned together then and now.
func changesOf(result TestResult, scores scoring.Scores, formula scoring.Formula) (list []caseChange, was, now float64) {
	all := result.Results
	var before, after []scoring.CaseScore
	then := func(m TestMatch) Before { return *m.Before }
	today := func(m TestMatch) Before { return Before{Verdict: m.Verdict, X: m.X, Score: m.Score} }
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(m TestMatch) bool { return m.Case != all[0].Case })
		if n < 0 {
			n = len(all)
		}
		if matches := all[:n]; !slices.ContainsFunc(matches, func(m TestMatch) bool { return m.Before == nil }) {
			list = append(list, changeOf(matches))
			before = append(before, earned(matches, formula, then))
			after = append(after, earned(matches, formula, today))
		}
		all = all[n:]
	}
	return list, scores.Total(before), scores.Total(after)
}

// earned is the part of a case's score that decides what its group earns.
func earned(matches []TestMatch, formula scoring.Formula, result func(TestMatch) Before) scoring.CaseScore {
	first := matches[0]
	c := scoring.CaseScore{Name: first.Case, Group: first.Group, Score: result(first).Score, Passed: formula.Reaches(result(first).Score, first.Points)}
	for _, m := range matches {
		was := result(m)
		c.Passed = c.Passed && was.Verdict == string(referee.OK)
		c.Matches = append(c.Matches, scoring.MatchResult{Verdict: was.Verdict, X: was.X})
	}
	return c
}

// printChanges compares the test with the last one, as a whole and case by case.
func (v Test) printChanges(p *Printer) {
	list, was, now := changesOf(v.Result, v.Scores, v.Formula)
	count := func(direction int) (n int) {
		for _, c := range list {
			if c.direction == direction {
				n++
			}
		}
		return n
	}
	better, worse, same := count(1), count(-1), count(0)
	switch {
	case len(list) == 0:
		return
	case better+worse == 0:
		p.Printf("against the last run: no change\n")
		return
	}
	points := Points(Number(now)) + " as before"
	if was != now {
		points = Points(fromTo(was, now))
	}
	switch some := len(list) < v.Result.Cases; {
	case v.NoTotal, some && v.Scores.ByPackage():
		points = Plural(len(list), "case")
	case some:
		points = fmt.Sprintf("%s on %s", points, Plural(len(list), "case"))
	}
	p.Printf("against the last run: %s, %s, %s, %d the same\n", points,
		p.Style(Green, fmt.Sprintf("▲ %d better", better)), p.Style(Red, fmt.Sprintf("▼ %d worse", worse)), same)
	for _, c := range list {
		switch c.direction {
		case 1:
			p.Printf("  %s %s: %s\n", p.Style(Green, "▲"), SafeLine(c.name), c.what)
		case -1:
			p.Printf("  %s %s: %s\n", p.Style(Red, "▼"), SafeLine(c.name), c.what)
		}
	}
}
