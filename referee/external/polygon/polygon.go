// Package polygon reads full packages of Polygon: a folder becomes plain data. It runs
// nothing, and knows neither matches nor commands.
package polygon

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
	"umpire/referee/pattern"
)

// Load reads a package. An error is its author's to mend, or says what umpire does not
// judge, with file and line.
func Load(ctx context.Context, dir string) (*problem.Problem, error) {
	files, err := tree.Read(ctx, dir, nil)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := &folder{Tree: files, Problem: problem.New(files.Path("."), interaction.Polygon), groups: make(map[string][]string), tests: make(map[string]bool)}
	f.Argv, f.SubmissionDir, f.EachCase = []string{"{in}", "{out}", "{ans}"}, "solutions", true
	text, err := f.Text(Marker)
	if err != nil {
		return nil, err
	}
	root, line, err := parse(text)
	if err != nil {
		return nil, f.wrong(line, "%w", err)
	}
	f.root = root
	for _, read := range []func() error{f.readHead, f.refuse, f.findTestset, f.findJudges, f.findCases, f.findGroups, f.findValidators, f.findSolutions, f.findStatement, f.findStray} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	f.Digest = f.Sum(func(name string) bool { // not statements and solutions
		top, _, _ := strings.Cut(name, "/")
		return top == "files" || name == Marker || f.tests[name]
	})
	return f.Problem, nil
}

// known are the elements of the document.
var known = []string{"names", "statements", "tutorials", "judging", "files", "assets", "properties", "stresses", "documents", "tags", "materials"}

// readHead reads the name.
func (f *folder) readHead() error {
	f.Title = f.Name
	names := f.root.child("names").list("name")
	for i, n := range names {
		if value := n.attributes["value"]; value != "" && (i == 0 || n.attributes["language"] == "english") {
			f.Title = value
		}
	}
	for _, e := range f.root.children {
		if !slices.Contains(known, e.name) {
			f.Warn("%s:%d: element <%s> is not known, and does not count", Marker, e.line, e.name)
		}
	}
	return nil
}

// refuse refuses what would be judged in part only.
func (f *folder) refuse() error {
	judging := f.root.child("judging")
	if judging == nil {
		return f.wrong(f.root.line, "found no element <judging>, expected one with a <testset>")
	}
	if n := judging.attributes["run-count"]; n != "" && n != "1" {
		return f.wrong(judging.line, "run-count: found %s, expected 1: solutions that are run several times on a test are not supported", n)
	}
	for _, key := range []string{"input-file", "output-file"} {
		if name := judging.attributes[key]; name != "" && name != "stdin" && name != "stdout" {
			return f.wrong(judging.line, "%s: found %q, expected none: solutions must use standard input and output; change it in Polygon", key, name)
		}
	}
	assets := f.root.child("assets")
	if assets == nil {
		return f.wrong(f.root.line, "found no element <assets>, expected one with a <checker> or an <interactor>")
	}
	if scorer := assets.child("scorer"); scorer != nil {
		return f.wrong(scorer.line, "scorers are not supported: expected points of tests and groups")
	}
	if runs := assets.child("interactor", "runs").list("run"); len(runs) > 1 {
		return f.wrong(runs[1].line, "a second run of the interactor is not supported: expected run-count 1")
	}
	for _, file := range f.root.child("files", "resources").list("file") {
		for _, asset := range file.child("assets").list("asset") {
			if asset.attributes["name"] == "SOLUTION" {
				return f.wrong(file.line, "%s is compiled with solutions, which is not supported: solutions must be whole programs", file.attributes["path"])
			}
		}
	}
	return nil
}

// findTestset finds the tests, and their limits.
func (f *folder) findTestset() error {
	sets := f.root.child("judging").list("testset")
	for _, set := range sets {
		if name := set.attributes["name"]; f.testset == nil || name == "tests" {
			f.testset = set
		}
	}
	if f.testset == nil {
		return f.wrong(f.root.at("judging"), "found no element <testset>")
	}
	for _, set := range sets {
		if set != f.testset {
			f.Warn("%s:%d: testset %q is not judged: the problem has one called %q", Marker, set.line, set.attributes["name"], f.testset.attributes["name"])
		}
	}
	for _, limit := range []struct {
		key  string
		most int64
		set  func(n int64)
	}{
		{"time-limit", 1e9, func(n int64) { f.Limits.Time = time.Duration(n) * time.Millisecond }},
		{"memory-limit", 1 << 40, func(n int64) { f.Limits.Memory = n }},
	} {
		n, err := strconv.ParseInt(f.testset.value(limit.key), 10, 64)
		if err != nil || n < 1 || n > limit.most {
			return f.wrong(f.testset.at(limit.key), "%s: found %q, expected a number from 1 to %d", limit.key, f.testset.value(limit.key), limit.most)
		}
		limit.set(n)
	}
	f.LimitFrom = Marker
	return nil
}

