package session

import (
	"math/big"
	"slices"

	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/external/problem"
	"umpire/referee/record"
	"umpire/referee/scoring"
)

// gradingOf returns what grades submissions to the session's problem package on a set of
// its cases; nil if the package has no scores, or not all its cases are in the set.
func gradingOf(s *Session, set cases.Set) func([]scoring.CaseScore) []scoring.Graded {
	p := s.Umpire.Problem(s.Game)
	if p == nil || p.Grading == nil || len(set.Cases) < len(p.Cases) {
		return nil
	}
	return func(list []scoring.CaseScore) (out []scoring.Graded) {
		done := make(map[string]problem.Outcome)
		for _, c := range list {
			if m := c.Matches; len(m) > 0 {
				addOutcome(done, p, c.Name, m[0].Verdict, problem.ScoreRat(m[0].X))
			}
		}
		grade := p.Grading.Grade(func(name string) (o problem.Outcome, ok bool) {
			o, ok = done[name]
			return o, ok
		})
		for _, g := range append([]problem.Grade{grade}, grade.Flat()...) {
			names := g.Group.Names()
			for i, name := range names {
				names[i] = problem.SetName(name)
			}
			one := scoring.Graded{Group: scoring.Group{Name: g.Group.Name, Combine: cases.Combine(g.Group.Score), Cases: g.Cases}}
			one.Score, _ = g.Points().Float64()
			if most := g.Group.Most(); most != nil {
				one.Points, _ = most.Float64()
			}
			one.Has = func(name string) bool { return slices.Contains(names, name) }
			out = append(out, one)
		}
		return out
	}
}

// addOutcome notes what came of a case, by its name in the case set.
func addOutcome(done map[string]problem.Outcome, p *problem.Problem, name, verdict string, score *big.Rat) {
	i := slices.IndexFunc(p.Cases, func(c problem.Case) bool { return problem.SetName(c.Name) == name })
	if i >= 0 {
		done[p.Cases[i].Name] = p.Cases[i].Worth.Outcome(referee.Verdict(verdict), score)
	}
}

// outcomes are those of recorded matches.
func outcomes(p *problem.Problem, records []record.Record) func(string) (problem.Outcome, bool) {
	done := make(map[string]problem.Outcome)
	for _, r := range records {
		if r.Error == "" && len(r.Seats) == 1 {
			addOutcome(done, p, r.Case.Name, r.Seats[0].Verdict, problem.ScoreRat(r.Seats[0].Score))
		}
	}
	return func(name string) (o problem.Outcome, ok bool) {
		o, ok = done[name]
		return o, ok
	}
}
