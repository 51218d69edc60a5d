package scoring

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"umpire/protocols"
	"umpire/referee/cases"
	"umpire/referee/record"
)

// Task says what submissions are scored on, and how.
type Task struct {
	Set      cases.Set
	Formula  Formula
	Baseline Baseline
	// Grade, if not nil, says what a submission's cases come to, in place of the groups of
	// the set: the whole first.
	Grade func([]CaseScore) []Graded
	// Rejected, if not nil, is X of a case on which a submission fails, by its name, in place of
	// the score in the record.
	Rejected func(name string) float64
}

// Graded is a group as a problem package grades it.
type Graded struct {
	Group
	Score float64
	Has   func(name string) bool // reports whether a case is in it
}

// Scores is the whole result: every submission on every case. It marshals to
// the JSON that users see.
type Scores struct {
	Formula     string  `json:"formula"`
	Baseline    string  `json:"baseline"` // number, best, a file's name; "": each case's own
	Points      float64 `json:"points"`   // points of all groups
	Groups      []Group `json:"groups"`
	Submissions []Score `json:"submissions"` // best first

	grade func([]CaseScore) []Graded // of the Task
}

// Group is a group of cases as it is scored.
type Group struct {
	Name    string        `json:"group"`
	Combine cases.Combine `json:"combine"`
	Cases   int           `json:"cases"`
	Points  float64       `json:"points"` // points of the group
}

// Tally counts matches and their verdicts.
type Tally struct {
	Matches  int            `json:"matches"`
	Verdicts map[string]int `json:"verdicts"` // number of matches by verdict
}

func (t *Tally) add(verdict string) {
	if t.Verdicts == nil {
		t.Verdicts = make(map[string]int)
	}
	t.Matches++
	t.Verdicts[verdict]++
}

// failed is the number of matches that were not ok.
func (t *Tally) failed() int { return t.Matches - t.Verdicts["ok"] }

// neverRan reports whether the program could not be compiled or started in any match.
func (t *Tally) neverRan() bool { return t.Verdicts[string(protocols.KindCompile)] == t.Matches }

// Score is the result of one submission.
type Score struct {
	Rank   int     `json:"rank"` // from 1; ties share the better one
	Bot    string  `json:"bot"`  // what it is called: see record.BotNames
	Name   string  `json:"-"`    // name in records
	Digest string  `json:"digest"`
	Score  float64 `json:"score"`
	Tally
	WallUS int64        `json:"wall_us"` // wall time of all replies together
	Groups []GroupScore `json:"groups"`
	Cases  []CaseScore  `json:"cases"`
}

// GroupScore is a submission's score for a group.
type GroupScore struct {
	Name  string  `json:"group"`
	Score float64 `json:"score"`
	Tally
}

// CaseScore is a submission's score for a case.
type CaseScore struct {
	Name    string        `json:"case"`
	Group   string        `json:"group"`
	Score   float64       `json:"score"`
	Passed  bool          `json:"passed"` // as all-or-nothing groups require
	P       float64       `json:"p"`
	X       float64       `json:"x"`
	Y       float64       `json:"y"`
	Matches []MatchResult `json:"matches"`

	Entries []Entry `json:"-"` // the matches, in the same order
}

// MatchResult is how a match ended for a submission.
type MatchResult struct {
	ID      string          `json:"id"`
	Seat    int             `json:"seat"`
	Verdict string          `json:"verdict"`
	Detail  string          `json:"detail"`
	X       protocols.Score `json:"x"`
	Place   int             `json:"place"`
	WallUS  int64           `json:"wall_us"`
}

// FailedError reports a match without a result, which must not be scored. Fault is that of
// its record, and Why the error.
type FailedError struct{ Bot, Case, Fault, Why string }

func (e *FailedError) Error() string {
	if e.Fault == record.Umpire {
		return fmt.Sprintf("case %s: umpire could not play the match of %s: %s", e.Case, e.Bot, e.Why)
	}
	return fmt.Sprintf("case %s: the match of %s has no result: %s", e.Case, e.Bot, e.Why)
}

// MissingError reports that a submission has not played a match it is scored
// on.
type MissingError struct {
	Bot, Case string
	Seat      int // 0: in no seat
}

func (e *MissingError) Error() string {
	seat := ""
	if e.Seat > 0 {
		seat = fmt.Sprintf(" in seat %d, where others have one", e.Seat)
	}
	return fmt.Sprintf("case %s: found no record of %s%s", e.Case, e.Bot, seat)
}

