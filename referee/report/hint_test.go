package report

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/record"
)

// TestHint: a bot that was given as a folder is not told to be given as one, and
// where it is not known how a bot was given, both are possible. A file to run that is not
// there may not exist.
func TestHint(t *testing.T) {
	s := record.Seat{Bot: "a", Verdict: string(protocols.KindCrash), Stderr: "cat: book.txt: No such file or directory"}
	for _, test := range []struct {
		name   string
		folder func(string) bool
		want   string
	}{
		{"file", func(string) bool { return false }, "a bot sees only its own file: give its folder, or --isolation none, where paths begin in the working directory"},
		{"folder", func(bot string) bool { return bot == "a" }, "a bot sees only its own folder: put what it needs there, or --isolation none"},
		{"not known", nil, "a bot sees only its own file, or its folder if that is given: put what it needs there, or --isolation none, where paths begin in the working directory"},
	} {
		if got := isolationHint(string(referee.LevelBox), s, test.folder); strings.TrimSpace(got) != "hint: at isolation box "+test.want {
			t.Errorf("%s: %q", test.name, got)
		}
	}
	for stderr, want := range map[string]string{
		"/usr/bin/python3: can't open file 'nosuch.py': [Errno 2] No such file or directory": "own file: check that it exists, give its folder",
		"ModuleNotFoundError: No module named 'numpy'":                                       "it is not installed for this interpreter",
		"cannot open /data/book.txt: No such file or directory":                              "sees only its own files and the system's",
		"No module named 'http.client'; 'http' is not a package":                             "",
		"Error: Cannot find module 'book'\n  requireStack: [ 'bot.js' ]":                     "",
		"ImportError: attempted relative import with no known parent package":                "",
		"/usr/bin/env: ‘python9’: No such file or directory":                                 "",
		"./bot: /usr/bin/python9: bad interpreter: No such file or directory":                "",
	} {
		missing := record.Seat{Bot: "a", Verdict: string(protocols.KindCrash), Stderr: stderr}
		got := isolationHint(string(referee.LevelBox), missing, func(string) bool { return false })
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, expected %q", stderr, got, want)
		}
	}
	if got := isolationHint(string(referee.LevelNone), s, nil); got != "" {
		t.Errorf("at isolation none: %q", got)
	}
	about := Background{Cause: func(s record.Seat) string { return "missed by " + s.Bot }}
	if got := Hint(string(referee.LevelNone), s, about); got != "hint: missed by a" {
		t.Errorf("where the cause is known: %q", got)
	}
}

// TestHints: what a bot did says what to do instead.
func TestHints(t *testing.T) {
	for _, test := range []struct {
		verdict, detail, stderr string
		level                   referee.Level
		want                    string
	}{
		{"foul", `answered "my debug", expected a pit`, "", referee.LevelNone, "print debugging to standard error"},
		{"foul", `answered "I play 3", expected a request (dice, enter P, move P s)`, "", referee.LevelNone, "print debugging to standard error"},
		{"foul", `answered "Enter R0", expected a request (dice, enter P, move P s)`, "", referee.LevelNone, ""},
		{"foul", `answered "DICE", expected a request (dice, enter P, move P s)`, "", referee.LevelNone, ""},
		{"foul", `answered "three ", expected a pit, one integer from 1 to 7`, "", referee.LevelNone, ""},
		{"foul", `answered "9", expected a pit`, "", referee.LevelNone, ""},
		{"foul", `answered "\tmy debug", expected a pit`, "", referee.LevelNone, "print debugging to standard error"},
		{"foul", `answered "\xff", expected a pit`, "", referee.LevelNone, ""},
		{"foul", `answered "\ufeff1", expected a pit`, "", referee.LevelNone, "byte-order mark"},
		{"foul", `answered "\xff\xfe1\x00", expected a pit`, "", referee.LevelNone, "byte-order mark"},
		{"wrong", `line 1: found "\ufeff3 4 5", expected "3 4 5"`, "", referee.LevelNone, "byte-order mark"},
		{"wrong", "line 1: found `\\ufeffyou need six`, expected `you need six`", "", referee.LevelNone, "byte-order mark"},
		{"crash", "exit status 1", "bot.sh: line 1: read: `l\r': not a valid identifier", referee.LevelNone, "carriage return"},
		{"crash", "exit status 127", "bot.sh: line 2: $'\\r': command not found", referee.LevelNone, "carriage return"},
		{"crash", "exit status 1", "OSError: [Errno 30] Read-only file system: 'log.txt'", referee.LevelBox, "write below $TMPDIR"},
		{"crash", "exit status 1", "OSError: [Errno 30] Read-only file system: 'log.txt'", referee.LevelNone, ""},
		{"crash", "exit status 1", "PermissionError: [Errno 13] Permission denied: 'log.txt'", referee.LevelStrict, "write below $TMPDIR"},
		{"crash", "exit status 1", "PermissionError: [Errno 13] Permission denied: 'log.txt'", referee.LevelBasic, "what it needs there; it may write below $TMPDIR alone"},
		{"crash", "exit status 1", "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", referee.LevelStrict, "put what it needs there, or"},
		{"crash", "exit status 1", "  s = socket.socket()\nPermissionError: [Errno 1] Operation not permitted", referee.LevelStrict, "no network"},
		{"crash", "exit status 1", "  File \"socket.py\", line 1, in <module>\n    raise TypeError\nTypeError", referee.LevelStrict, ""},
		{"crash", "exit status 127", "/usr/bin/env: ‘python3\\r’: No such file or directory", referee.LevelStrict, "carriage return"},
		{"crash", "exit status 127", "env: python3\r: No such file or directory", referee.LevelNone, "carriage return"},
		{"crash", "exit status 1", "Error: Could not find or load main class x\nCaused by: java.lang.ClassNotFoundException: x", referee.LevelStrict, "needs a main method"},
		{"ok", "", "connection refused", referee.LevelStrict, ""},
	} {
		s := record.Seat{Bot: "a", Verdict: test.verdict, Detail: test.detail, Stderr: test.stderr}
		if got := Hint(string(test.level), s, Background{}); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s at %s: found %q, expected %q", test.detail+test.stderr, test.level, got, test.want)
		}
	}
}
