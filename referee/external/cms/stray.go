package cms

import (
	"slices"
	"strings"

	"umpire/referee/external/tree"
)

// knownTop lists the files and folders that lie directly in a task.
var knownTop = []string{Marker, "att", "bots", "check", "cor", "dataset.yaml", "gen", "input", "output", "result", "sol", "statement", "testo", "text", "valida"}

// findStray warns of files that do not count.
func (f *folder) findStray() error {
	f.Warnings = append(f.Warnings, f.Stray("the format has no such file", func(name string) string {
		top, rest, below := strings.Cut(name, "/")
		switch {
		case !slices.Contains(knownTop, top) && !tree.IsNote(name) && top != "Makefile":
			return top
		case top == "input" && below && !strings.HasPrefix(rest, "input") && !strings.HasPrefix(rest, "."):
			return name
		}
		return ""
	})...)
	return nil
}
