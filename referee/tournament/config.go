package tournament

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"umpire/referee/pattern"
	"umpire/referee/program"
	"umpire/referee/suggest"
)

// Config is a tournament's configuration file. Its keys are named like the
// corresponding flags; a missing key is like a missing flag. Paths are relative
// to Folder.
type Config struct {
	Game         string    `yaml:"game,omitempty"`
	Folder       string    `yaml:"folder,omitempty"` // base of relative paths; "" is the folder umpire is started in
	Bots         []Entrant `yaml:"bots,omitempty"`
	Format       Format    `yaml:"format,omitempty"`
	Case         string    `yaml:"case,omitempty"`
	Cases        string    `yaml:"cases,omitempty"`
	Group        string    `yaml:"group,omitempty"`
	N            *int      `yaml:"n,omitempty"`
	CasesPerPair *int      `yaml:"cases-per-pair,omitempty"`
	Seats        *int      `yaml:"seats,omitempty"`
	Rounds       *int      `yaml:"rounds,omitempty"`
	Challengers  *int      `yaml:"challengers,omitempty"`
	Tiebreaks    string    `yaml:"tiebreaks,omitempty"`
	SPRT         string    `yaml:"sprt,omitempty"`
	Until        string    `yaml:"until,omitempty"`
	Seed         *uint64   `yaml:"seed,omitempty"`
	Budgets      Budgets   `yaml:"budgets,omitempty"`
	Isolation    string    `yaml:"isolation,omitempty"`
	Pondering    string    `yaml:"pondering,omitempty"`
	Jobs         *int      `yaml:"jobs,omitempty"`
	Affinity     string    `yaml:"affinity,omitempty"`
	Gather       string    `yaml:"gather,omitempty"`
	Absent       string    `yaml:"absent,omitempty"`
	Idle         string    `yaml:"idle,omitempty"`
	Languages    string    `yaml:"languages,omitempty"`
	Output       string    `yaml:"output,omitempty"` // the run folder, as -o names it
}

// Entrant is a bot that takes part.
type Entrant struct {
	Name    string `yaml:"name,omitempty"`
	Command string `yaml:"command"` // @NAME, a file or a command line
}

// Budgets bounds what a contestant may use.
type Budgets struct {
	Time        string `yaml:"time,omitempty"`
	TimePerMove string `yaml:"time-per-move,omitempty"`
	Startup     string `yaml:"startup,omitempty"`
	Clock       string `yaml:"clock,omitempty"`
	Memory      string `yaml:"memory,omitempty"`
	Grace       string `yaml:"grace,omitempty"`
}

// UnmarshalYAML reads an entrant: a mapping, or a string that names the bot as
// the command line does.
func (e *Entrant) UnmarshalYAML(unmarshal func(any) error) error {
	var label string
	if unmarshal(&label) == nil {
		*e = Entrant{Command: label}
		return nil
	}
	type mapping Entrant // without this method
	return unmarshal((*mapping)(e))
}

// text is the configuration as ReadConfig reads it.
func (c Config) text() ([]byte, error) {
	return yaml.MarshalWithOptions(c, yaml.CustomMarshaler[string](func(text string) ([]byte, error) {
		if strings.ContainsFunc(text, unicode.IsControl) { // of which the plain form loses some
			return json.Marshal(text)
		}
		plain, err := yaml.Marshal(text)
		return bytes.TrimSuffix(plain, []byte("\n")), err
	}))
}

// In returns the entrant as named on the command line, with relative paths in a
// folder.
func (e Entrant) In(folder string) program.Entrant {
	if e.Name == "" {
		return program.ParseEntrant(folder, e.Command)
	}
	return program.NewEntrant(folder, e.Name, e.Command)
}

// EntrantOf returns an entrant of the command line.
func EntrantOf(e program.Entrant) Entrant { return Entrant{e.Name, e.What} }

