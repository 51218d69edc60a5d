package problem

import (
	"cmp"
	"fmt"
	"math/big"
	"path"
	"slices"

	"umpire/referee"
)

// Group is a group of a package's test data: what it says verdicts and scores of its
// cases and of the groups in it come to. The root holds the groups sample and secret.
type Group struct {
	Name  string // its path below data/; "" of the root
	Items []Item // in the order of judging
	// Verdict is how the verdicts of the items make one.
	Verdict VerdictMode
	Any     bool // one accepted item is enough
	// IgnoreSample has only the second item of the root count.
	IgnoreSample bool
	// Break ends judging of the group with the first item that is not accepted; what
	// comes after it does not count.
	Break bool
	Score ScoreMode
	Times *big.Rat // the score that its items come to is multiplied by this; nil: 1
	Max   *big.Rat // the most that it gives; nil: unbounded
	// Range bounds the score of an accepted group; without bounds it may be any.
	Range ScoreRange
	// Reject is the score of a group whose verdict is not accepted; nil: the score that
	// its items come to.
	Reject  *big.Rat
	Require []string // groups, earlier ones, of which all cases must be accepted: else it gives 0
}

// Item is a case or a group.
type Item struct {
	Case  string
	Group *Group
}

// Base is the last part of its name.
func (i Item) Base() string {
	if i.Group != nil {
		return path.Base(i.Group.Name)
	}
	return path.Base(i.Case)
}

// VerdictMode is how verdicts are combined.
type VerdictMode int

const (
	WorstError VerdictMode = iota // the gravest that is not accepted
	FirstError
	AlwaysAccept
)

// ScoreMode is how scores are combined.
type ScoreMode string

const (
	Sum      ScoreMode = "sum"
	Average  ScoreMode = "avg"
	Min      ScoreMode = "min"
	Max      ScoreMode = "max"
	PassFail ScoreMode = "pass-fail" // Max if accepted, else 0
)

// Worth is how a case of a problem with scores is scored.
type Worth struct {
	// Accept is the score of an accepted case whose judge says none; nil: it must say one.
	Accept *big.Rat
	Reject *big.Rat // of one that is not accepted; nil: 0
	Max    *big.Rat // the most that it can give; nil: unbounded
	// Fixed has no score of the judge's count; Strict takes one where it does not count, also of a
	// case that is not accepted, for a mistake of the judge; a Multiplier of Max may be said.
	Fixed, Strict, Multiplier bool
}

// Outcome is the result of a case, or of a group.
type Outcome struct {
	Class string // as of ClassOf
	Score *big.Rat
}

// Outcome returns the result of a case, by the verdict and the score in its record; w is nil
// in a problem without scores.
func (w *Worth) Outcome(v referee.Verdict, score *big.Rat) Outcome {
	out := Outcome{ClassOf(v), new(big.Rat)}
	switch {
	case w == nil:
	case out.Class != Accepted:
		if w.Reject != nil {
			out.Score.Set(w.Reject)
		}
	case w.Fixed:
	case w.Accept != nil && Rounded(w.Accept) == Rounded(score):
		out.Score.Set(w.Accept) // a third of the points is no decimal number
	default:
		out.Score.Set(score)
	}
	return out
}

// Grade is the result of a group, with those of the groups in it.
type Grade struct {
	Group *Group
	Outcome
	Cases  int // in it and in its groups
	Groups []Grade
}

// severity lists the classes but Accepted, the gravest first.
var severity = []string{NoProgram, FailedRun, TooSlow, WrongWay}

// Grade says what the outcomes of cases come to, by their names. A case that is not there has
// not been judged, which counts as not accepted.
func (g *Group) Grade(outcomes map[string]Outcome) Grade {
	return g.grade(outcomes, make(map[string]string), false)
}

// grade notes the class of each group that has been graded; off has the group not count,
// so that it has passed for no other group either.
func (g *Group) grade(outcomes map[string]Outcome, graded map[string]string, off bool) Grade {
	out := Grade{Group: g, Cases: len(g.Names())}
	off = off || g.barred(graded)
	var list []Outcome
	stopped := off
	for _, item := range g.Items {
		one := Outcome{WrongWay, new(big.Rat)}
		if item.Group != nil {
			sub := item.Group.grade(outcomes, graded, stopped)
			out.Groups = append(out.Groups, sub)
			one = sub.Outcome
		} else if judged, ok := outcomes[item.Case]; ok {
			one = judged
		}
		if !stopped {
			list = append(list, one)
		}
		stopped = stopped || g.Break && one.Class != Accepted
	}
	if out.Outcome = g.combine(list); off {
		out.Outcome = Outcome{WrongWay, new(big.Rat)}
	}
	graded[g.Name] = out.Class
	return out
}

