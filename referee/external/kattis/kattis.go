// Package kattis reads problem packages in the format of Kattis and the ICPC: a folder
// becomes plain data. It runs nothing, and knows neither matches nor commands.
package kattis

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
	"umpire/referee/pattern"
)

// Load reads a package. An error is its author's to mend, or says what umpire does not
// judge, with file and line.
func Load(ctx context.Context, dir string) (*problem.Problem, error) {
	files, err := tree.Read(ctx, dir, ignores)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := &folder{files, problem.New(files.Path("."), interaction.Kattis)}
	f.problem.Argv, f.problem.SubmissionDir = []string{"{in}", "{ans}", "{feedback}/"}, "submissions"
	f.problem.Ignores = ignores
	m, err := readManifest(f)
	if err != nil {
		return nil, err
	}
	for _, read := range []func(*folder, *manifest) error{refuse, findLanguages, findIncluded, findJudge, findValidators, findCases, checkRules, findGroups, findSubmissions, findStatement, findStray} {
		if err := read(f, m); err != nil {
			return nil, err
		}
	}
	f.problem.Digest = f.Sum(func(name string) bool { // not statements and submissions
		top, _, _ := strings.Cut(name, "/")
		return slices.Contains([]string{"data", "output_validator", "output_validators", "include", Marker, ".timelimit", "domjudge-problem.ini"}, top)
	})
	return f.problem, nil
}

// validName matches the names of files and folders that the format does not ignore.
var validName = pattern.New(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`)

// ignores reports whether the format ignores a file or a folder by its name. It is not the format's
// that other tools keep the time limit in a hidden file.
func ignores(base string) bool { return base != ".timelimit" && !validName().MatchString(base) }

// refuse refuses what would be judged in part only.
func refuse(f *folder, _ *manifest) error {
	for _, r := range []struct{ name, why string }{
		{"graders", "graders are not supported: expected the default grader, with its flags in testdata.yaml"},
		{"static_validator", "static validators are not supported: expected an output validator alone"},
	} {
		if f.Dirs[r.name] {
			return f.Mistake(r.name, 0, "%s", r.why)
		}
	}
	return nil
}

// isBeside reports whether a file beside programs is none itself.
func isBeside(name string) bool {
	return slices.Contains([]string{".h", ".hpp", ".md", ".txt"}, path.Ext(name))
}

// findJudge finds the one output validator.
func findJudge(f *folder, m *manifest) error {
	var found []string
	if f.Dirs["output_validator"] {
		found = append(found, "output_validator")
	}
	programs := func(dir string) []string {
		return slices.DeleteFunc(f.In(dir), func(name string) bool { return !f.Dirs[name] && isBeside(name) })
	}
	found = append(found, programs("output_validators")...)
	if in := programs("output_validator"); len(in) == 1 && (f.Dirs[in[0]] || len(f.In("output_validator")) == 1) {
		found[0] = in[0]
	}
	if len(found) == 1 && path.Dir(found[0]) == "output_validators" && !f.Dirs[found[0]] && len(f.In("output_validators")) > 1 {
		found[0] = "output_validators" // with its headers
	}
	switch {
	case len(found) > 1:
		return f.Mistake(found[1], 0, "is a second output validator beside %s, expected one", found[0])
	case len(found) == 0 && m.kind != "":
		return f.Mistake(Marker, m.typeLine, "the problem is %s, and found no output validator: put it into output_validator/ or output_validators/", m.kind)
	case len(found) == 0 && m.custom:
		return m.wrong("validation", "found validation: custom, but no output validator in output_validators/")
	case len(found) == 0:
		return nil
	case len(found) == 1 && f.isLegacy() && !m.custom:
		f.problem.Warn("%s: not used, since validation is default", found[0])
		return nil
	}
	if err := refusePython2(f, found[0]); err != nil {
		return err
	}
	f.problem.Judge = found[0]
	return nil
}

// refusePython2 refuses programs that name Python 2.
func refusePython2(f *folder, name string) error {
	for _, file := range f.filesOf(name) {
		if path.Ext(file) == ".py2" {
			return f.Mistake(file, 0, "Python 2 is not supported: port it to Python 3")
		}
		if path.Ext(file) != ".py" {
			continue
		}
		text, err := f.Text(file)
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		if strings.HasPrefix(first, "#!") && strings.Contains(first, "python2") {
			return f.Mistake(file, 1, "Python 2 is not supported: port it to Python 3")
		}
	}
	return nil
}

// findCases finds the cases with their answers and flags.
func findCases(f *folder, m *manifest) error {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		stem, isInput := strings.CutSuffix(name, ".in")
		top, _, _ := strings.Cut(strings.TrimPrefix(name, "data/"), "/")
		if !isInput || !strings.HasPrefix(name, "data/") || top != "sample" && top != "secret" || strings.Contains(name, ".files/") {
			continue
		}
		if f.Files[stem+".ans"] == "" {
			return f.Mistake(name, 0, "found no %s.ans beside it, expected the judge's answer, which may be empty", path.Base(stem))
		}
		names = append(names, stem)
	}
	if len(names) == 0 {
		if f.Dirs["generators"] {
			return f.Mistake("data", 0, "found no cases in sample/ and secret/, but generators/: generate them first")
		}
		return f.Mistake("data", 0, "found no cases, expected data/sample/NAME.in or data/secret/NAME.in with NAME.ans")
	}
	slices.Sort(names)
	for _, stem := range names {
		c := problem.Case{
			Name: strings.TrimPrefix(stem, "data/"), Input: f.Path(stem + ".in"), Answer: f.Path(stem + ".ans"),
		}
		c.Case = interaction.Case{Name: c.Name, Input: f.Files[stem+".in"], Answer: f.Files[stem+".ans"]}
		if f.Dirs[stem+".files"] {
			c.Files = f.Path(stem + ".files")
		}
		if err := findGiven(f, m, &c, stem); err != nil {
			return err
		}
		if f.problem.Judge == "" {
			if _, err := f.problem.Comparison(c.Args); err != nil {
				return f.Mistake(stem+".in", 0, "flags of the default validator: %w", err)
			}
		}
		f.problem.Cases = append(f.problem.Cases, c)
	}
	return nil
}

// findValidators finds the programs that check inputs.
func findValidators(f *folder, _ *manifest) error {
	for _, dir := range []string{"input_validators", "input_format_validators"} {
		for _, name := range f.In(dir) {
			switch ext := path.Ext(name); {
			case slices.Contains([]string{".ctd", ".viva"}, ext):
				f.problem.Warn("%s: not run: umpire has no interpreter of %s files", name, ext)
			case isBeside(name):
			default:
				if err := refusePython2(f, name); err != nil {
					return err
				}
				f.problem.Validators = append(f.problem.Validators, name)
			}
		}
	}
	return nil
}

// findStatement makes the text that is printed of the problem.
func findStatement(f *folder, _ *manifest) error {
	var statement []byte
	for _, dir := range []string{"statement", "problem_statement"} { // the best first
		for _, name := range f.In(dir) {
			if base := path.Base(name); statement == nil && f.Files[name] != "" && (strings.HasPrefix(base, "problem.en.") || base == "problem.tex" || base == "problem.md") && path.Ext(name) != ".pdf" {
				var err error
				if statement, err = f.Text(name); err != nil {
					return err
				}
			}
		}
	}
	f.problem.Describe("a problem package of Kattis, format "+f.problem.Version, statement)
	return nil
}
