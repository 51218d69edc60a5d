package kattis

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"umpire/referee/yamlfile"
)

// Versions of the format.
const (
	legacy     = "legacy"
	legacyICPC = "legacy-icpc"
	draft2023  = "2023-07"
	spec2025   = "2025-09"
)

// manifest holds what problem.yaml says, except for what is set in the problem.
type manifest struct {
	folder    *folder
	document  *yamlfile.File
	values    written
	custom    bool // legacy: an output validator of the package's own judges
	typeLine  int
	kind      string // interactive or multi-pass, which needs an output validator of the package's own; "": neither
	scoring   bool
	grading   grading
	unlimited bool // the package states no time limit
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
	Languages  any    `yaml:"languages"`
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

func (f *folder) isLegacy() bool {
	return f.problem.Version == legacy || f.problem.Version == legacyICPC
}

// wrong is a mistake in problem.yaml, at a key.
func (m *manifest) wrong(key, format string, args ...any) error {
	return m.folder.Mistake(Marker, m.document.Line(key), format, args...)
}

// readManifest reads problem.yaml.
func readManifest(f *folder) (*manifest, error) {
	m := &manifest{folder: f}
	var err error
	if m.document, err = f.Decode(Marker, &m.values); err != nil {
		return nil, err
	}
	if err := m.readVersion(); err != nil {
		return nil, err
	}
	m.warnUnknown()
	if err := m.readType(); err != nil {
		return nil, err
	}
	if m.values.Grading == "custom" {
		return nil, m.wrong("grading", "grading: custom is not supported: graders are the package's own programs; use the default grader's flags")
	}
	if err := m.readGrading(); err != nil {
		return nil, err
	}
	if m.values.Constants != nil {
		return nil, m.wrong("constants", "constants are not supported: write their values where {{they}} stand")
	}
	f.problem.Title = cmp.Or(titleOf(m.values.Name), f.problem.Name)
	return m, m.readLimits()
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
func (m *manifest) warnUnknown() {
	var all map[string]any
	if m.document.Decode(&all) != nil {
		return
	}
	limits, _ := all["limits"].(map[string]any)
	for where, have := range []map[string]any{all, limits} {
		for _, key := range slices.Sorted(maps.Keys(have)) {
			if full := []string{key, "limits." + key}[where]; !slices.Contains(knownKeys[where], key) {
				m.folder.problem.Warn("%s:%d: not used: no version of the format has the key %s", Marker, m.document.Line(full), full)
			}
		}
	}
}

func (m *manifest) readVersion() error {
	version := strings.TrimSuffix(cmp.Or(m.values.Format, legacy), "-draft")
	if !slices.Contains([]string{legacy, legacyICPC, draft2023, spec2025}, version) {
		return m.wrong("problem_format_version", "problem_format_version: found %q, expected legacy, legacy-icpc, 2023-07 or 2025-09", m.values.Format)
	}
	m.folder.problem.Version = version
	m.folder.problem.IEEE = m.folder.isLegacy()
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
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s, ok := v[k].(string); ok {
				return s
			}
		}
	}
	return ""
}

