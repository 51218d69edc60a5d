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
// level of isolation is the cause; otherwise "". Folder, which may be nil, reports
// whether a bot was given as a folder.
func isolationHint(level string, s record.Seat, folder func(bot string) bool) string {
	if level == string(referee.LevelBasic) && strings.Contains(s.Stderr, "SemLock") && strings.Contains(s.Stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not provide: use --isolation box\n"
	}
	if s.Verdict != string(protocols.KindCrash) || level == "" || level == string(referee.LevelNone) || !missing.MatchString(s.Stderr) {
		return ""
	}
	advice := "file: give its folder"
	switch {
	case folder == nil:
		advice = "file, or its folder if that is given: put what it needs there"
	case folder(s.Bot):
		advice = "folder: put what it needs there"
	}
	return fmt.Sprintf("hint: at isolation %s a bot sees only its own %s, or --isolation none\n", level, advice)
}

// Hint is isolationHint for pages: one line, "" without a hint.
func Hint(level string, s record.Seat) string {
	return strings.TrimSpace(isolationHint(level, s, nil))
}
