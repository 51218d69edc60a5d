package report

import (
	"fmt"
	"regexp"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// missing matches what runtimes write when a module or a file is not there, or
// may not be used.
var missing = regexp.MustCompile(`(?i)No such file or directory|Permission denied|Read-only file system|Operation not permitted` +
	`|cannot open shared object|FileNotFound|NoSuchFile|AccessDenied|UnauthorizedAccess|ModuleNotFound|No module named|ImportError` +
	`|Cannot find (module|package)|ClassNotFound|NoClassDefFound|Can't locate \S+ in @INC|cannot load such file` +
	`|Could not (find|load) (file|a part of the path|type)|\b(ENOENT|EACCES|EPERM|EROFS)\b|os error (1|2|13|30)\b`)

// isolationHint returns a hint if a failed bot's standard error shows that its
// level of isolation is the cause; otherwise "". Folder reports whether the bot
// was given as a folder.
func isolationHint(level string, s record.Seat, folder bool) string {
	if level == string(referee.LevelBasic) && strings.Contains(s.Stderr, "SemLock") && strings.Contains(s.Stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not provide: use --isolation box\n"
	}
	if s.Verdict != string(protocols.KindCrash) || level == "" || level == string(referee.LevelNone) || !missing.MatchString(s.Stderr) {
		return ""
	}
	if folder {
		return fmt.Sprintf("hint: at isolation %s a bot sees only its own folder: put what it needs there, or --isolation none\n", level)
	}
	return fmt.Sprintf("hint: at isolation %s a bot sees only its own file: give its folder, or --isolation none\n", level)
}

// Hint is isolationHint for pages: one line, "" without a hint.
func Hint(level string, s record.Seat) string {
	return strings.TrimSpace(isolationHint(level, s, false))
}