// readType reads what kind of problem it is.
func (m *manifest) readType() error {
	p := m.folder.problem
	key, words := "type", wordsOf(m.values.Type)
	if m.folder.isLegacy() {
		for _, word := range strings.Fields(cmp.Or(m.values.Validation, "default")) {
			switch word {
			case "default":
			case "custom":
				m.custom = true
			case "interactive", "multi-pass":
				key, words = "validation", append(words, word)
			case "score":
				key, words = "validation", append(words, "scoring")
			default:
				return m.wrong("validation", "validation: found %q, expected default, custom or custom interactive", word)
			}
		}
	}
	m.typeLine = m.document.Line(key)
	if written := wordsOf(m.values.Type); slices.Contains(written, "pass-fail") && slices.Contains(written, "scoring") {
		return m.wrong("type", "type: found pass-fail and scoring, expected one of them")
	}
	if list, isList := m.values.Type.([]any); !m.folder.isLegacy() && isList && len(list) == 0 {
		return m.wrong("type", "type: found none, expected some of pass-fail, scoring, interactive and multi-pass")
	}
	for i, word := range words {
		if !m.folder.isLegacy() && slices.Contains(words[:i], word) {
			return m.wrong("type", "type: found %s twice, expected it once", word)
		}
		switch word {
		case "pass-fail":
		case "interactive":
			p.Interactive, m.kind = true, word
		case "multi-pass":
			p.Passes, m.kind = 2, cmp.Or(m.kind, word)
		case "scoring":
			m.scoring = true
		case "submit-answer":
			return m.folder.Mistake(Marker, m.typeLine, "submit-answer problems are not supported: submissions must be programs")
		default:
			return m.folder.Mistake(Marker, m.typeLine, "type: found %q, expected pass-fail, scoring, interactive or multi-pass", word)
		}
	}
	if m.folder.isLegacy() && m.kind != "" && !m.custom {
		return m.folder.Mistake(Marker, m.typeLine, "a problem that is %s needs a validator of its own: validation: custom %s", m.kind, m.kind)
	}
	return nil
}

// readLimits reads limits, and sets those that are not there.
func (m *manifest) readLimits() error {
	p, l := m.folder.problem, m.values.Limits
	const mib = 1 << 20
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
		switch {
		case n.from == nil:
			*n.to = n.standard
		case !(*n.from > 0) || *n.from > 1e6:
			return m.wrong("limits."+n.key, "%s: found %v, expected a number above 0", n.key, *n.from)
		default:
			*n.to = *n.from
		}
	}
	if l.Passes != nil && p.Passes > 1 {
		if p.Passes = *l.Passes; p.Passes < 2 || p.Passes > 1000 {
			return m.wrong("limits.validation_passes", "validation_passes: found %d, expected 2 to 1000", p.Passes)
		}
	}
	if l.Passes != nil && p.Passes < 2 {
		p.Warn("%s:%d: validation_passes: not used: the problem is not multi-pass", Marker, m.document.Line("limits.validation_passes"))
	}
	p.Limits.Memory, p.Output, p.JudgeMemory, p.JudgeOutput = int64(memory*mib), int64(output*mib), int64(judgeMemory*mib), int64(judgeOutput*mib)
	p.JudgeTime = time.Duration(judgeTime * float64(time.Second))
	return m.readTime(seconds)
}

// readTime finds the time limit.
func (m *manifest) readTime(seconds float64) error {
	p := m.folder.problem
	p.LimitFrom = "limits.time_limit"
	for _, file := range []string{"domjudge-problem.ini", ".timelimit"} {
		if m.folder.Files[file] == "" {
			continue
		}
		text, err := m.folder.Text(file)
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
				return m.folder.Mistake(file, n+1, "found time limit %q, expected seconds, such as 2", value)
			}
			if seconds == 0 {
				seconds, p.LimitFrom = t, file
			}
		}
	}
	if m.unlimited = seconds == 0; m.unlimited {
		p.LimitFrom = "umpire's default, since the package neither says one nor has submissions by which to infer it"
	} else {
		p.Limits.Time = time.Duration(seconds * float64(time.Second))
	}
	return nil
}

// grading holds the settings of problem.yaml for all groups, in the older formats.
type grading struct {
	OnReject  string `yaml:"on_reject"`
	Accept    any    `yaml:"accept_score"`
	Reject    any    `yaml:"reject_score"`
	Objective string `yaml:"objective"`
	Custom    any    `yaml:"custom_scoring"`
}

// readGrading reads the key grading.
func (m *manifest) readGrading() error {
	var w struct {
		Grading grading `yaml:"grading"`
	}
	err := m.document.Decode(&w)
	switch m.grading = w.Grading; {
	case err != nil:
		return m.wrong("grading", "grading: expected a map such as {objective: max}")
	case m.grading.Custom == true:
		return m.wrong("grading", "custom_scoring is not supported: expected the default grader")
	case m.grading.Objective == "min" && m.scoring:
		m.folder.problem.Warn("%s: objective: min: umpire ranks submissions with more points first", Marker)
	}
	return nil
}
