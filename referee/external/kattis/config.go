package kattis

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"umpire/referee/external/problem"
)

// configuration is what the files NAME.yaml of a case, test_group.yaml and testdata.yaml of
// its folders say of what programs are given.
type configuration struct {
	Args        any `yaml:"args"`
	OutputFlags any `yaml:"output_validator_flags"`
	OutputArgs  any `yaml:"output_validator_args"`
	InputFlags  any `yaml:"input_validator_flags"`
	InputArgs   any `yaml:"input_validator_args"`
}

// configurations returns those that concern a case, the nearest first, with the names of
// their files.
func configurations(f *folder, stem string) (list []configuration, names []string, err error) {
	candidates := []string{stem + ".yaml"}
	for dir := path.Dir(stem); dir != "."; dir = path.Dir(dir) {
		candidates = append(candidates, path.Join(dir, "test_group.yaml"), path.Join(dir, "testdata.yaml"))
	}
	for _, name := range candidates {
		if f.Files[name] == "" {
			continue
		}
		var c configuration
		if _, err := f.Decode(name, &c); err != nil {
			return nil, nil, err
		}
		list, names = append(list, c), append(names, name)
	}
	return list, names, nil
}

// findGiven sets what programs are given on a case.
func findGiven(f *folder, m *manifest, c *problem.Case, stem string) error {
	list, names, err := configurations(f, stem)
	if err != nil {
		return err
	}
	nearest := func(of func(configuration) any) (value any, name string) {
		for i, one := range list {
			if v := of(one); v != nil {
				return v, names[i]
			}
		}
		return nil, ""
	}
	if v, name := nearest(func(c configuration) any { return c.Args }); v != nil {
		if c.Given, err = listOf(v); err != nil {
			return f.Mistake(name, f.lineIn(name, "args"), "args: %w", err)
		}
	}
	if name := stem + ".args"; f.Files[name] != "" {
		if f.problem.Version == spec2025 {
			f.problem.Warn("%s: not read: in 2025-09 arguments are the `args` of %s.yaml", name, path.Base(stem))
		} else if text, err := f.Text(name); err != nil {
			return err
		} else {
			c.Given = strings.Fields(string(text))
		}
	}
	v, name := nearest(func(c configuration) any { return cmp.Or(c.OutputArgs, c.OutputFlags) })
	if c.Args, err = outputArgs(f, m, v); err != nil {
		return f.Mistake(name, f.lineIn(name, "output_validator_"), "%w", err)
	}
	v, name = nearest(func(c configuration) any { return cmp.Or(c.InputArgs, c.InputFlags) })
	if c.ValidatorArgs, err = inputArgs(f, v); err != nil {
		return f.Mistake(name, f.lineIn(name, "input_validator_"), "%w", err)
	}
	if !f.isLegacy() {
		for _, validator := range f.problem.Validators {
			c.ValidatorArgs[validator] = append(c.ValidatorArgs[validator], c.Given...)
		}
	}
	return nil
}

// outputArgs are the arguments of the output validator on a case.
func outputArgs(f *folder, m *manifest, value any) (args []string, err error) {
	if one, ok := value.(map[string]any); ok {
		if name := fmt.Sprint(one["name"]); one["name"] != nil && f.problem.Judge != "" && !isCalled(f.problem.Judge, name) {
			return nil, fmt.Errorf("output_validator_flags: name: found %q, expected %s, the output validator", name, path.Base(f.problem.Judge))
		}
		value = one["flags"]
	}
	args = strings.Fields(m.values.Flags)
	if value == nil {
		return args, nil
	}
	more, err := listOf(value)
	return append(args, more...), err
}

