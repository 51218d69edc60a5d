package tournament

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"umpire/referee/pattern"
	"umpire/referee/program"
	"umpire/referee/settings"
	"umpire/referee/yamlfile"
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

	// Lines of the file, FILE:LINE: of keys that are flags and the game, by name, and of
	// bots, by how errors begin that are about one.
	lines map[string]string
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
		if !utf8.ValidString(text) { // a path may hold any bytes
			return []byte("!!binary " + base64.StdEncoding.EncodeToString([]byte(text))), nil
		}
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
	file, err := yamlfile.Parse(name, text)
	if err != nil {
		return c, unquoted(text, err)
	}
	if err := file.DecodeStrict(&c); err != nil {
		return c, err
	}
	c.lines = make(map[string]string)
	for _, k := range keys { // such as a size without a unit
		key := strings.TrimPrefix(k.In+"."+k.Name, ".")
		if value, ok := file.Scalar(key); ok && (value != "" || k.Kind != settings.Choice) {
			if err := k.CheckValue(value); err != nil {
				return c, file.Mistake(file.Line(key), "%s: %w", key, err)
			}
			c.lines[k.Name] = fmt.Sprintf("%s:%d", name, file.Line(key))
		}
	}
	c.lines["game"] = fmt.Sprintf("%s:%d", name, file.Line("game"))
	for i, b := range c.Bots {
		line := file.Line(fmt.Sprintf("bots[%d]", i))
		c.lines[ofBot(b)] = fmt.Sprintf("%s:%d", name, line)
		switch {
		case b.Command == "":
			return c, file.Mistake(line, "bots[%d].command: found nothing, expected @NAME, a file or a command line", i)
		case strings.ContainsAny(b.Name, "@/=") || strings.TrimSpace(b.Name) != b.Name:
			return c, file.Mistake(line, "bots[%d].name: found %q, expected a name without @, / and =, nor spaces around it", i, b.Name)
		}
	}
	return c, nil
}

// ofBot returns how an error about an entrant begins.
func ofBot(e Entrant) string { return fmt.Sprintf("bot %q: ", e.In("").Label) }

// atWord matches a name that begins with @ and has no quotes.
var atWord = pattern.New(`(?:^|[^"'\w/-])(@[\w/-]+)`)

// unquoted says how to write the name that begins with @ and that an error is about, if
// it is about one.
func unquoted(text []byte, err error) error {
	wrong, ok := errors.AsType[*yamlfile.Error](err)
	if !ok || wrong.Line == 0 || !strings.HasPrefix(wrong.Err.Error(), "'@' is a reserved character") {
		return err
	}
	word := atWord().FindStringSubmatch(strings.Split(string(text), "\n")[wrong.Line-1])
	if word == nil {
		return err
	}
	return &yamlfile.Error{Name: wrong.Name, Line: wrong.Line, Err: fmt.Errorf("found %s, expected quotes around it: %q", word[1], word[1])}
}