// Check returns an error unless submissions can be scored: all have played all
// cases of the set, in the same seats, under the same limits, against the same
// opponent and on the same deals, and each case has a baseline. A match without a
// result counts as played.
func (t Task) Check(results *Results) error {
	for _, c := range t.Set.Cases {
		if err := checkCase(c, results); err != nil {
			return err
		}
		if _, err := t.Baseline.of(c, t.Formula, 0); err != nil && t.Formula.Uses("Y") {
			return err
		}
	}
	return nil
}

// Score scores submissions on the cases of the set, if Check allows it and none has a match
// without a result.
func (t Task) Score(results *Results) (Scores, error) {
	out := Scores{
		Formula: t.Formula.String(), Baseline: t.Baseline.Name,
		Groups: []Group{}, Submissions: make([]Score, len(results.Submissions)), grade: t.Grade,
	}
	for i, s := range results.Submissions {
		out.Submissions[i] = Score{Bot: results.Called(s.Name, s.Digest), Name: s.Name, Digest: s.Digest}
	}
	for i, s := range results.Submissions {
		if failed := s.failed(t.Set); failed != nil {
			r := failed[0].Record
			return out, &FailedError{out.Submissions[i].Bot, r.Case.Name, r.Fault(), r.Error}
		}
	}
	if err := t.Check(results); err != nil {
		return out, err
	}
	for _, c := range t.Set.Cases {
		y, err := t.Baseline.of(c, t.Formula, best(c, results))
		if err != nil && t.Formula.Uses("Y") {
			return out, err
		}
		for i, s := range results.Submissions {
			one, err := t.score(c, s, y)
			if err != nil {
				return out, fmt.Errorf("case %s, %s: %w", c.Name, out.Submissions[i].Bot, err)
			}
			out.Submissions[i].addCase(one)
		}
	}
	if t.Grade != nil {
		for i := range out.Submissions {
			out.Points, out.Groups = out.Submissions[i].grade(t.Grade)
		}
		rank(out.Submissions)
		return out, nil
	}
	for _, g := range t.Set.Groups {
		worth := maxPoints(g, t.Set)
		out.Groups = append(out.Groups, worth)
		if out.Points += worth.Points; math.IsInf(out.Points, 0) {
			return out, fmt.Errorf("group %s: the points up to here add up to more than a number can hold", g.Name)
		}
		for i := range out.Submissions {
			if err := out.Submissions[i].combine(g); err != nil {
				return out, err
			}
		}
	}
	rank(out.Submissions)
	return out, nil
}

// score scores one submission on one case.
func (t Task) score(c cases.Case, s *Submission, y float64) (CaseScore, error) {
	entries := s.on(c)
	facts := FactsOf(entries, c.Points, y)
	if t.Rejected != nil && facts.OK == 0 {
		facts.X = t.Rejected(c.Name)
	}
	score, err := t.Formula.Eval(facts)
	if err != nil {
		return CaseScore{}, err
	}
	if neverRan(entries) {
		score = 0 // whatever the formula gives for a place or a time
	}
	out := CaseScore{
		Name: c.Name, Group: c.Group, Score: score, Passed: facts.OK == 1 && t.Formula.Reaches(score, c.Points),
		P: c.Points, X: facts.X, Y: y, Entries: entries,
	}
	for _, e := range entries {
		seat := e.seat()
		out.Matches = append(out.Matches, MatchResult{
			ID: e.Record.ID, Seat: e.Seat, Verdict: seat.Verdict, Detail: seat.Detail,
			X: seat.Score, Place: seat.Place, WallUS: seat.WallUS,
		})
	}
	return out, nil
}

// Reaches reports whether a case has earned all that it is worth, which a formula
// without P does not say.
func (f Formula) Reaches(score, points float64) bool {
	const slack = 1e-9 // for rounding: P * 200 / 200 is P
	return !f.Uses("P") || score >= points-slack*math.Abs(points)
}

// neverRan reports whether the program of the entries could not be compiled or
// started.
func neverRan(entries []Entry) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.seat().Verdict == string(protocols.KindCompile) })
}

// best returns the best X on a case.
func best(c cases.Case, results *Results) float64 {
	x := math.Inf(-1)
	for _, s := range results.Submissions {
		x = max(x, FactsOf(s.on(c), 0, 0).X)
	}
	return x
}

// maxPoints returns the most a group is worth if no case gives more than its P.
func maxPoints(g cases.Group, set cases.Set) Group {
	out := Group{Name: g.Name, Combine: cmp.Or(g.Combine, cases.Sum)}
	for _, c := range set.Cases {
		if c.Group != g.Name {
			continue
		}
		out.Cases++
		if g.Combine == cases.Min {
			out.Points = max(out.Points, c.Points)
		} else {
			out.Points += c.Points
		}
	}
	out.Points = roundScore(out.Points)
	return out
}

