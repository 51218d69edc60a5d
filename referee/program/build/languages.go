package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"umpire/referee/pattern"
	"umpire/referee/yamlfile"
)

// Language is a row of the language table: how a source file becomes a program.
// README.md explains the fields and the words in braces.
type Language struct {
	Name     string   `yaml:"name"`
	Suffixes []string `yaml:"suffixes"`          // of source files, with the dot
	Compile  string   `yaml:"compile,omitempty"` // command line; "" where there is nothing to compile
	Check    string   `yaml:"check,omitempty"`   // command line that reports errors in the syntax; for rows without Compile
	Run      string   `yaml:"run"`               // command line
	Version  string   `yaml:"version,omitempty"` // command that prints what identifies the compiler or interpreter
	Real     string   `yaml:"real,omitempty"`    // command that prints the path of the interpreter behind a version manager's shim
	Main     string   `yaml:"main,omitempty"`    // regular expression that matches a file with a main
	Memory   int64    `yaml:"memory,omitempty"`  // MiB that the language's runtime takes for itself
	Hello    string   `yaml:"hello,omitempty"`   // source of a program that prints hello, by which the row is tested
}

// Languages is a language table. Of several rows for a suffix, the first whose
// tools are installed is used.
type Languages []Language

// UserFile returns the file with the user's own rows, if no other file is
// named; "" if the system does not say.
func UserFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "umpire", "languages.yaml")
}

// LoadLanguages returns the built-in table preceded by the rows of the user's
// file. A row with the name of a built-in one replaces it, and inherits the
// built-in's values for the fields it leaves out. With file "", UserFile is
// read if it exists.
func LoadLanguages(ctx context.Context, file string) (Languages, error) {
	table, err := builtinTable()
	if err != nil {
		return nil, err
	}
	named := file != ""
	if !named {
		file = UserFile()
	}
	text, err := ReadFile(ctx, file)
	if !named && (file == "" || errors.Is(err, os.ErrNotExist)) {
		return table, nil
	}
	switch {
	case err != nil && named:
		return nil, fmt.Errorf("--languages: %w", err)
	case err != nil:
		return nil, fmt.Errorf("read language table: %w", err)
	}
	return table.precededBy(file, text)
}

// builtinTable returns the rows of all systems, and before them those of this one. Those of
// all are languages.yaml as Go, since umpire needs them at most of its starts.
func builtinTable() (Languages, error) {
	table := slices.Clone(rows)
	if len(ofSystem) == 0 {
		return table, nil
	}
	return table.precededBy("the system's rows", ofSystem)
}

// precededBy returns a table in which the rows of a file come first, and replace those
// of their names.
func (t Languages) precededBy(file string, text []byte) (Languages, error) {
	own, err := parse(file, text, t)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(t, func(l Language) bool { return own.named(l.Name) != nil })
	return append(own, rest...), nil
}

// Differ names a language whose row differs in another table; "" if none does.
func (t Languages) Differ(other Languages) string {
	for _, pair := range [][2]Languages{{t, other}, {other, t}} {
		for _, l := range pair[0] {
			found := pair[1].named(l.Name)
			if found == nil || found.text() != l.text() {
				return l.Name
			}
		}
	}
	return ""
}

func (l *Language) text() string {
	return fmt.Sprintf("%q", []string{l.Compile, l.Check, l.Run, l.Version, l.Real, l.Main, fmt.Sprint(l.Memory), strings.Join(l.Suffixes, " ")})
}

// Text returns the table as a file that LoadLanguages reads as the same table.
func (t Languages) Text() ([]byte, error) {
	return yaml.Marshal(struct {
		Languages Languages `yaml:"languages"`
	}{t})
}

// named returns the row with the given name; nil if no row has it.
func (t Languages) named(name string) *Language {
	for i := range t {
		if t[i].Name == name {
			return &t[i]
		}
	}
	return nil
}

// of returns the rows for a file's suffix.
func (t Languages) of(path string) []Language {
	var rows []Language
	for _, l := range t {
		if slices.Contains(l.Suffixes, filepath.Ext(path)) {
			rows = append(rows, l)
		}
	}
	return rows
}

