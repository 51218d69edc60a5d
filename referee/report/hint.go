package report

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/pattern"
	"umpire/referee/record"
)

// missing matches what runtimes write when a file is not there, or may not be used.
var missing = pattern.New(`(?i)No such file or directory|Permission denied|Read-only file system|Operation not permitted` +
	`|cannot open shared object|FileNotFound|NoSuchFile|AccessDenied|UnauthorizedAccess` +
	`|Could not find (file|a part of the path)|\b(ENOENT|EACCES|EPERM|EROFS)\b|os error (1|2|13|30)\b`)

var (
	// writing, denied, noFile and network match what runtimes write when a bot may not write
	// a file, may not use it in some way, does not find it, or may not open a connection.
	writing = pattern.New(`(?i)Read-only file system|\bEROFS\b|os error 30\b`)
	denied  = pattern.New(`(?i)Permission denied|AccessDenied|UnauthorizedAccess|\bEACCES\b|os error 13\b`)
	noFile  = pattern.New(`(?i)No such file or directory|FileNotFound|NoSuchFile|\bENOENT\b|os error 2\b`)
	network = pattern.New(`(?i)\bsocket|network is unreachable|connection refused|getaddrinfo|name resolution`)
	// elsewhere matches noFile of an absolute path, which is none of a copy.
	elsewhere = pattern.New(`(?im)(^|[\s'"(])[/~]\S*: No such file|No such file or directory[:,]( open)? ['"]?[/~]`)
	// noModule matches what Python writes of a package that it does not find.
	noModule = pattern.New(`(?m)No module named '\w+'$`)
	// besides matches what says nothing of the cause: in which file Python was, and that a first
	// line names an interpreter that is not there.
	besides = pattern.New(`(?m)^ *File ".*$|^(\S*/)?env: .*$|^.*bad interpreter: .*$`)
	// carriageReturn matches what the system and shells write of lines with Windows line ends, and
	// unstarted what interpreters write when the very file that they are to run is not there.
	carriageReturn = pattern.New(`(\\r|\r)\W?: No such file|(\\r|\r)': (not a valid identifier|command not found)`)
	unstarted      = pattern.New(`(?m)python[0-9.]*: can't open file|^Can't open perl script|\bruby: No such file`)
	// word matches, in the detail of a foul, the first word of the answer and what was expected,
	// where the answer has several. No letters are those of an escape.
	word          = pattern.New(`^answered "(?:\\x..|\\u.{4}|\\U.{8}|\\[^xuU]|[^"\\])*?(\pL{3,})[^"]*", expected (.*)`)
	byteOrderMark = pattern.New("(answered|found) [\"`](\\\\ufeff|\\\\xff\\\\xfe|\\\\xfe\\\\xff)")
)

// Hint returns, in a line, a hint at the likely cause of a bot's failure; "" without one.
func Hint(level string, s record.Seat, about Background) string {
	switch {
	case byteOrderMark().MatchString(s.Detail):
		return "hint: its output begins with a byte-order mark: write UTF-8 without one"
	case s.Verdict == string(protocols.KindFoul) && isProse(s.Detail):
		return "hint: standard output is for answers: print debugging to standard error"
	case s.Verdict == string(protocols.KindCrash) && strings.Contains(s.Stderr, "Could not find or load main class"):
		return "hint: Java found no class to start: a source needs a main method, a command line -cp and the folder of its classes"
	case s.Verdict == string(protocols.KindCrash) && carriageReturn().MatchString(s.Stderr):
		return "hint: its lines end in a carriage return: save it with the line ends of Unix"
	}
	if about.Cause != nil {
		if cause := about.Cause(s); cause != "" {
			return "hint: " + cause
		}
	}
	return isolationHint(level, s, about.IsFolder)
}

// isProse reports whether a foul was for several words, and none of a command that was expected.
func isProse(detail string) bool {
	found := word().FindStringSubmatch(detail)
	answer, _, _ := strings.Cut(strings.TrimPrefix(detail, `answered "`), `", `)
	return found != nil && strings.Contains(strings.TrimSpace(answer), " ") && !strings.Contains(strings.ToLower(found[2]), strings.ToLower(found[1]))
}

// isolationHint returns a hint if a failed bot's standard error shows that its
// level of isolation is the cause; otherwise "". Folder is Background.IsFolder.
func isolationHint(level string, s record.Seat, folder func(bot string) bool) string {
	if level == string(referee.LevelBasic) && strings.Contains(s.Stderr, "SemLock") && strings.Contains(s.Stderr, "Permission denied") {
		return "hint: Python's multiprocessing needs /dev/shm, which isolation basic does not provide: use --isolation box"
	}
	if s.Verdict != string(protocols.KindCrash) || level == "" || level == string(referee.LevelNone) {
		return ""
	}
	s.Stderr = besides().ReplaceAllString(s.Stderr, "")
	switch {
	case folder != nil && noModule().MatchString(s.Stderr):
		return fmt.Sprintf("hint: it is not installed for this interpreter, or only below your home folder, which isolation %s hides", level)
	case network().MatchString(s.Stderr):
		return fmt.Sprintf("hint: at isolation %s a bot has no network, nor sockets of services; --isolation none has both", level)
	case writing().MatchString(s.Stderr), level != string(referee.LevelBasic) && denied().MatchString(s.Stderr): // what it may not read is not there
		return fmt.Sprintf("hint: at isolation %s a bot may write below $TMPDIR alone: write there, or --isolation none", level)
	case !missing().MatchString(s.Stderr):
		return ""
	case elsewhere().MatchString(s.Stderr) && !unstarted().MatchString(s.Stderr):
		return fmt.Sprintf("hint: at isolation %s a bot sees only its own files and the system's; --isolation none shows all", level)
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
