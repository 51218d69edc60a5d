package tree

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Stray returns warnings of files of the tree that do not count, with the reason: of the
// first in each folder, with the number of others. At returns the file, or the folder with
// it, that does not count; "" if it does.
func (t *Tree) Stray(why string, at func(name string) string) []string {
	return unused(slices.Sorted(maps.Keys(t.Files)), why, at)
}

// StrayNames is Stray of what was ignored.
func (t *Tree) StrayNames(why string, at func(name string) string) []string {
	return unused(t.Ignored, why, at)
}

func unused(names []string, why string, at func(name string) string) (warnings []string) {
	stray := make(map[string][]string)
	for _, name := range names {
		if s := at(name); s != "" {
			stray[path.Dir(s)] = append(stray[path.Dir(s)], s)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(stray)) {
		list := slices.Compact(stray[dir])
		more := ""
		if n := len(list); n > 1 {
			more = fmt.Sprintf(", and %d more there", n-1)
		}
		warnings = append(warnings, fmt.Sprintf("%s%s: not used: %s", list[0], more, why))
	}
	return warnings
}

// IsNote reports whether a path is that of a file for people or tools, which any package may
// have beside what counts.
func IsNote(name string) bool {
	base := strings.ToUpper(name)
	return !strings.Contains(name, "/") && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "README") || strings.HasPrefix(base, "LICENSE") || strings.HasSuffix(base, ".MD") || strings.HasSuffix(base, ".TXT"))
}
