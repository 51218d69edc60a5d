package kattis

import (
	"maps"
	"path"
	"slices"
	"strings"

	"umpire/referee/external/tree"
)

// knownTop are the files and folders of a package, in all versions of the format and by
// DOMjudge. Others do not count.
var knownTop = []string{
	Marker, ".timelimit", "domjudge-problem.ini", "submissions.json", "problem.pdf", "problem.html", "data", "submissions", "include", "attachments", "generators",
	"input_validators", "input_format_validators", "answer_validators", "output_validator", "output_validators", "input_visualizer", "output_visualizer",
	"visualizer", "graders", "static_validator", "statement", "problem_statement", "solution", "bots",
}

// knownData are what lies directly in data/.
var knownData = []string{
	"sample", "secret", "testdata.yaml", "test_group.yaml", "invalid_input", "invalid_output", "valid_output", "invalid_inputs", "invalid_answers",
	"invalid_outputs", "valid_inputs", "valid_outputs", "bad",
}

// besides are endings of files that belong to a case, after its name.
var besides = []string{
	".in", ".ans", ".args", ".yaml", ".out", ".files", ".hint", ".desc", ".interaction", ".statement", ".download", ".md", ".png", ".jpg", ".jpeg", ".svg", ".pdf",
}

// strayAt is the file, or the folder with it, that does not count; "" if it does.
func strayAt(f *folder, name string) string {
	top, rest, _ := strings.Cut(name, "/")
	next, _, deep := strings.Cut(rest, "/")
	base := path.Base(name)
	switch {
	case !slices.Contains(knownTop, top):
		if tree.IsNote(name) {
			return ""
		}
		return top
	case top != "data" || strings.HasPrefix(base, "."):
		return ""
	case !slices.Contains(knownData, next):
		return path.Join(top, next)
	case !deep || next != "sample" && next != "secret" || strings.Contains(name, ".files/"):
		return ""
	}
	if base == "testdata.yaml" || base == "test_group.yaml" || next == "sample" && path.Ext(base) == ".interaction" {
		return ""
	}
	for _, ending := range besides {
		if stem, found := strings.CutSuffix(name, ending); found {
			for _, more := range []string{"", ".in", ".ans"} { // such as 1.in.statement
				if f.Files[strings.TrimSuffix(stem, more)+".in"] != "" {
					return ""
				}
			}
		}
	}
	return name
}

// groupKeys are the keys of testdata.yaml, test_group.yaml and of a case's own file, in all
// versions of the format.
var groupKeys = []string{
	"on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range", "range_is_score", "scoring", "max_score", "score_aggregation", "require_pass",
	"static_validation_score", "args", "output_validator_flags", "output_validator_args", "input_validator_flags", "input_validator_args",
	"input_visualizer_args", "output_visualizer_args", "full_feedback", "hint", "description", "name",
}

// warnGroupKeys warns of keys of groups and cases that no version of the format has.
func warnGroupKeys(f *folder) error {
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		if path.Ext(name) != ".yaml" || !strings.HasPrefix(name, "data/") || strings.Contains(name, ".files/") || strayAt(f, name) != "" {
			continue
		}
		var all map[string]any
		if _, err := f.Decode(name, &all); err != nil {
			continue // an error where it is read
		}
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !slices.Contains(groupKeys, key) {
				f.problem.Warn("%s:%d: not used: no version of the format has the key %s", name, f.lineIn(name, key), key)
			}
		}
	}
	return nil
}

// findStray warns of what does not count.
func findStray(f *folder, _ *manifest) error {
	f.problem.Warnings = append(f.problem.Warnings, f.Stray("no version of the format has such a file", func(name string) string { return strayAt(f, name) })...)
	f.problem.Warnings = append(f.problem.Warnings, f.StrayNames("the format ignores such a name, expected letters, digits, -, _ and ., but not - first", func(name string) string {
		if strings.HasPrefix(path.Base(name), ".") {
			return ""
		}
		return name
	})...)
	return warnGroupKeys(f)
}
