// Package kattis reads problem packages in the format of Kattis and the ICPC: a folder
// becomes plain data. It runs nothing, and knows neither matches nor commands.
package kattis

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
)

// Marker is the file that makes a folder a package.
const Marker = "problem.yaml"

// folder is a package that is being read.
type folder struct {
	*tree.Tree
	files map[string]string // Tree.Files
	dirs  map[string]bool   // Tree.Dirs
	*problem.Problem
	manifest
}

// lineIn is the first line of a file that begins with a key; 0 if there is none.
func (f *folder) lineIn(name, key string) int {
	text, _ := f.Text(name)
	for n, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " -\"'"), key) {
			return n + 1
		}
	}
	return 0
}

// yamlMistake is an error of the YAML reader, with its line.
func (f *folder) yamlMistake(name string, err error) error {
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok {
		return f.Mistake(name, wrong.Token.Position.Line, "found %q, expected %s", wrong.Token.Value, kindOf(wrong.DstType))
	}
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		return f.Mistake(name, at.GetToken().Position.Line, "%s", at.GetMessage())
	}
	return f.Mistake(name, 0, "%w", err)
}

// kindOf names the kind of value that a type is read from.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64, reflect.Int:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "a map of keys and values"
}

// Load reads a package. An error is its author's to mend, or says what umpire does not
// judge, with file and line.
func Load(ctx context.Context, dir string) (*problem.Problem, error) {
	files, err := tree.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := &folder{Tree: files, files: files.Files, dirs: files.Dirs, Problem: problem.New(files.Path("."), interaction.Kattis)}
	f.Argv, f.SubmissionDir = []string{"{in}", "{ans}", "{feedback}/"}, "submissions"
	for _, read := range []func() error{f.readManifest, f.refuse, f.findIncluded, f.findJudge, f.findValidators, f.findCases, f.findGroups, f.findSubmissions, f.findTiming, f.findStatement, f.findStray} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	f.Digest = f.Sum(func(name string) bool { // not statements and submissions
		top, _, _ := strings.Cut(name, "/")
		return slices.Contains([]string{"data", "output_validator", "output_validators", "include", Marker, ".timelimit", "domjudge-problem.ini"}, top)
	})
	return f.Problem, nil
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// refuse refuses what would be judged in part only.
func (f *folder) refuse() error {
	for _, r := range []struct{ name, why string }{
		{"graders", "graders are not supported: expected the default grader, with its flags in testdata.yaml"},
		{"static_validator", "static validators are not supported: expected an output validator alone"},
	} {
		if f.dirs[r.name] {
			return f.Mistake(r.name, 0, "%s", r.why)
		}
	}
	return nil
}

// findJudge finds the one output validator.
func (f *folder) findJudge() error {
	var found []string
	if f.dirs["output_validator"] {
		found = append(found, "output_validator")
	}
	for _, name := range f.In("output_validators") {
		if ext := path.Ext(name); f.dirs[name] || !slices.Contains([]string{".h", ".hpp", ".md", ".txt"}, ext) {
			found = append(found, name)
		}
	}
	if n := len(f.In("output_validator")); n == 1 && !f.dirs[f.In("output_validator")[0]] {
		found[0] = f.In("output_validator")[0]
	}
	if len(found) == 1 && path.Dir(found[0]) == "output_validators" && !f.dirs[found[0]] && len(f.In("output_validators")) > 1 {
		found[0] = "output_validators" // with its headers
	}
	switch {
	case len(found) > 1:
		return f.Mistake(found[1], 0, "is a second output validator beside %s, expected one", found[0])
	case len(found) == 0 && f.Interactive:
		return f.Mistake(Marker, f.typeLine, "the problem is interactive, and found no output validator: put it into output_validator/ or output_validators/")
	case len(found) == 0 && f.custom:
		return f.Mistake(Marker, f.lineOf("validation"), "found validation: custom, but no output validator in output_validators/")
	case len(found) == 0:
		return nil
	case len(found) == 1 && f.legacy() && !f.custom:
		f.warn("%s: not used, since validation is default", found[0])
		return nil
	}
	if err := f.refusePython2(found[0]); err != nil {
		return err
	}
	f.Judge = found[0]
	return nil
}

// refusePython2 refuses programs that name Python 2.
func (f *folder) refusePython2(name string) error {
	list := []string{name}
	if f.dirs[name] {
		list = f.In(name)
	}
	for _, file := range list {
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

func (f *folder) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// findCases finds the cases with their answers and flags.
func (f *folder) findCases() error {
	var names []string
	for name := range f.files {
		stem, isInput := strings.CutSuffix(name, ".in")
		top, _, _ := strings.Cut(strings.TrimPrefix(name, "data/"), "/")
		if !isInput || !strings.HasPrefix(name, "data/") || top != "sample" && top != "secret" || strings.Contains(name, ".files/") {
			continue
		}
		if f.files[stem+".ans"] == "" {
			return f.Mistake(name, 0, "found no %s.ans beside it, expected the judge's answer, which may be empty", path.Base(stem))
		}
		if strings.ContainsAny(stem, " \t\n") {
			return f.Mistake(name, 0, "found a space in the name of a case, expected letters, digits, -, _ and .")
		}
		names = append(names, stem)
	}
	if len(names) == 0 {
		if f.dirs["generators"] {
			return f.Mistake("data", 0, "found no cases in sample/ and secret/, but generators/: generate them first")
		}
		return f.Mistake("data", 0, "found no cases, expected data/sample/NAME.in or data/secret/NAME.in with NAME.ans")
	}
	slices.Sort(names)
	for _, stem := range names {
		c := problem.Case{
			Name: strings.TrimPrefix(stem, "data/"), Input: filepath.Join(f.Dir, filepath.FromSlash(stem)+".in"), Answer: filepath.Join(f.Dir, filepath.FromSlash(stem)+".ans"),
		}
		c.Case = interaction.Case{Name: c.Name, Input: f.files[stem+".in"], Answer: f.files[stem+".ans"]}
		if f.dirs[stem+".files"] {
			c.Files = filepath.Join(f.Dir, filepath.FromSlash(stem)+".files")
		}
		if err := findGiven(f, &c, stem); err != nil {
			return err
		}
		if f.Judge == "" {
			if _, err := problem.ParseComparison(c.Args); err != nil {
				return f.Mistake(stem+".in", 0, "flags of the default validator: %w", err)
			}
		}
		f.Cases = append(f.Cases, c)
	}
	return nil
}

// findValidators finds the programs that check inputs.
func (f *folder) findValidators() error {
	for _, dir := range []string{"input_validators", "input_format_validators"} {
		for _, name := range f.In(dir) {
			switch ext := path.Ext(name); {
			case slices.Contains([]string{".ctd", ".viva"}, ext):
				f.warn("%s: not run: umpire has no interpreter of %s files", name, ext)
			case slices.Contains([]string{".h", ".hpp", ".md", ".txt"}, ext):
			default:
				if err := f.refusePython2(name); err != nil {
					return err
				}
				f.Validators = append(f.Validators, name)
			}
		}
	}
	return nil
}

// statements are where a package may have its statement, the best first.
var statements = []string{"statement", "problem_statement"}

// findStatement makes the text that is printed of the problem.
func (f *folder) findStatement() error {
	var statement []byte
	for _, dir := range statements {
		for _, name := range f.In(dir) {
			if base := path.Base(name); statement == nil && f.files[name] != "" && (strings.HasPrefix(base, "problem.en.") || base == "problem.tex" || base == "problem.md") && path.Ext(name) != ".pdf" {
				var err error
				if statement, err = f.Text(name); err != nil {
					return err
				}
			}
		}
	}
	f.Describe("a problem package of Kattis, format "+f.Version, statement)
	return nil
}
