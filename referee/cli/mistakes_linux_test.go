package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"umpire/referee"
	"umpire/referee/pattern"
	"umpire/referee/program/build"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// mistakes are those that beginners make in every language, with what a test
// says to them: patterns that its output matches. Where a runtime hides that it
// waits, only the time tells.
var mistakes = []struct {
	name  string
	files [4]string // Python, C++, Java, JavaScript
	time  string    // budget; enough for a slow machine to start a runtime where that matters
	says  []string
}{
	{"no flush", [4]string{"noflush.py", "noflush.cpp", "NoFlush.java", "noflush.js"}, "10s", []string{
		`^official/01: (idle: blocked reading standard input|time: no reply within the \d+\.\d+ s left)`, `is the output flushed\?`,
	}},
	{"no newline", [4]string{"nonewline.py", "nonewline.cpp", "NoNewline.java", "nonewline.js"}, "10s", []string{
		`^official/01: (idle|time): .*; it wrote "1" without a newline$|CPU time: it wrote "1" without a newline$`,
	}},
	{"debug print", [4]string{"debug.py", "debug.cpp", "Debug.java", "debug.js"}, "1m", []string{
		`^official/01: foul: answered "thinking about 4 4 4 2 2 2 2", expected a pit, one integer from 1 to 7$`,
		`^    ← thinking about 4 4 4 2 2 2 2$`,
	}},
	{"wrong seat", [4]string{"seat.py", "seat.cpp", "Seat.java", "seat.js"}, "10s", []string{
		`^official/01: (idle|time): .*Or it (slept, .*)?waits for a line that is not sent: it is seat 1's turn$`,
	}},
	{"reads to the end", [4]string{"eof.py", "eof.cpp", "Eof.java", "eof.js"}, "10s", []string{
		`^official/01: (idle|time): .*Or it (slept, .*)?waits for a line that is not sent: it is seat 1's turn$`,
	}},
	{"exception", [4]string{"exception.py", "exception.cpp", "Thrown.java", "exception.js"}, "1m", []string{
		`^official/01: crash: (it ended \(exit status 1\)|killed by SIGABRT \(aborted\)) before answering$`,
		`^  its standard error:$`,
		`^    (IndexError: list index out of range|terminate called after throwing an instance of 'std::out_of_range'|` +
			`Exception in thread "main" java\.lang\.ArrayIndexOutOfBoundsException: .*|TypeError: Cannot read properties of undefined .*)$`,
	}},
	{"wrong folder", [4]string{"folder.py", "folder.cpp", "Folder.java", "folder.js"}, "1m", []string{
		`^official/01: crash: `, `book\.txt`, `^  hint: at isolation \w+ a bot sees only its own file: give its folder, or --isolation none, where paths begin in the working directory$`,
	}},
}

// runtimeFrame is part of a stack frame that means nothing to a bot's author.
var runtimeFrame = pattern.New(`node:internal|jdk\.internal|java\.lang\.reflect|<frozen`)

// TestMistakes makes the mistakes in the languages that are installed. By default that is
// in Python, as compilers and other runtimes take most of the time. Thoroughly, every
// fourth is made in these, too, and the one in which languages differ most; for a release, all.
func TestMistakes(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	level := sandboxtest.StrongestLevel(t)
	t.Parallel()
	table, err := build.LoadLanguages(t.Context(), "")
	must(t, err)
	u := newUser(t)
	languages, tried := []string{"Python", "C++", "Java", "JavaScript"}, 0
	for _, row := range testlevel.Covering(2, len(mistakes), len(languages)) {
		m, language := mistakes[row[0]], row[1]
		often := m.name == "exception" || (row[0]+language)%4 == 0
		if current := testlevel.Current(); language > 0 && current < testlevel.Release && (current < testlevel.Thorough || !often) {
			continue
		}
		tried++
		t.Run(m.name+"/"+languages[language], func(t *testing.T) {
			t.Parallel()
			file := m.files[language]
			if row, _ := table.ForFile(file); row.Missing() != "" {
				t.Skipf("%s is not installed", row.Missing())
			}
			out := u.mistakes(t, file, m.time, level)
			for _, pattern := range m.says {
				if !regexp.MustCompile(`(?m)` + pattern).MatchString(out) {
					t.Errorf("found no %q in\n%s", pattern, out)
				}
			}
			if frame := runtimeFrame().FindString(out); frame != "" {
				t.Errorf("found %s in\n%s", frame, out)
			}
			if testing.Verbose() {
				t.Logf("\n%s", out)
			}
		})
	}
	testlevel.Rest(t, tried, len(mistakes)*len(languages))
}

// mistakes tests a bot with a mistake, and returns what it is told.
func (u user) mistakes(t *testing.T, file, budget string, level referee.Level) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "mistakes", file))
	must(t, err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(u.dir, "umpire"), "test", "ioiwari", path,
		"--case", "official/01", "--time", budget, "--isolation", string(level))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "UMPIRE_CACHE="+filepath.Join(u.dir, "cache"),
		"XDG_CONFIG_HOME="+filepath.Join(u.dir, "config")) // no language table of the tester's own
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Fatalf("exit code %d, expected 1:\n%s%s", code, out, &stderr)
	}
	return string(out)
}