// inputArgs are the arguments of the input validators on a case: alike for all, or by name.
func inputArgs(f *folder, value any) (map[string][]string, error) {
	args := make(map[string][]string)
	m, byName := value.(map[string]any)
	if _, flags := m["flags"]; byName && flags {
		m = map[string]any{fmt.Sprint(m["name"]): m["flags"]}
	}
	for _, validator := range f.problem.Validators {
		one := value
		if byName {
			one = nil
			for _, name := range slices.Sorted(maps.Keys(m)) {
				if isCalled(validator, name) {
					one = m[name]
				}
			}
		}
		if one == nil {
			continue
		}
		var err error
		if args[validator], err = listOf(one); err != nil {
			return nil, fmt.Errorf("arguments of input validators: %w", err)
		}
	}
	return args, nil
}

// isCalled reports whether a program of the package, by its path, has a name: that of its
// file, with or without suffix, or of its folder.
func isCalled(program, name string) bool {
	base := path.Base(program)
	return name == base || name == strings.TrimSuffix(base, path.Ext(base)) || name == path.Base(path.Dir(program))
}

// languages are the suffixes of the languages' files, by the names that the format has for
// languages.
var languages = map[string][]string{
	"bash": {".sh", ".bash"}, "c": {".c"}, "cpp": {".cc", ".cpp", ".cxx", ".c++", ".C"}, "csharp": {".cs"}, "go": {".go"}, "haskell": {".hs"}, "java": {".java"},
	"javascript": {".js", ".mjs", ".cjs"}, "kotlin": {".kt"}, "lua": {".lua"}, "ocaml": {".ml"}, "pascal": {".pas", ".pp", ".dpr"}, "perl": {".pl"}, "php": {".php"},
	"python": {".py", ".py3"}, "python3": {".py", ".py3"}, "ruby": {".rb"}, "rust": {".rs"}, "typescript": {".ts", ".mts"}, "default": {""},
}

// alike are the names of languages of which only libraries or versions differ from those of others.
var alike = map[string]string{"cgmp": "c", "cppgmp": "cpp", "javaalgs4": "java", "python3numpy": "python3"}

// otherLanguages are the names that the format has for languages that umpire does not run.
var otherLanguages = strings.Fields("ada algol68 apl cobol crystal d dart elixir erlang forth fortran fsharp gerbil julia lisp modula2 nim objectivec octave odin " +
	"prolog python2 racket scala simula smalltalk snobol swift visualbasic zig")

// findLanguages finds the languages that submissions may be in.
func findLanguages(f *folder, m *manifest) error {
	names := wordsOf(m.values.Languages)
	if f.isLegacy() || slices.Equal(names, []string{"all"}) || m.values.Languages == nil {
		return nil
	}
	f.problem.Suffixes = []string{}
	for _, name := range names {
		suffixes, known := languages[cmp.Or(alike[name], name)]
		if name == "default" || !known && !slices.Contains(otherLanguages, name) {
			return m.wrong("languages", "languages: found %q, expected all, or names such as cpp, java and python3", name)
		}
		f.problem.Suffixes = append(f.problem.Suffixes, suffixes...)
	}
	if len(names) == 0 {
		return m.wrong("languages", "languages: found none, expected all, or names such as cpp, java and python3")
	}
	return nil
}

// findIncluded finds the files that are put beside every submission.
func findIncluded(f *folder, _ *manifest) error {
	f.problem.Include = make(map[string][]problem.Included)
	for _, dir := range f.In("include") {
		suffixes, known := languages[path.Base(dir)]
		switch {
		case !f.Dirs[dir]:
			f.problem.Warn("%s: not used: files for submissions are in folders of include/, such as include/cpp", dir)
			continue
		case !known:
			f.problem.Warn("%s: not used: %q is no language that umpire runs", dir, path.Base(dir))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(f.Files)) {
			beside, inside := strings.CutPrefix(name, dir+"/")
			for _, suffix := range suffixes {
				if inside {
					f.problem.Include[suffix] = append(f.problem.Include[suffix], problem.Included{Name: beside, File: name})
				}
			}
		}
	}
	return nil
}
