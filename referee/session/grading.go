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

// addGrading has the rules of the session's problem package grade submissions: cases on which
// they fail and, if all are in the task's set, groups.
func addGrading(s *Session, t *scoring.Task) {
	p := s.Umpire.Problem(s.Game)
	if p == nil || p.Grading == nil {
		return
	}
	t.Rejected = func(name string) (x float64) {
		if c, _ := caseCalled(p, name); c.Worth != nil && c.Worth.Reject != nil {
			x, _ = c.Worth.Reject.Float64()
		}
		return x
	}
	lacking := make(map[string]bool)
	for _, c := range p.Cases {
		lacking[problem.SetName(c.Name)] = true
	}
	for _, c := range t.Set.Cases { // one may be a file of the user's
		delete(lacking, c.Name)
	}
	if len(lacking) == 0 {
		t.Grade = gradingOf(p)
	}
}

// gradingOf returns what grades submissions to a problem package on all its cases.
func gradingOf(p *problem.Problem) func([]scoring.CaseScore) []scoring.Graded {
	return func(list []scoring.CaseScore) (out []scoring.Graded) {
		done := make(outcomes)
		for _, c := range list {
			if m := c.Matches; len(m) > 0 {
				done.add(p, c.Name, m[0].Verdict, problem.ScoreRat(m[0].X))
			}
		}
		for _, g := range p.Grading.Grade(done).Flat() {
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

// caseCalled finds a case of a package by its name in the case set.
func caseCalled(p *problem.Problem, inSet string) (c problem.Case, ok bool) {
	i := slices.IndexFunc(p.Cases, func(c problem.Case) bool { return problem.SetName(c.Name) == inSet })
	if i < 0 {
		return c, false
	}
	return p.Cases[i], true
}

// outcomes are what came of cases, by the names that their package has for them.
type outcomes map[string]problem.Outcome

// outcomesOf are those of recorded matches.
func outcomesOf(p *problem.Problem, records []record.Record) outcomes {
	done := make(outcomes)
	for _, r := range records {
		if r.Error == "" && len(r.Seats) == 1 {
			done.add(p, r.Case.Name, r.Seats[0].Verdict, problem.ScoreRat(r.Seats[0].Score))
		}
	}
	return done
}

// add notes what came of a case, by its name in the case set.
func (o outcomes) add(p *problem.Problem, inSet, verdict string, score *big.Rat) {
	if c, ok := caseCalled(p, inSet); ok {
		o[c.Name] = c.Worth.Outcome(referee.Verdict(verdict), score)
	}
}
