package kattis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
)

// Versions of the format.
const (
	legacy     = "legacy"
	legacyICPC = "legacy-icpc"
	draft2023  = "2023-07"
	spec2025   = "2025-09"
)

// manifest is what problem.yaml says.
type manifest struct {
	tree     *ast.File
	custom   bool // legacy: an output validator of the package's own judges
	typeLine int
	flags0   []string // validator_flags
	scoring  bool
	grading  grading
	limits   limits
	// unlimited says that the package states no time limit, and timed lists the submissions
	// by which it is inferred.
	unlimited bool
	timed     []problem.Timed
}

// written is what is read of problem.yaml. All else describes the problem.
type written struct {
	Format     string `yaml:"problem_format_version"`
	Name       any    `yaml:"name"`
	Type       any    `yaml:"type"`
	Validation string `yaml:"validation"`
	Flags      string `yaml:"validator_flags"`
	Grading    any    `yaml:"grading"`
	Constants  any    `yaml:"constants"`
	Limits     limits `yaml:"limits"`
}

// limits are in seconds and MiB.
type limits struct {
	Time             *float64 `yaml:"time_limit"`
	Memory           *float64 `yaml:"memory"`
	Output           *float64 `yaml:"output"`
	ValidationTime   *float64 `yaml:"validation_time"`
	ValidationMemory *float64 `yaml:"validation_memory"`
	ValidationOutput *float64 `yaml:"validation_output"`
	Passes           *int     `yaml:"validation_passes"`

	Multiplier  *float64           `yaml:"time_multiplier"`
	Multipliers map[string]float64 `yaml:"time_multipliers"`
	Resolution  *float64           `yaml:"time_resolution"`
}

func (f *folder) legacy() bool { return f.Version == legacy || f.Version == legacyICPC }

// lineOf is the line of a key of problem.yaml.
func (f *folder) lineOf(key string) int {
	if p, err := yaml.PathString("$." + key); err == nil && f.tree != nil {
		if node, err := p.FilterFile(f.tree); err == nil && node.GetToken() != nil {
			return node.GetToken().Position.Line
		}
	}
	return 1
}

// readManifest reads problem.yaml.
func (f *folder) readManifest() error {
	text, err := f.Text(Marker)
	if err != nil {
		return err
	}
	var w written
	if f.tree, err = parser.ParseBytes(text, 0); err == nil {
		err = tree.DecodeYAML(text, &w)
	}
	if err != nil {
		return f.yamlMistake(Marker, err)
	}
	if err := f.readVersion(w); err != nil {
		return err
	}
	f.warnUnknown(text)
	if err := f.readType(w); err != nil {
		return err
	}
	if s, ok := w.Grading.(string); ok && s == "custom" {
		return f.Mistake(Marker, f.lineOf("grading"), "grading: custom is not supported: graders are the package's own programs; use the default grader's flags")
	}
	if err := f.readGrading(w.Grading); err != nil {
		return err
	}
	if w.Constants != nil {
		return f.Mistake(Marker, f.lineOf("constants"), "constants are not supported: write their values where {{they}} stand")
	}
	f.flags0 = strings.Fields(w.Flags)
	f.Title = cmp.Or(titleOf(w.Name), f.Name)
	return f.readLimits(w.Limits)
}

// knownKeys are the keys of problem.yaml and of its limits, in all versions of the format.
var knownKeys = [][]string{
	{
		"problem_format_version", "type", "name", "uuid", "version", "author", "credits", "source", "source_url", "license", "rights_owner", "embargo_until", "embargo-until",
		"limits", "validation", "validator_flags", "grading", "scoring", "keywords", "languages", "libraries", "constants", "allow_file_writing",
	},
	{
		"time_limit", "time_multipliers", "time_multiplier", "time_safety_margin", "time_resolution", "memory", "output", "code", "compilation_time", "compilation_memory",
		"validation_time", "validation_memory", "validation_output", "validation_passes",
	},
}

// warnUnknown warns of keys that no version of the format has.
func (f *folder) warnUnknown(text []byte) {
	var all map[string]any
	if tree.DecodeYAML(text, &all) != nil {
		return
	}
	limits, _ := all["limits"].(map[string]any)
	for where, have := range []map[string]any{all, limits} {
		for _, key := range slices.Sorted(keys(have)) {
			if full := []string{key, "limits." + key}[where]; !slices.Contains(knownKeys[where], key) {
				f.warn("%s:%d: not used: no version of the format has the key %s", Marker, f.lineOf(full), full)
			}
		}
	}
}

func (f *folder) readVersion(w written) error {
	version := strings.TrimSuffix(cmp.Or(w.Format, legacy), "-draft")
	if !slices.Contains([]string{legacy, legacyICPC, draft2023, spec2025}, version) {
		return f.Mistake(Marker, f.lineOf("problem_format_version"), "problem_format_version: found %q, expected legacy, legacy-icpc, 2023-07 or 2025-09", w.Format)
	}
	f.Version = version
	return nil
}

