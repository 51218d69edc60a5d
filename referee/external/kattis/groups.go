package kattis

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"path"
	"slices"
	"strings"

	"umpire/referee/external/problem"
)

// groupFile is what is read of testdata.yaml, or of test_group.yaml since 2025-09.
type groupFile struct {
	OnReject string  `yaml:"on_reject"`
	Grading  any     `yaml:"grading"`
	Flags    *string `yaml:"grader_flags"`
	Accept   any     `yaml:"accept_score"`
	Reject   any     `yaml:"reject_score"`
	Range    string  `yaml:"range"`

	Max     any    `yaml:"max_score"`
	How     string `yaml:"score_aggregation"`
	Require any    `yaml:"require_pass"`
	Static  any    `yaml:"static_validation_score"`
	// Scoring is where drafts of 2023-07 have these keys.
	Scoring *draftScoring `yaml:"scoring"`

	name string
}

// draftScoring is what drafts of 2023-07 say of a group.
type draftScoring struct {
	Score   any    `yaml:"score"`
	How     string `yaml:"aggregation"`
	Require any    `yaml:"require_pass"`
	Dashed  any    `yaml:"require-pass"`
}

// readDraft reads what drafts of 2023-07 say, of which only that is judged on which they
// agree with 2025-09.
func (g *groupFile) readDraft(f *folder) error {
	const remedy = "the drafts of 2023-07 differ on what that means: write problem_format_version: 2025-09, with max_score and score_aggregation in test_group.yaml"
	switch s := g.Scoring; {
	case g.Grading != nil || g.Accept != nil || g.Reject != nil:
		return g.mistake(f, "grading", "grading: %s", remedy)
	case s == nil:
	case s.How == "sum" && s.Score != nil && s.Score != "unbounded" && path.Dir(g.name) != "data/secret", s.How == "min" && f.problem.Judge != "":
		return g.mistake(f, "scoring", "scoring: found aggregation: %s; %s", s.How, remedy)
	default:
		g.Max, g.How, g.Require = cmp.Or(g.Max, s.Score), cmp.Or(g.How, s.How), cmp.Or(g.Require, s.Require, s.Dashed)
	}
	return nil
}

// groupFileIn is the file that makes a folder a group since 2023-07; "": there is none.
func groupFileIn(f *folder, dir string) string {
	for _, name := range []string{"test_group.yaml", "testdata.yaml"} {
		if full := path.Join(dir, name); f.Files[full] != "" && (name == "test_group.yaml" || f.problem.Version == draft2023) {
			return full
		}
	}
	return ""
}

// readGroupFile reads the file of a folder below data/; there may be none.
func readGroupFile(f *folder, dir string) (g groupFile, err error) {
	name := path.Join(dir, "testdata.yaml")
	if !f.isLegacy() {
		name = cmp.Or(groupFileIn(f, dir), path.Join(dir, "test_group.yaml"))
	}
	if g.name = name; f.Files[name] == "" {
		return g, nil
	}
	if _, err := f.Decode(name, &g); err != nil {
		return g, err
	}
	if g.name = name; f.problem.Version == draft2023 {
		err = g.readDraft(f)
	}
	return g, err
}

// mistake is an error at a key of the file.
func (g groupFile) mistake(f *folder, key, format string, args ...any) error {
	return f.Mistake(g.name, f.lineIn(g.name, key), format, args...)
}

// findGroups makes the tree of groups of a problem with scores.
func findGroups(f *folder, m *manifest) (err error) {
	if !m.scoring {
		return nil
	}
	if f.isLegacy() {
		standard := legacyRules{accept: big.NewRat(1, 1), reject: new(big.Rat), breaks: m.grading.OnReject != "grade"}
		if _, err := standard.set(m.grading.Accept, m.grading.Reject); err != nil {
			return m.wrong("grading", "%w", err)
		}
		if f.Files[".timelimit"] != "" && f.Files["domjudge-problem.ini"] == "" {
			f.problem.Warn(".timelimit: scores are those of %s; those of DOMjudge need a domjudge-problem.ini, which may be empty", f.problem.Version)
		}
		f.problem.Grading, err = legacyGroup(f, "data", standard)
		return err
	}
	return groups2025(f)
}

// setWorth sets what a case is worth.
func setWorth(f *folder, name string, w problem.Worth) {
	for i := range f.problem.Cases {
		if f.problem.Cases[i].Name == name {
			f.problem.Cases[i].Worth = &w
		}
	}
}

// casesIn are the cases directly in a folder or, deep, also in those below, in order.
func casesIn(f *folder, dir string, deep bool) (list []string) {
	for _, c := range f.problem.Cases {
		full := "data/" + c.Name
		if path.Dir(full) == dir || deep && strings.HasPrefix(full, dir+"/") {
			list = append(list, c.Name)
		}
	}
	return list
}