// addCase adds the score of a case and its matches.
func (s *Score) addCase(c CaseScore) {
	s.Cases = append(s.Cases, c)
	for _, m := range c.Matches {
		s.add(m.Verdict)
		s.WallUS += m.WallUS
	}
}

// addGroup adds the score of a group, which has some of the cases.
func (s *Score) addGroup(name string, score float64, has func(CaseScore) bool) {
	out := GroupScore{Name: name, Score: score}
	for _, c := range s.Cases {
		if !has(c) {
			continue
		}
		for _, m := range c.Matches {
			out.add(m.Verdict)
		}
	}
	s.Groups = append(s.Groups, out)
}

// combine adds the combined scores of a group's cases. It returns an error, which
// names the case, if a sum is more than a number can hold.
func (s *Score) combine(g cases.Group) error {
	score, over := combined(g.Name, g.Combine, s.Cases)
	if math.IsInf(score, 0) {
		return fmt.Errorf("case %s, %s: the points of group %s up to it add up to %v, expected a finite number", over, s.Bot, g.Name, score)
	}
	if s.Score = roundScore(s.Score + score); math.IsInf(s.Score, 0) {
		return fmt.Errorf("group %s, %s: the groups' points up to here add up to %v, expected a finite number", g.Name, s.Bot, s.Score)
	}
	s.addGroup(g.Name, score, func(c CaseScore) bool { return c.Group == g.Name })
	return nil
}

// grade sets the score and those of groups by a package's own rules. It returns what
// the whole and each group are worth.
func (s *Score) grade(by func([]CaseScore) []Graded) (points float64, groups []Group) {
	for n, g := range by(s.Cases) {
		if n == 0 {
			s.Score, points = g.Score, g.Points
			continue
		}
		s.addGroup(g.Name, g.Score, func(c CaseScore) bool { return g.Has(c.Name) })
		groups = append(groups, g.Group)
	}
	return points, groups
}

// combined returns what the cases of a group earn together and, if that is more than
// a number can hold, the case that makes it so.
func combined(group string, how cases.Combine, list []CaseScore) (sum float64, over string) {
	worst, passed := math.Inf(1), true
	for _, c := range list {
		if c.Group != group {
			continue
		}
		if sum += c.Score; math.IsInf(sum, 0) && over == "" {
			over = c.Name
		}
		worst = min(worst, c.Score)
		passed = passed && c.Passed
	}
	switch {
	case how == cases.Min && !math.IsInf(worst, 1):
		sum = worst
	case how == cases.All && !passed:
		sum = 0
	}
	return roundScore(sum), over
}

// Total returns what the scored cases earn together with other results, of which name, group,
// score, whether they are passed, and verdict and X of the matches matter.
func (s Scores) Total(list []CaseScore) float64 {
	if s.grade != nil {
		return s.grade(list)[0].Score
	}
	return Total(s.Groups, list)
}

// Total returns what cases earn together, of which only the group, the score and
// whether they are passed matter.
func Total(groups []Group, list []CaseScore) (total float64) {
	for _, g := range groups {
		sum, _ := combined(g.Name, g.Combine, list)
		total += sum
	}
	return roundScore(total)
}

// ByPackage reports whether a problem package's own rules say what cases come to, which takes
// all of them.
func (s Scores) ByPackage() bool { return s.grade != nil }

// rank sorts scores, best first, and after all others those of programs that never ran, whose 0
// says nothing where others are below it. Ties share the better rank, since the formula alone
// decides it, and are sorted by failed matches, the fewest first, and by name.
func rank(list []Score) {
	place := func(a, b Score) int {
		return cmp.Or(cmp.Compare(count(a.neverRan()), count(b.neverRan())), cmp.Compare(b.Score, a.Score))
	}
	slices.SortFunc(list, func(a, b Score) int {
		return cmp.Or(place(a, b), cmp.Compare(a.failed(), b.failed()), cmp.Compare(a.Bot, b.Bot), cmp.Compare(a.Digest, b.Digest))
	})
	for i := range list {
		list[i].Rank = i + 1
		if i > 0 && place(list[i], list[i-1]) == 0 {
			list[i].Rank = list[i-1].Rank
		}
	}
}

// roundScore removes rounding errors from a sum, so that equal scores are
// equal.
func roundScore(x float64) float64 {
	if math.Abs(x) > 1e6 {
		return x
	}
	return math.Round(x*1e9) / 1e9
}
