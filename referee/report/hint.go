package report

import (
	"strings"

	"umpire/referee"
)

// isolationHint says, of a bot that has failed, what of its level of isolation
// its standard error shows to be the cause; "" if it shows none.
func isolationHint(level, stderr string) string {
	if level == string(referee.LevelBasic) && strings.Contains(stderr, "SemLock") && strings.Contains(stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not give: use --isolation box\n"
	}
	return ""
}