// ReadConfig reads a configuration file. The error names the line and, of an
// unknown key, the nearest known one.
func ReadConfig(name string, text []byte) (Config, error) {
	var c Config
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return c, fmt.Errorf("%s:%s", name, cmp.Or(unquotedAt(text, err), oneLine(err)))
	}
	for _, doc := range file.Docs {
		if err := checkKeys(doc.Body, reflect.TypeFor[Config](), ""); err != nil {
			return c, fmt.Errorf("%s:%w", name, err)
		}
	}
	if len(file.Docs) > 1 {
		return c, fmt.Errorf("%s: found %d documents, expected one", name, len(file.Docs))
	}
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		return c, fmt.Errorf("%s:%s", name, oneLine(err))
	}
	for i, b := range c.Bots {
		switch {
		case b.Command == "":
			return c, fmt.Errorf("%s: bots[%d].command: found nothing, expected @NAME, a file or a command line", name, i)
		case strings.ContainsAny(b.Name, "@/=") || strings.TrimSpace(b.Name) != b.Name:
			return c, fmt.Errorf("%s: bots[%d].name: found %q, expected a name without @, / and =, nor spaces around it", name, i, b.Name)
		}
	}
	return c, nil
}

// atWord matches a name that begins with @ and has no quotes.
var atWord = pattern.New(`(?:^|[^"'\w/-])(@[\w/-]+)`)

// unquotedAt returns, as LINE: WHAT, how to write the name that begins with @ and that
// an error of the YAML library is about; "" for other errors.
func unquotedAt(text []byte, err error) string {
	number, what, _ := strings.Cut(oneLine(err), ": ")
	lines := strings.Split(string(text), "\n")
	n, atoi := strconv.Atoi(number)
	if atoi != nil || n < 1 || n > len(lines) || !strings.HasPrefix(what, "'@' is a reserved character") {
		return ""
	}
	word := atWord().FindStringSubmatch(lines[n-1])
	if word == nil {
		return ""
	}
	return fmt.Sprintf("%d: found %s, expected quotes around it: %q", n, word[1], word[1])
}

// oneLine formats an error of the YAML library as LINE: WHAT.
func oneLine(err error) string {
	text := yaml.FormatError(err, false, false)
	text, _, _ = strings.Cut(text, "\n")
	at, what, found := strings.Cut(text, "] ")
	line, _, _ := strings.Cut(strings.TrimPrefix(at, "["), ":")
	if !found {
		return " " + text
	}
	return line + ": " + what
}

// checkKeys returns an error for a key that the type does not have. The error
// begins with the line.
func checkKeys(n ast.Node, t reflect.Type, where string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		if t.Kind() != reflect.Slice {
			return nil // the decoder says so
		}
		for _, value := range n.Values {
			if err := checkKeys(value, t.Elem(), where); err != nil {
				return err
			}
		}
	case *ast.MappingNode:
		for _, value := range n.Values {
			if err := checkKey(value, t, where); err != nil {
				return err
			}
		}
	case *ast.MappingValueNode:
		return checkKey(n, t, where)
	}
	return nil
}

func checkKey(n *ast.MappingValueNode, t reflect.Type, where string) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	key := n.Key.GetToken().Value
	var known []string
	for i := range t.NumField() {
		field := t.Field(i)
		name := keyOf(field)
		if name == key {
			if err := checkUnit(n.Value, where, key); err != nil {
				return fmt.Errorf("%d: %s: %w", n.Value.GetToken().Position.Line, where+key, err)
			}
			return checkKeys(n.Value, field.Type, where+key+".")
		}
		known = append(known, where+name)
	}
	return fmt.Errorf("%d: unknown key %q%s", n.Key.GetToken().Position.Line, where+key,
		suggest.DidYouMean(where+key, known, "the keys are "+strings.Join(known, ", ")))
}

// checkUnit returns an error for a time or size that can't be read, such as a
// size without a unit.
func checkUnit(n ast.Node, where, key string) error {
	value, ok := n.(ast.ScalarNode)
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == key && k.In == strings.TrimSuffix(where, ".") })
	if !ok || i < 0 {
		return nil
	}
	return keys[i].CheckUnit(fmt.Sprint(value.GetValue()))
}
