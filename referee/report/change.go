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
func changesOf(result TestResult, groups []scoring.Group, formula scoring.Formula) (list []caseChange, was, now float64) {
	all := result.Results
	var before, after []scoring.CaseScore
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(m TestMatch) bool { return m.Case != all[0].Case })
		if n < 0 {
			n = len(all)
		}
		if matches := all[:n]; !slices.ContainsFunc(matches, func(m TestMatch) bool { return m.Before == nil }) {
			list = append(list, changeOf(matches))
			before = append(before, earned(matches, formula, func(m TestMatch) (float64, string) { return m.Before.Score, m.Before.Verdict }))
			after = append(after, earned(matches, formula, func(m TestMatch) (float64, string) { return m.Score, m.Verdict }))
		}
		all = all[n:]
	}
	return list, scoring.Total(groups, before), scoring.Total(groups, after)
}

// earned is the part of a case's score that decides what its group earns.
func earned(matches []TestMatch, formula scoring.Formula, result func(TestMatch) (score float64, verdict string)) scoring.CaseScore {
	score, _ := result(matches[0])
	failed := slices.ContainsFunc(matches, func(m TestMatch) bool {
		_, verdict := result(m)
		return verdict != string(referee.OK)
	})
	return scoring.CaseScore{Group: matches[0].Group, Score: score, Passed: !failed && formula.Reaches(score, matches[0].Points)}
}

// printChanges compares the test with the last one, as a whole and case by case.
func printChanges(p *Printer, result TestResult, groups []scoring.Group, formula scoring.Formula) {
	list, was, now := changesOf(result, groups, formula)
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
	if len(list) < result.Cases {
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