// findJudges finds the interactor and the checker.
func (f *folder) findJudges() (err error) {
	assets := f.root.child("assets")
	if f.Judge, err = f.source(assets.child("checker"), "checker"); err != nil {
		return err
	}
	interactor, err := f.source(assets.child("interactor"), "interactor")
	switch {
	case err != nil:
		return err
	case interactor != "":
		f.Interactive, f.Checker, f.Judge = true, f.Judge, interactor
	case f.Judge == "":
		return f.wrong(assets.line, "found no <checker> and no <interactor>, expected a program that judges")
	}
	return nil
}

var includesTestlib = pattern.New(`(?m)^\s*#\s*include\s*["<]testlib\.h[">]`)

// source returns the source file of a program of the package; "" where e is nil.
func (f *folder) source(e *element, what string) (string, error) {
	if e == nil {
		return "", nil
	}
	source := e.child("source")
	if source == nil {
		return "", f.wrong(e.line, "the %s has no <source>", what)
	}
	name := path.Clean(source.attributes["path"])
	if f.Files[name] == "" {
		return "", f.wrong(source.line, "found no file %q, the source of the %s: is this a full package?", source.attributes["path"], what)
	}
	if language := source.attributes["type"]; strings.HasPrefix(language, "python.2") || strings.HasPrefix(language, "python.pypy2") {
		return "", f.wrong(source.line, "the %s is in Python 2, which is not supported: port it to Python 3", what)
	}
	text, err := f.Text(name)
	if err != nil {
		return "", err
	}
	if header := path.Join(path.Dir(name), "testlib.h"); includesTestlib().Match(text) && f.Files[header] == "" {
		return "", f.Mistake(name, 0, "includes testlib.h, and found no %s: put it there, from github.com/MikeMirzayanov/testlib", header)
	}
	return name, nil
}

var pathPattern = pattern.New(`^[^%\s]*%(0?[1-9])?d[^%\s]*$`)

// findCases finds the tests with their answers.
func (f *folder) findCases() error {
	patterns := make(map[string]string)
	for _, key := range []string{"input-path-pattern", "answer-path-pattern"} {
		patterns[key] = f.testset.value(key)
		if !pathPattern().MatchString(patterns[key]) {
			return f.wrong(f.testset.at(key), "%s: found %q, expected one such as tests/%%02d", key, patterns[key])
		}
	}
	tests := f.testset.child("tests").list("test")
	if n := f.testset.value("test-count"); n != "" && n != strconv.Itoa(len(tests)) {
		return f.wrong(f.testset.at("test-count"), "test-count: found %s, and %d elements <test>, expected as many", n, len(tests))
	}
	if len(tests) == 0 {
		return f.wrong(f.testset.line, "found no tests, expected elements <test> below <tests>")
	}
	for i, test := range tests {
		input, answer := path.Clean(fmt.Sprintf(patterns["input-path-pattern"], i+1)), path.Clean(fmt.Sprintf(patterns["answer-path-pattern"], i+1))
		for _, name := range []string{input, answer} {
			if f.Files[name] == "" {
				return f.wrong(test.line, "found no %s of test %d of %d: download the full package, or run its doall.sh, which makes tests and answers", name, i+1, len(tests))
			}
			f.tests[name] = true
		}
		name := input
		if path.Dir(name) == "." {
			name = "tests/" + name
		}
		c := problem.Case{
			Name: name, Input: f.Path(input), Answer: f.Path(answer),
			Case: interaction.Case{Name: name, Input: f.Files[input], Answer: f.Files[answer]},
		}
		if group := test.attributes["group"]; group != "" {
			f.groups[group] = append(f.groups[group], name)
		}
		f.Cases = append(f.Cases, c)
	}
	return nil
}

// findValidators finds the programs that check inputs.
func (f *folder) findValidators() error {
	for _, e := range f.root.child("assets", "validators").list("validator") {
		name, err := f.source(e, "validator")
		if err != nil {
			return err
		}
		f.Validators = append(f.Validators, name)
	}
	for i, test := range f.testset.child("tests").list("test") {
		if group := test.attributes["group"]; group != "" {
			f.Cases[i].ValidatorArgs = make(map[string][]string)
			for _, name := range f.Validators {
				f.Cases[i].ValidatorArgs[name] = []string{"--testset", f.testset.attributes["name"], "--group", group}
			}
		}
	}
	return nil
}

// findStatement makes the text that is printed of the problem.
func (f *folder) findStatement() error {
	var statement []byte
	best := ""
	for _, e := range f.root.child("statements").list("statement") {
		name := path.Clean(e.attributes["path"])
		if e.attributes["type"] == "application/x-tex" && f.Files[name] != "" && (best == "" || e.attributes["language"] == "english") {
			best = name
		}
	}
	if best != "" {
		var err error
		if statement, err = f.Text(best); err != nil {
			return err
		}
	}
	f.Describe("a problem package of Polygon", statement)
	return nil
}