// barred reports whether a group that this one requires has not been accepted.
func (g *Group) barred(graded map[string]string) bool {
	return slices.ContainsFunc(g.Require, func(name string) bool { return graded[name] != Accepted })
}

// combine makes one outcome of several.
func (g *Group) combine(list []Outcome) Outcome {
	if g.IgnoreSample && len(list) > 1 {
		list = list[1:2]
	}
	out := Outcome{Accepted, new(big.Rat)}
	wrong := slices.DeleteFunc(slices.Clone(list), func(o Outcome) bool { return o.Class == Accepted })
	switch {
	case len(wrong) == 0, g.Any && len(wrong) < len(list):
	case g.Verdict == FirstError:
		out.Class = wrong[0].Class
	case g.Verdict == WorstError:
		out.Class = slices.MinFunc(wrong, func(a, b Outcome) int { return slices.Index(severity, a.Class) - slices.Index(severity, b.Class) }).Class
	}
	switch {
	case g.Score == PassFail && out.Class == Accepted && g.Max != nil:
		out.Score.Set(g.Max)
	case g.Score == PassFail:
	case g.Reject != nil && out.Class != Accepted:
		out.Score.Set(g.Reject)
	default:
		out.Score = g.Score.combine(list)
		if g.Times != nil {
			out.Score.Mul(out.Score, g.Times)
		}
	}
	return out
}

func (m ScoreMode) combine(list []Outcome) *big.Rat {
	out := new(big.Rat)
	for i, one := range list {
		switch {
		case i == 0, m == Min && one.Score.Cmp(out) < 0, m == Max && one.Score.Cmp(out) > 0:
			out.Set(one.Score)
		case m == Sum, m == Average:
			out.Add(out, one.Score)
		}
	}
	if m == Average && len(list) > 0 {
		out.Quo(out, big.NewRat(int64(len(list)), 1))
	}
	return out
}

// Most is the most that the group gives; nil: unbounded, or not known.
func (g *Group) Most() *big.Rat {
	if g.Max == nil && g.IgnoreSample && len(g.Items) > 1 && g.Items[1].Group != nil {
		return g.Items[1].Group.Max
	}
	return g.Max
}

// Names are the names of all cases of the group and of those in it.
func (g *Group) Names() (list []string) {
	for _, item := range g.Items {
		if item.Group != nil {
			list = append(list, item.Group.Names()...)
		} else {
			list = append(list, item.Case)
		}
	}
	return list
}

// Counts reports whether a case can still change the grade, by the outcomes so far.
func (g *Group) Counts(name string, outcomes map[string]Outcome) bool {
	return g.counts(name, outcomes, make(map[string]string))
}

func (g *Group) counts(name string, outcomes map[string]Outcome, graded map[string]string) bool {
	if g.barred(graded) {
		return false
	}
	for _, item := range g.Items {
		if item.Case == name {
			return true
		}
		if item.Group != nil && slices.Contains(item.Group.Names(), name) {
			return item.Group.counts(name, outcomes, graded)
		}
		one := outcomes[item.Case]
		if item.Group != nil {
			one = item.Group.grade(outcomes, graded, false).Outcome
		}
		if g.Break && one.Class != Accepted {
			return false
		}
	}
	return false
}

// Points is the score to four decimals: those of cases are recorded to six.
func (g Grade) Points() *big.Rat {
	n, _ := new(big.Rat).SetString(g.Score.FloatString(4))
	return n
}

// OutOfRange says which accepted groups have a score that is not in their Range.
func (g Grade) OutOfRange() (list []string) {
	for _, one := range g.Flat() {
		if one.Class == Accepted && !one.Group.Range.Holds(one.Score) {
			list = append(list, fmt.Sprintf("%s: score %s, which is its range: got %s", cmp.Or(one.Group.Name, "the whole"), one.Group.Range, Rounded(one.Score)))
		}
	}
	return list
}

// Flat returns the grade and those of all groups in it, each before those in its group.
func (g Grade) Flat() []Grade {
	list := []Grade{g}
	for _, sub := range g.Groups {
		list = append(list, sub.Flat()...)
	}
	return list
}