// legacyRules are what groups in the older formats inherit.
type legacyRules struct {
	accept, reject *big.Rat
	breaks         bool
	flags          []string
}

// set sets the scores that are there. An error comes with its key.
func (r *legacyRules) set(accept, reject any) (key string, err error) {
	for _, n := range []struct {
		key   string
		value any
		to    **big.Rat
	}{{"accept_score", accept, &r.accept}, {"reject_score", reject, &r.reject}} {
		if n.value != nil {
			if *n.to, err = problem.ParseNumber(fmt.Sprint(n.value)); err != nil {
				return n.key, err
			}
		}
	}
	return "", nil
}

// legacyGroup makes the group of a folder, by the rules of the default grader.
func legacyGroup(f *folder, dir string, rules legacyRules) (*problem.Group, error) {
	file, err := readGroupFile(f, dir)
	if err != nil {
		return nil, err
	}
	switch file.OnReject {
	case "break", "continue":
		rules.breaks = file.OnReject == "break"
	case "":
	default:
		return nil, file.mistake(f, "on_reject", "on_reject: found %q, expected break or continue", file.OnReject)
	}
	if file.Grading != nil && file.Grading != "default" {
		return nil, file.mistake(f, "grading", "grading: %v is not supported: expected the default grader", file.Grading)
	}
	if file.Flags != nil {
		rules.flags = strings.Fields(*file.Flags)
	}
	if key, err := rules.set(file.Accept, file.Reject); err != nil {
		return nil, file.mistake(f, key, "%s: %w", key, err)
	}
	g := &problem.Group{Name: strings.TrimPrefix(strings.TrimPrefix(dir, "data"), "/"), Break: rules.breaks, Score: problem.Sum, Reject: rules.reject}
	if g.Range, err = legacyRange(file.Range); err != nil {
		return nil, file.mistake(f, "range", "range: found %q, expected two numbers, such as 0 100", file.Range)
	}
	g.Max = g.Range.High
	moded := false // by its own file
	for _, flag := range rules.flags {
		switch flag {
		case "worst_error":
			g.Verdict = problem.WorstError
		case "first_error":
			g.Verdict = problem.FirstError
		case "always_accept":
			g.Verdict = problem.AlwaysAccept
		case "sum", "avg", "min", "max":
			g.Score, moded = problem.ScoreMode(flag), file.Flags != nil
		case "ignore_sample":
			g.IgnoreSample = dir == "data" && f.Dirs["data/sample"]
		case "accept_if_any_accepted":
			g.Any = true
		default:
			return nil, file.mistake(f, "grader_flags", "grader_flags: found %q, expected worst_error, first_error, always_accept, sum, avg, min, max, ignore_sample or accept_if_any_accepted", flag)
		}
	}
	for _, name := range casesIn(f, dir, false) {
		g.Items = append(g.Items, problem.Item{Case: name})
		setWorth(f, name, problem.Worth{Accept: rules.accept, Reject: rules.reject})
	}
	if f.Files["domjudge-problem.ini"] != "" { // DOMjudge counts a group's score once, and no samples
		g.IgnoreSample = dir == "data" && f.Dirs["data/sample"]
		if len(g.Items) > 0 && !moded {
			g.Score = problem.Min
		}
	}
	for _, sub := range f.In(dir) {
		if !f.Dirs[sub] || len(casesIn(f, sub, true)) == 0 {
			continue
		}
		one, err := legacyGroup(f, sub, rules)
		if err != nil {
			return nil, err
		}
		g.Items = append(g.Items, problem.Item{Group: one})
	}
	slices.SortStableFunc(g.Items, func(a, b problem.Item) int { return strings.Compare(a.Base(), b.Base()) })
	return g, nil
}

// legacyRange reads two numbers, of which the infinite ones are no bounds.
func legacyRange(text string) (r problem.ScoreRange, err error) {
	words := strings.Fields(text)
	if len(words) != 0 && len(words) != 2 {
		return r, errors.New("found no two numbers")
	}
	for i, word := range words {
		if slices.Contains([]string{"inf", ".inf", "infinity"}, strings.ToLower(strings.TrimLeft(word, "+-"))) {
			continue
		}
		if *[]**big.Rat{&r.Low, &r.High}[i], err = problem.ParseNumber(word); err != nil {
			return r, err
		}
	}
	return r, nil
}

