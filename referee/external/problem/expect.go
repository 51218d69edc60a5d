package problem

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// ScoreRange is a range of scores, bounds included.
type ScoreRange struct {
	Low, High *big.Rat // nil: no bound
	Below     bool     // High itself is no more in it
}

// Holds reports whether a score is in the range.
func (r ScoreRange) Holds(score *big.Rat) bool {
	switch {
	case r.Low != nil && score.Cmp(r.Low) < 0:
		return false
	case r.High == nil:
		return true
	}
	at := score.Cmp(r.High)
	return at < 0 || at == 0 && !r.Below
}

// String is the range as it is printed; "" without bounds.
func (r ScoreRange) String() string {
	number := func(n *big.Rat) string { return Rounded(n).String() }
	switch {
	case r.Low == nil && r.High == nil:
		return ""
	case r.Below:
		return "below " + number(r.High)
	case r.High == nil:
		return "at least " + number(r.Low)
	case r.Low == nil:
		return "at most " + number(r.High)
	case r.Low.Cmp(r.High) == 0:
		return number(r.Low)
	}
	return number(r.Low) + " to " + number(r.High)
}

// Rule is something that is expected of a submission on some cases, beside what is expected
// of it as a whole.
type Rule struct {
	On    string   // whom it concerns, as the package says it; "": all cases
	Cases []string // names of these
	// Permitted are the classes of verdicts that it may get there, and of Required it must
	// get one; nil: any.
	Permitted, Required []string
	Message             string     // part of what the judge says at least once; "": anything
	Groups              []string   // whose scores must each be in Score; "" is the whole
	Score               ScoreRange // no bounds: any
}

// CaseResult is what a submission got on a case.
type CaseResult struct {
	Case    string
	Class   string // as of ClassOf
	Message string // of the judge
}

// String is what the rule expects, in words.
func (r Rule) String() string {
	var parts []string
	if r.Permitted != nil {
		parts = append(parts, "only "+strings.Join(r.Permitted, " "))
	}
	if r.Required != nil {
		parts = append(parts, "once "+strings.Join(r.Required, " or "))
	}
	if s := r.Score.String(); s != "" {
		parts = append(parts, "score "+s)
	}
	if r.Message != "" {
		parts = append(parts, fmt.Sprintf("message %q", r.Message))
	}
	out := strings.Join(parts, ", ")
	if r.On != "" {
		out = r.On + ": " + out
	}
	return out
}

// Unmet says how results differ from what is expected; "" if they do not. Scores are those of
// groups, by their names.
func (r Rule) Unmet(results []CaseResult, scores map[string]*big.Rat) string {
	required, said := r.Required == nil, r.Message == ""
	for _, one := range results {
		if !slices.Contains(r.Cases, one.Case) {
			continue
		}
		if r.Permitted != nil && !slices.Contains(r.Permitted, one.Class) {
			return fmt.Sprintf("%s: got %s on %s", r, one.Class, one.Case)
		}
		required = required || slices.Contains(r.Required, one.Class)
		said = said || strings.Contains(one.Message, r.Message)
	}
	for _, group := range r.Groups {
		if score := scores[group]; score == nil || !r.Score.Holds(score) {
			got := "none"
			if score != nil {
				got = Rounded(score).String()
			}
			return fmt.Sprintf("%s: got score %s", strings.TrimPrefix(r.String(), ": "), got)
		}
	}
	switch {
	case !required:
		return fmt.Sprintf("%s: got it on no case", r)
	case !said:
		return fmt.Sprintf("%s: the judge never says that", r)
	}
	return ""
}
