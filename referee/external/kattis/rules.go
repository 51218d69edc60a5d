package kattis

import (
	"maps"
	"math"
	"path"
	"slices"
	"strings"
)

// checkRules refuses what 2025-09 forbids, and other versions do not, of cases and groups. What
// that forbids of scores is refused where they are read.
func checkRules(f *folder, m *manifest) error {
	if f.problem.Version != spec2025 {
		return nil
	}
	m.checkResolution()
	for _, c := range f.problem.Cases {
		stem := "data/" + c.Name
		switch {
		case path.Base(stem) == "test_group":
			return f.Mistake(stem+".in", 0, "found a case that is called test_group, as the settings of its folder are: give it another name")
		case f.Dirs[stem]:
			return f.Mistake(stem+".in", 0, "found a folder of its name beside it: give the case or the folder another name")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		dir := path.Dir(name)
		if path.Base(name) != "test_group.yaml" || !strings.HasPrefix(name, "data/sample/") && !strings.HasPrefix(name, "data/secret/") || strings.Contains(name, ".files/") {
			continue
		}
		if dir != "data/sample" && dir != "data/secret" && path.Dir(dir) != "data/secret" {
			return f.Mistake(name, 0, "found a group in a folder of data/sample or of a folder of data/secret, expected none: groups are folders directly in data/secret")
		}
		if err := checkKeys(f, m, name); err != nil {
			return err
		}
	}
	return nil
}

// checkKeys refuses keys of a group by which a score comes about, where there is none.
func checkKeys(f *folder, m *manifest, name string) error {
	var all map[string]any
	if _, err := f.Decode(name, &all); err != nil {
		return err
	}
	for _, key := range []string{"max_score", "score_aggregation", "require_pass"} {
		switch {
		case all[key] == nil:
		case !m.scoring:
			return f.Mistake(name, f.lineIn(name, key), "%s: found it in a problem that is pass-fail, expected none, or type: scoring in %s", key, Marker)
		case path.Dir(name) == "data/sample":
			return f.Mistake(name, f.lineIn(name, key), "%s: found it of data/sample, which gives no score, expected none", key)
		}
	}
	return nil
}

// checkResolution warns of a time limit that is no multiple of its resolution: it is in force as
// it stands.
func (m *manifest) checkResolution() {
	l, unit := m.values.Limits, 1.0
	if l.Resolution != nil {
		unit = *l.Resolution
	}
	if l.Time == nil || !(unit > 0) {
		return
	}
	if n := *l.Time / unit; math.Abs(n-math.Round(n)) > 1e-6 {
		m.folder.problem.Warn("%s:%d: time_limit: found %v, expected a multiple of time_resolution, which is %v", Marker, m.document.Line("limits.time_limit"), *l.Time, unit)
	}
}