// Suffixes lists all suffixes, in the table's order.
func (t Languages) Suffixes() []string {
	var all []string
	for _, l := range t {
		for _, s := range l.Suffixes {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// parse reads a table. Base holds the rows that the file's rows may override in
// part.
func parse(name string, text []byte, base Languages) (Languages, error) {
	var file struct {
		Languages Languages `yaml:"languages"`
	}
	f, err := yamlfile.Parse(name, text)
	if err == nil {
		err = f.DecodeStrict(&file)
	}
	if err != nil {
		return nil, err
	}
	if len(file.Languages) == 0 {
		return nil, fmt.Errorf("%s:1: found no rows, expected a list under `languages:`", name)
	}
	seen := make(map[string]bool)
	for i := range file.Languages {
		l := &file.Languages[i]
		if old := base.named(l.Name); old != nil {
			l.inherit(*old)
		}
		err := l.check()
		if err == nil && seen[l.Name] {
			err = errors.New("occurs twice")
		}
		if err != nil {
			return nil, f.Mistake(f.Line(fmt.Sprintf("languages[%d]", i)), "language %q: %w", l.Name, err)
		}
		seen[l.Name] = true
	}
	return file.Languages, nil
}

// inherit fills the fields that are left out. Another interpreter may accept what
// the old one's check refuses.
func (l *Language) inherit(old Language) {
	if l.Run == "" && l.Compile == "" && l.Check == "" {
		l.Check = old.Check
	}
	for _, f := range []struct{ mine, old *string }{
		{&l.Compile, &old.Compile}, {&l.Run, &old.Run},
		{&l.Version, &old.Version}, {&l.Real, &old.Real}, {&l.Main, &old.Main},
	} {
		if *f.mine == "" {
			*f.mine = *f.old
		}
	}
	if len(l.Suffixes) == 0 {
		l.Suffixes = old.Suffixes
	}
	if l.Memory == 0 {
		l.Memory = old.Memory
	}
}

// Words in braces that the command lines may contain.
var (
	compileWords = []string{"{source}", "{sources}", "{out}", "{class}"}
	checkWords   = []string{"{source}"}
	runWords     = []string{"{source}", "{out}", "{class}", HeapMiB}
	braces       = pattern.New(`\{[a-z_]+\}`)
)

func (l *Language) check() (err error) {
	switch {
	case l.Name == "":
		return errors.New("name: found none")
	case len(l.Suffixes) == 0:
		return errors.New("suffixes: found none, expected a list such as [.c]")
	case l.Run == "":
		return errors.New("run: found none, expected a command line")
	case l.Memory < 0:
		return fmt.Errorf("memory: found %d, expected 0 or more MiB", l.Memory)
	}
	for _, s := range l.Suffixes {
		if len(s) < 2 || s[0] != '.' || strings.ContainsAny(s, "/ ") {
			return fmt.Errorf("suffixes: found %q, expected a suffix such as .c", s)
		}
	}
	for _, f := range []struct {
		name, line string
		allowed    []string
	}{{"compile", l.Compile, compileWords}, {"check", l.Check, checkWords}, {"run", l.Run, runWords}, {"version", l.Version, nil}, {"real", l.Real, nil}} {
		words, err := SplitWords(f.line)
		if err != nil && f.line != "" {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for _, w := range words {
			if strings.Contains(w, "{sources}") && w != "{sources}" {
				return fmt.Errorf("%s: found %s, expected {sources} as a word of its own", f.name, w)
			}
		}
		for _, word := range braces().FindAllString(f.line, -1) {
			if !slices.Contains(f.allowed, word) {
				return fmt.Errorf("%s: found %s, expected one of %s", f.name, word, strings.Join(f.allowed, " "))
			}
		}
	}
	switch {
	case l.Compile == "" && strings.Contains(l.Run, "{out}"):
		return errors.New("run: found {out} without a compile command that makes it")
	case l.Compile != "" && l.Check != "":
		return errors.New("check: found one beside a compile command, which checks the syntax itself")
	}
	if _, err = regexp.Compile(l.Main); err != nil {
		return fmt.Errorf("main: %w", err)
	}
	return nil
}

// key returns the part of the row that its programs depend on.
func (l *Language) key() string { return l.Name + "\n" + l.Compile + "\n" + l.Run }

// interpreter returns the program that runs the bot; "" where the bot itself is
// a program.
func (l *Language) interpreter() string {
	words, err := SplitWords(l.Run)
	if err != nil || strings.HasPrefix(words[0], "{") {
		return ""
	}
	return words[0]
}

// isCalledBy reports whether a command's word is the name of the row's interpreter:
// as the row has it, or as the file of a Windows program, python.exe, which Linux
// can start, too.
func (l *Language) isCalledBy(word string) bool {
	name := l.interpreter()
	return name != "" && (word == name || strings.EqualFold(word, name+".exe"))
}

// tools returns the programs that the row calls.
func (l *Language) tools() []string {
	var tools []string
	for _, line := range []string{l.Compile, l.Run} {
		if words, err := SplitWords(line); err == nil && !strings.HasPrefix(words[0], "{") {
			tools = append(tools, words[0])
		}
	}
	return tools
}
