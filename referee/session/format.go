package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/external"
	"umpire/referee/external/cms"
	"umpire/referee/external/kattis"
	"umpire/referee/external/polygon"
	"umpire/referee/external/problem"
)

// format is a format of folders that are games.
type format struct {
	name   string // as --format names it
	title  string // of who has made it
	marker string // pattern of files, of which one must be in the folder
	// load reads a problem package; nil: the folder is none.
	load func(ctx context.Context, dir string) (*problem.Problem, error)
}

// formats are tried in this order.
var formats = []format{
	{"umpire", "umpire's own", external.ManifestFile, nil},
	{"kattis", "Kattis and the ICPC", kattis.Marker, kattis.Load},
	{"polygon", "Polygon", polygon.Marker, polygon.Load},
	{"cms", "CMS", cms.Marker, cms.Load},
}

// unjudged are formats that umpire does not judge.
var unjudged = []format{
	{"dmoj", "DMOJ", "init.yml", nil},
}

// FormatNames are the names that Reading.Format may have.
func FormatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// CheckFormat returns an error unless Reading.Format may have a value.
func CheckFormat(name string) error {
	if known := FormatNames(); name != "" && !slices.Contains(known, name) {
		return mistakef("--format: found %q, expected %s", name, strings.Join(known, ", "))
	}
	return nil
}

// marked reports whether a folder has the format's marker.
func (f format) marked(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(globQuoted(dir), f.marker))
	return len(found) > 0
}

// globQuoted returns a pattern that a path alone matches.
func globQuoted(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// String names the format with its marker.
func (f format) String() string { return fmt.Sprintf("%s (%s)", f.marker, f.title) }

// formatOf returns the format of a folder, which is shown to the user by another path: the
// format of a name or, if that is "", the first whose marker is there.
func formatOf(dir, shown, name string) (format, error) {
	if err := CheckFormat(name); err != nil {
		return format{}, err
	}
	var looked []string
	for _, f := range formats {
		if name != "" && name != f.name {
			continue
		}
		if f.marked(dir) {
			return f, nil
		}
		looked = append(looked, f.String())
	}
	for _, f := range unjudged {
		if name == "" && f.marked(dir) {
			return format{}, mistakef("%s: packages of %s are not judged, expected %s", filepath.Join(shown, f.marker), f.title, strings.Join(looked, ", "))
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return format{}, mistakef("found no folder %s", shown)
	}
	return format{}, mistakef("%s: found no %s", shown, strings.Join(looked, ", and no "))
}
