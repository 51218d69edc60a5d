package report

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/pattern"
	"umpire/referee/record"
)

// missing matches what runtimes write when a module or a file is not there, or
// may not be used.
var missing = pattern.New(`(?i)No such file or directory|Permission denied|Read-only file system|Operation not permitted` +
	`|cannot open shared object|FileNotFound|NoSuchFile|AccessDenied|UnauthorizedAccess|ModuleNotFound|No module named|ImportError` +
	`|Cannot find (module|package)|ClassNotFound|NoClassDefFound|Can't locate \S+ in @INC|cannot load such file` +
	`|Could not (find|load) (file|a part of the path|type)|\b(ENOENT|EACCES|EPERM|EROFS)\b|os error (1|2|13|30)\b`)

var (
	// writing, denied, noFile and network match what runtimes write when a bot may not write
	// a file, may not use it in some way, does not find it, or may not open a connection.
	writing = pattern.New(`(?i)Read-only file system|\bEROFS\b|os error 30\b`)
	denied  = pattern.New(`(?i)Permission denied|AccessDenied|UnauthorizedAccess|\bEACCES\b|os error 13\b`)
	noFile  = pattern.New(`(?i)No such file or directory|FileNotFound|NoSuchFile|\bENOENT\b|os error 2\b`)
	network = pattern.New(`(?i)\bsocket|network is unreachable|connection refused|getaddrinfo|name resolution`)
	// frame matches where Python says in which file it was, whose name says nothing of the cause.
	frame = pattern.New(`(?m)^ *File ".*$`)
	// carriageReturn matches what the system writes of a first line with a Windows line end, and
	// unstarted what interpreters write when the very file that they are to run is not there.
	carriageReturn = pattern.New(`(\\r|\r)\W?: No such file`)
	unstarted      = pattern.New(`(?m)python[0-9.]*: can't open file|^Can't open perl script|\bruby: No such file|requireStack: \[\]`)
	// debugging matches the detail of a foul whose answer is prose, in which no letters are those
	// of an escape, and byteOrderMark that of an answer or a line that begins with one.
	debugging     = pattern.New(`^answered "(\\x..|\\u.{4}|\\U.{8}|\\[^xuU]|[^"\\])*\pL{3}`)
	byteOrderMark = pattern.New(`(answered|found) "(\\ufeff|\\xff\\xfe|\\xfe\\xff)`)
)

// Hint returns, in a line, a hint at the likely cause of a bot's failure; "" without one. Folder,
// which may be nil, reports whether a bot was given as a folder.
func Hint(level string, s record.Seat, folder func(bot string) bool) string {
	switch {
	case byteOrderMark().MatchString(s.Detail):
		return "hint: its output begins with a byte-order mark: write UTF-8 without one"
	case s.Verdict == string(protocols.KindFoul) && debugging().MatchString(s.Detail):
		return "hint: standard output is for answers: print debugging to standard error"
	case s.Verdict == string(protocols.KindCrash) && strings.Contains(s.Stderr, "Could not find or load main class"):
		return "hint: Java found no class to start: a source needs a main method, a command line -cp and the folder of its classes"
	case s.Verdict == string(protocols.KindCrash) && carriageReturn().MatchString(s.Stderr):
		return "hint: its first line ends in a carriage return: save it with the line ends of Unix"
	}
	return isolationHint(level, s, folder)
}

// isolationHint returns a hint if a failed bot's standard error shows that its
// level of isolation is the cause; otherwise "".
func isolationHint(level string, s record.Seat, folder func(bot string) bool) string {
	if level == string(referee.LevelBasic) && strings.Contains(s.Stderr, "SemLock") && strings.Contains(s.Stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not provide: use --isolation box"
	}
	if s.Verdict != string(protocols.KindCrash) || level == "" || level == string(referee.LevelNone) {
		return ""
	}
	s.Stderr = frame().ReplaceAllString(s.Stderr, "")
	switch {
	case network().MatchString(s.Stderr):
		return fmt.Sprintf("hint: at isolation %s a bot has no network, nor sockets of services; --isolation none has both", level)
	case writing().MatchString(s.Stderr), level != string(referee.LevelBasic) && denied().MatchString(s.Stderr): // what it may not read is not there
		return fmt.Sprintf("hint: at isolation %s a bot may write below $TMPDIR alone: write there, or --isolation none", level)
	case !missing().MatchString(s.Stderr):
		return ""
	}
	advice := "file: give its folder"
	switch {
	case folder == nil:
		advice = "file, or its folder if that is given: put what it needs there"
	case folder(s.Bot):
		advice = "folder: put what it needs there"
	case unstarted().MatchString(s.Stderr):
		advice = "file: check that it exists, give its folder"
	}
	if denied().MatchString(s.Stderr) {
		advice += "; it may write below $TMPDIR alone"
	}
	if advice += ", or --isolation none"; noFile().MatchString(s.Stderr) && (folder == nil || !folder(s.Bot)) {
		advice += ", where paths begin in the working directory" // a source plays from a copy there, too
	}
	return fmt.Sprintf("hint: at isolation %s a bot sees only its own %s", level, advice)
}
