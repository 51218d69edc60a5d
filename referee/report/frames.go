package report

import (
	"strings"

	"umpire/referee/pattern"
)

// ownLines returns what an author can use of a bot's standard error: without the
// stack frames that lie inside a runtime, and without what belongs to them.
func ownLines(text string) []string {
	var out []string
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		if n := inRuntime(lines[i:]); n > 0 {
			i += n
			continue
		}
		out = append(out, lines[i])
		i++
	}
	return out
}

var (
	// A line that is a frame by itself.
	innerFrame = pattern.New(`^\s+at .*\bnode:internal/` + // Node
		`|^\s+at (java\.base/(jdk\.internal|java\.lang\.reflect|sun)\.|jdk\.compiler/)` + // Java
		`|^\s+at \(wrapper ` + // Mono
		`|^\s+(from )?<internal:`) // Ruby
	// Node begins with the line of its own source that has thrown, and ends with
	// its version.
	nodeSource  = pattern.New(`^node:internal/\S+:\d+$`)
	nodeVersion = pattern.New(`^Node\.js v\d+\.\d+\.\d+$`)
	// A frame of Python's own start, with its source below.
	pythonFrame  = pattern.New(`^  File "(<frozen (runpy|importlib)[^"]*>|[^"]*/(runpy|importlib/[^"/]+)\.py)", line \d+`)
	pythonSource = pattern.New(`^    `)
	// The second line of a frame in Go's or Rust's own code.
	nativePlace = pattern.New(`^\t\S*/src/(runtime|internal/runtime)/\S+\.(go|s):\d+|^\s+at /rustc/`)
)

// inRuntime returns how many of the first lines belong to a runtime; 0 if the
// first one does not.
func inRuntime(lines []string) int {
	switch first := strings.TrimSuffix(lines[0], "\r"); {
	case innerFrame().MatchString(first), nodeVersion().MatchString(first):
		return 1
	case nodeSource().MatchString(first):
		for n, line := range lines {
			if strings.TrimSpace(line) == "" {
				return n + 1
			}
		}
		return 1
	case pythonFrame().MatchString(first):
		n := 1
		for n < len(lines) && pythonSource().MatchString(lines[n]) {
			n++
		}
		return n
	case len(lines) > 1 && nativePlace().MatchString(lines[1]):
		return 2
	}
	return 0
}
