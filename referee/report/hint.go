package report

import (
	"strings"

	"umpire/referee"
)

// isolationHint returns a hint if a failed bot's standard error shows that its
// level of isolation is the cause; otherwise "".
func isolationHint(level, stderr string) string {
	if level == string(referee.LevelBasic) && strings.Contains(stderr, "SemLock") && strings.Contains(stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not provide: use --isolation box\n"
	}
	return ""
}

// Hint is isolationHint for pages: one line, "" without a hint.
func Hint(level, stderr string) string { return strings.TrimSpace(isolationHint(level, stderr)) }
