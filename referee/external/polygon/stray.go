package polygon

import (
	"path"
	"slices"
	"strings"

	"umpire/referee/external/tree"
)

// knownTop are what lies directly in a full package, beside scripts and programs.
var knownTop = []string{
	Marker, "problem.properties", "tags", "files", "tests", "solutions", "statements", "statement-sections", "tutorials", "tutorial", "scripts", "documents",
	"materials", "resources", "stresses", "attachments", "bots",
}

// besides are the suffixes of files that Polygon itself puts beside those that problem.xml
// names.
var besides = []string{".desc", ".exe", ".bat", ".sh", ".class", ".h"}

// findStray warns of files that do not count.
func (f *folder) findStray() error {
	named := make(map[string]bool)
	f.root.addPaths(named)
	folders := make(map[string]bool) // of tests
	for name := range f.tests {
		folders[path.Dir(name)] = true
	}
	severalSets := len(f.root.child("judging").list("testset")) > 1
	f.Warnings = append(f.Warnings, f.Stray(Marker+" names no such file", func(name string) string {
		top, _, below := strings.Cut(name, "/")
		switch {
		case named[name] || f.tests[name] || slices.Contains(besides, path.Ext(name)) || tree.IsNote(name):
			return ""
		case folders[path.Dir(name)] && !severalSets || top == f.SubmissionDir && below:
			return name
		case !slices.Contains(knownTop, top) && !folders[path.Dir(name)] && !strings.HasPrefix(name, "check."):
			return top
		}
		return ""
	})...)
	return nil
}
