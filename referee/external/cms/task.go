package cms

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// describing are keys that change nothing of how a submission is judged on a case, and their
// beginnings where there are several.
var describing = []string{
	"score_mode", "score_precision", "token_", "public_testcases", "risultati", "max_", "min_", "infile", "outfile", "primary_language", "feedback_level",
	"version", "submission_format", "allowed_languages", "attachments", "syllabusLevel", "difficulty", "scorer",
}

// readTask reads task.yaml.
func (f *folder) readTask() (err error) {
	var all map[string]any
	if f.task, err = f.Decode(Marker, &f.values); err == nil {
		err = f.task.Decode(&all)
	}
	if err != nil {
		return err
	}
	f.warnUnknown(all)
	v := f.values
	f.name = cmp.Or(v.Name, v.OldName, f.Problem.Name)
	f.Title = cmp.Or(v.Title, v.OldTitle, f.name)
	switch {
	case strings.ContainsAny(f.name, "/\\ \t\n") || strings.HasPrefix(f.name, "."):
		return f.wrong("name", "name: found %q, expected a name that a file may have", f.name)
	case v.OutputOnly:
		return f.wrong("output_only", "output_only: tasks whose submissions are output are not supported: expected one of the type Communication")
	case v.TaskType != "" && v.TaskType != "Communication":
		return f.wrong("task_type", "task_type: found %q, expected Communication", v.TaskType)
	case v.ScoreType != "" && v.ScoreType != "Sum" && v.ScoreType != "GroupMin":
		return f.wrong("score_type", "score_type: found %q, expected Sum or GroupMin", v.ScoreType)
	}
	return nil
}

// warnUnknown warns of keys that the format does not have.
func (f *folder) warnUnknown(all map[string]any) {
	known := []string{
		"name", "nome_breve", "title", "nome", "time_limit", "timeout", "memory_limit", "memlimit", "n_input", "total_value", "output_only", "task_type", "score_type",
		"num_processes", "user_io", "compilation",
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(known, key) && !slices.ContainsFunc(describing, func(begin string) bool { return strings.HasPrefix(key, begin) }) {
			f.Warn("%s:%d: not used: the format has no key %s", Marker, f.task.Line(key), key)
		}
	}
}

// readLimits reads limits, and sets those that are not there.
func (f *folder) readLimits() error {
	v := f.values
	f.LimitFrom = "umpire's default, since the package says none"
	for _, limit := range []struct {
		key    string
		number *float64
		set    func(n float64)
	}{
		{"timeout", v.OldTime, f.setTime}, {"time_limit", v.Time, f.setTime},
		{"memlimit", v.OldMemory, f.setMemory}, {"memory_limit", v.Memory, f.setMemory},
	} {
		switch n := limit.number; {
		case n == nil:
		case !(*n > 0) || *n > 1e6:
			return f.wrong(limit.key, "%s: found %v, expected a number above 0", limit.key, *n)
		default:
			limit.set(*n)
		}
	}
	if f.Limits.Time < time.Millisecond {
		return f.wrong("time_limit", "time_limit: found %v, expected seconds, such as 1.5", f.Limits.Time)
	}
	return nil
}

func (f *folder) setTime(seconds float64) {
	f.Limits.Time, f.LimitFrom = time.Duration(seconds*float64(time.Second)), Marker
}

func (f *folder) setMemory(mib float64) { f.Limits.Memory = max(int64(mib*(1<<20)), 1<<20) }