// groups2025 makes the tree by the rules of 2025-09.
func groups2025(f *folder) error {
	root := &problem.Group{Score: problem.Sum, IgnoreSample: f.Dirs["data/sample"] && len(casesIn(f, "data/sample", true)) > 0}
	var known []string
	if root.IgnoreSample {
		known = []string{"sample"}
		sample := &problem.Group{Name: "sample", Score: problem.PassFail}
		for _, name := range casesIn(f, "data/sample", true) {
			sample.Items = append(sample.Items, problem.Item{Case: name})
			setWorth(f, name, problem.Worth{Fixed: true}) // a score there is ignored
		}
		root.Items = append(root.Items, problem.Item{Group: sample})
	}
	secret, err := group2025(f, "data/secret", problem.Sum, big.NewRat(100, 1), known)
	if err != nil {
		return err
	}
	root.Items = append(root.Items, problem.Item{Group: secret})
	f.problem.Grading = root
	grouped := slices.DeleteFunc(f.In("data/secret"), func(dir string) bool { return !f.Dirs[dir] || groupFileIn(f, dir) == "" })
	if len(grouped) == 0 {
		return fill2025(f, secret, "data/secret")
	}
	all := new(big.Rat)
	for _, dir := range grouped {
		g, err := group2025(f, dir, problem.PassFail, nil, known)
		if err != nil {
			return err
		}
		file := groupFileIn(f, dir)
		switch {
		case secret.Score == problem.PassFail && g.Score != problem.PassFail:
			return f.Mistake(file, 0, "score_aggregation: found %s, expected pass-fail, as secret has", g.Score)
		case g.Max == nil && secret.Max != nil:
			return f.Mistake(file, 0, "max_score: found unbounded, which the default is, expected a number: the score of secret is at most %s", secret.Max.RatString())
		case g.Max != nil:
			all.Add(all, g.Max)
		}
		if err := fill2025(f, g, dir); err != nil {
			return err
		}
		if g.Score == problem.PassFail {
			known = append(known, g.Name)
		}
		secret.Items = append(secret.Items, problem.Item{Group: g})
	}
	if secret.Score == problem.Sum && secret.Max != nil && all.Cmp(secret.Max) > 0 {
		return f.Mistake("data/secret", 0, "the groups give up to %s, expected at most max_score of secret, %s", all.RatString(), secret.Max.RatString())
	}
	if n := len(casesIn(f, "data/secret", true)); n != len(secret.Names()) {
		return f.Mistake("data/secret", 0, "%d of %d cases are in no group, expected each below a folder with test_group.yaml", n-len(secret.Names()), n)
	}
	return nil
}

// group2025 reads a group without its cases. Known are the groups that it may require.
func group2025(f *folder, dir string, how problem.ScoreMode, most *big.Rat, known []string) (*problem.Group, error) {
	file, err := readGroupFile(f, dir)
	if err != nil {
		return nil, err
	}
	g := &problem.Group{Name: strings.TrimPrefix(dir, "data/"), Verdict: problem.FirstError, Score: how, Max: most}
	switch file.How {
	case "":
	case "pass-fail", "sum", "min":
		g.Score = problem.ScoreMode(file.How)
	default:
		return nil, file.mistake(f, "score_aggregation", "score_aggregation: found %q, expected pass-fail, sum or min", file.How)
	}
	if file.Static != nil {
		return nil, file.mistake(f, "static_validation_score", "static validators are not supported: expected an output validator alone")
	}
	if file.Max == "unbounded" {
		g.Max = nil
	} else if file.Max != nil {
		if g.Max, err = problem.ParseNumber(fmt.Sprint(file.Max)); err != nil {
			return nil, file.mistake(f, "max_score", "max_score: %w", err)
		}
		if g.Max.Sign() < 0 || !g.Max.IsInt() {
			return nil, file.mistake(f, "max_score", "max_score: found %v, expected a whole number from 0, or unbounded", file.Max)
		}
	}
	if g.Score == problem.PassFail && g.Max == nil {
		return nil, file.mistake(f, "max_score", "max_score: found unbounded, which the default is, expected a number for a group that is pass-fail")
	}
	g.Break = g.Score != problem.Sum // what follows can't change a score of 0
	if file.Require != nil {
		if g.Require, err = listOf(file.Require); err != nil {
			return nil, file.mistake(f, "require_pass", "require_pass: %w", err)
		}
	}
	for _, name := range g.Require {
		if !slices.Contains(known, name) {
			return nil, file.mistake(f, "require_pass", "require_pass: found %q, expected sample or an earlier group that is pass-fail, such as secret/group1", name)
		}
	}
	return g, nil
}

// fill2025 adds the cases of a group.
func fill2025(f *folder, g *problem.Group, dir string) error {
	names := casesIn(f, dir, true)
	if len(names) == 0 {
		return f.Mistake(dir, 0, "found no cases in the group")
	}
	w := problem.Worth{Strict: true, Multiplier: true, Fixed: g.Score == problem.PassFail}
	if g.Max != nil && !w.Fixed {
		if w.Max = new(big.Rat).Set(g.Max); g.Score == problem.Sum {
			w.Max.Quo(w.Max, big.NewRat(int64(len(names)), 1))
		}
		w.Accept = w.Max
	}
	for _, name := range names {
		g.Items = append(g.Items, problem.Item{Case: name})
		setWorth(f, name, w)
	}
	return nil
}