// titleOf returns the name that a manifest gives in one or several languages.
func titleOf(name any) string {
	switch v := name.(type) {
	case string:
		return v
	case map[string]any:
		if s, ok := v["en"].(string); ok {
			return s
		}
		for _, k := range slices.Sorted(keys(v)) {
			if s, ok := v[k].(string); ok {
				return s
			}
		}
	}
	return ""
}

// readType reads what kind of problem it is.
func (f *folder) readType(w written) error {
	key, words := "type", wordsOf(w.Type)
	if f.legacy() {
		for _, word := range strings.Fields(cmp.Or(w.Validation, "default")) {
			switch word {
			case "default":
			case "custom":
				f.custom = true
			case "interactive", "multi-pass":
				key, words = "validation", append(words, word)
			case "score":
				key, words = "validation", append(words, "scoring")
			default:
				return f.Mistake(Marker, f.lineOf("validation"), "validation: found %q, expected default, custom or custom interactive", word)
			}
		}
	}
	f.typeLine = f.lineOf(key)
	for _, word := range words {
		switch word {
		case "pass-fail":
		case "interactive":
			f.Interactive = true
		case "multi-pass":
			f.Passes = 2
		case "scoring":
			f.scoring = true
		case "submit-answer":
			return f.Mistake(Marker, f.typeLine, "submit-answer problems are not supported: submissions must be programs")
		default:
			return f.Mistake(Marker, f.typeLine, "type: found %q, expected pass-fail, scoring, interactive or multi-pass", word)
		}
	}
	if f.legacy() && f.Interactive && !f.custom {
		return f.Mistake(Marker, f.typeLine, "an interactive problem needs a validator of its own: validation: custom interactive")
	}
	return nil
}

// wordsOf are the words of a type: one, several, or a list.
func wordsOf(value any) (words []string) {
	switch v := value.(type) {
	case string:
		return strings.Fields(v)
	case []any:
		for _, one := range v {
			words = append(words, fmt.Sprint(one))
		}
	}
	return words
}

// readLimits reads limits, and sets those that are not there.
func (f *folder) readLimits(l limits) error {
	const mib = 1 << 20
	number := func(key string, from *float64, standard float64) (float64, error) {
		if from == nil {
			return standard, nil
		}
		if !(*from > 0) || *from > 1e6 {
			return 0, f.Mistake(Marker, f.lineOf("limits."+key), "%s: found %v, expected a number above 0", key, *from)
		}
		return *from, nil
	}
	var memory, output, judgeTime, judgeMemory, judgeOutput, seconds float64
	for _, n := range []struct {
		key      string
		from     *float64
		standard float64
		to       *float64
	}{
		{"memory", l.Memory, 2048, &memory}, {"output", l.Output, 8, &output}, {"validation_time", l.ValidationTime, 60, &judgeTime},
		{"validation_memory", l.ValidationMemory, 2048, &judgeMemory}, {"validation_output", l.ValidationOutput, 8, &judgeOutput}, {"time_limit", l.Time, 0, &seconds},
	} {
		var err error
		if *n.to, err = number(n.key, n.from, n.standard); err != nil {
			return err
		}
	}
	if l.Passes != nil && f.Passes > 1 {
		if f.Passes = *l.Passes; f.Passes < 2 || f.Passes > 1000 {
			return f.Mistake(Marker, f.lineOf("limits.validation_passes"), "validation_passes: found %d, expected 2 to 1000", f.Passes)
		}
	}
	f.Limits.Memory, f.Output, f.JudgeMemory, f.JudgeOutput = int64(memory*mib), int64(output*mib), int64(judgeMemory*mib), int64(judgeOutput*mib)
	f.limits = l
	f.JudgeTime, f.Limits.CPU = time.Duration(judgeTime*float64(time.Second)), true
	return f.readTime(seconds)
}

// defaultTime is the time limit where the package says none.
const defaultTime = 2 * time.Second

// readTime finds the time limit.
func (f *folder) readTime(seconds float64) error {
	f.LimitFrom = "limits.time_limit"
	for _, file := range []string{"domjudge-problem.ini", ".timelimit"} {
		if f.files[file] == "" {
			continue
		}
		text, err := f.Text(file)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(text), "\n") {
			key, value, isKey := strings.Cut(line, "=")
			if !isKey && file == ".timelimit" {
				key, value = "timelimit", line
			}
			if strings.TrimSpace(key) != "timelimit" || strings.TrimSpace(value) == "" {
				continue
			}
			value = strings.Trim(strings.TrimSpace(value), `'"`)
			t, err := strconv.ParseFloat(value, 64)
			if err != nil || !(t > 0) || math.IsInf(t, 0) {
				return f.Mistake(file, n+1, "found time limit %q, expected seconds, such as 2", value)
			}
			if seconds == 0 {
				seconds, f.LimitFrom = t, file
			}
		}
	}
	if f.Limits.Time = time.Duration(seconds * float64(time.Second)); seconds == 0 {
		f.unlimited = true
		f.Limits.Time, f.LimitFrom = defaultTime, "umpire's default, since the package neither says one nor has submissions by which to infer it"
	}
	return nil
}
