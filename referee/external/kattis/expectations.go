package kattis

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"umpire/referee/external/problem"
)

// expectationsFile says what is expected of submissions, by patterns of their names.
const expectationsFile = "submissions/submissions.yaml"

// classes are the verdicts by which submissions.yaml says what is expected.
var classes = []string{problem.Accepted, problem.WrongWay, problem.TooSlow, problem.FailedRun}

// clause is what submissions.yaml says of the submissions that a pattern matches.
type clause struct {
	key  string
	on   problem.Glob
	main string
	list []said
}

// said is what it says of the results on the cases that a pattern matches.
type said struct {
	problem.Rule // without names of cases and groups
	on           problem.Glob
	// Limit is whether, and how, it counts for the time limit: "", no, lower or upper.
	Limit string
}

// describing are the keys that change nothing.
var describing = []string{"language", "authors", "model_solution"}

// readExpectations reads submissions.yaml; there may be none.
func readExpectations(f *folder) (list []clause, err error) {
	if f.Files[expectationsFile] == "" {
		return nil, nil
	}
	var all map[string]map[string]any
	if _, err := f.Decode(expectationsFile, &all); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		c := clause{key: key}
		if c.on, err = problem.ParseGlob(key); err != nil {
			return nil, expectationMistake(f, key, "%w", err)
		}
		if err := readClause(f, &c, all[key]); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// expectationMistake is an error at a key of submissions.yaml.
func expectationMistake(f *folder, key, format string, args ...any) error {
	return f.Mistake(expectationsFile, f.lineIn(expectationsFile, key), "%s: %w", key, fmt.Errorf(format, args...))
}

func readClause(f *folder, c *clause, values map[string]any) (err error) {
	whole := said{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := values[key]
		switch below, isMap := value.(map[string]any); {
		case key == "entrypoint":
			c.main = fmt.Sprint(value)
		case slices.Contains(describing, key):
		case isMap:
			one := said{Rule: problem.Rule{On: key}}
			if one.on, err = problem.ParseGlob(key); err != nil {
				return expectationMistake(f, key, "%w", err)
			}
			for _, k := range slices.Sorted(maps.Keys(below)) {
				if err := one.set(k, below[k]); err != nil {
					return expectationMistake(f, k, "%w", err)
				}
			}
			c.list = append(c.list, one)
		default:
			if err := whole.set(key, value); err != nil {
				return expectationMistake(f, key, "%w", err)
			}
		}
	}
	c.list = append([]said{whole}, c.list...)
	return nil
}

// set reads one key.
func (s *said) set(key string, value any) (err error) {
	switch key {
	case "permitted":
		s.Permitted, err = classList(value)
	case "required":
		s.Required, err = classList(value)
	case "score":
		s.Score, err = scoreRange(value)
	case "message":
		s.Message = fmt.Sprint(value)
	case "use_for_time_limit":
		switch value {
		case true:
		case false:
			s.Limit = "no"
		case "lower", "upper":
			s.Limit = fmt.Sprint(value)
		default:
			err = fmt.Errorf("found %v, expected true, false, lower or upper", value)
		}
	default:
		err = fmt.Errorf("is no key of submissions.yaml, expected permitted, required, score, message, entrypoint, use_for_time_limit, or a pattern of cases with these")
	}
	return err
}

// classList reads the results that are permitted or required, at least one.
func classList(value any) ([]string, error) {
	list, err := listOf(value)
	if err == nil && len(list) == 0 {
		err = errors.New("found none, expected some of AC, WA, TLE, RTE")
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i] = strings.ToUpper(list[i]); !slices.Contains(classes, list[i]) {
			return nil, fmt.Errorf("found %q, expected some of AC, WA, TLE, RTE", list[i])
		}
	}
	return list, nil
}

// scoreRange reads a number, or a list of two.
func scoreRange(value any) (r problem.ScoreRange, err error) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value, value}
	}
	if len(list) != 2 {
		return r, fmt.Errorf("found %v, expected a number or a list of two", value)
	}
	for i, to := range []**big.Rat{&r.Low, &r.High} {
		if *to, err = problem.ParseNumber(fmt.Sprint(list[i])); err != nil {
			return r, err
		}
	}
	return r, nil
}

// rule makes the rule of what is said; the cases that it concerns are those it names.
func rule(f *folder, c clause, s said) (r problem.Rule, err error) {
	r = s.Rule
	for _, one := range f.problem.Cases {
		if s.On == "" || s.on.Covers(one.Name) {
			r.Cases = append(r.Cases, one.Name)
		}
	}
	if len(r.Cases) == 0 {
		f.problem.Warn("%s:%d: %s: matches no case and no group", expectationsFile, f.lineIn(expectationsFile, s.On), s.On)
	}
	if s.Score == (problem.ScoreRange{}) {
		return r, nil
	}
	switch {
	case f.problem.Grading == nil:
		return r, expectationMistake(f, c.key, "score: the problem has no scores: expected type: scoring in %s", Marker)
	case s.On == "":
		r.Groups = []string{""}
	default:
		for _, g := range groupNames(f.problem.Grading) {
			if g != "" && s.on.Matches(g) {
				r.Groups = append(r.Groups, g)
			}
		}
		if len(r.Groups) == 0 {
			return r, expectationMistake(f, s.On, "score: matches no group of test data, such as secret/group1")
		}
	}
	return r, nil
}

// groupNames are the names of all groups of a tree.
func groupNames(g *problem.Group) (names []string) {
	names = append(names, g.Name)
	for _, item := range g.Items {
		if item.Group != nil {
			names = append(names, groupNames(item.Group)...)
		}
	}
	return names
}

// checkConsistent reports an error where no result on a case could be right.
func checkConsistent(f *folder, s problem.Submission) error {
	for _, c := range f.problem.Cases {
		left := s.Permitted
		if left == nil {
			left = classes
		}
		for _, r := range s.Rules {
			if r.Permitted != nil && slices.Contains(r.Cases, c.Name) {
				left = slices.DeleteFunc(slices.Clone(left), func(class string) bool { return !slices.Contains(r.Permitted, class) })
			}
		}
		if len(left) == 0 {
			return f.Mistake(expectationsFile, 0, "permits nothing to %s on %s: the patterns that match contradict each other", s.Name, c.Name)
		}
	}
	return nil
}
