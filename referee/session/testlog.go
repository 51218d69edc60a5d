package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"umpire/referee/arena"
	"umpire/referee/pattern"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/userfile"
)

// The log of tests is in the user's folder for state, which nothing cleans:
// XDG_STATE_HOME, by default ~/.local/state.
const testLogFile = "tests.jsonl"

// maxLogged is how many tests the log holds; the oldest go.
const maxLogged = 1000

// testLogPath returns the file of the log; "" if the user has no folder for it.
func testLogPath() string {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // as the specification has it
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "umpire", testLogFile)
}

// readTestLog returns the lines of the log and the tests in it, the oldest first. Of lines
// that are torn, or of another version, there are no tests.
func readTestLog(file string) (lines [][]byte, list []report.LoggedTest, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for line := range bytes.Lines(text) {
		lines = append(lines, bytes.TrimRight(line, "\n"))
		var t report.LoggedTest
		if json.Unmarshal(line, &t) == nil && t.V == report.JSONVersion {
			list = append(list, t)
		}
	}
	return lines, list, err
}

// LoggedTests returns the tests of a bot that are in the log, the newest first.
func LoggedTests(bot program.Entrant) (report.TestLog, error) {
	log := report.TestLog{Tests: []report.LoggedTest{}}
	_, all, err := readTestLog(testLogPath())
	for _, t := range slices.Backward(all) {
		if t.Place == bot.PlaceIn(t.Game) {
			log.Tests = append(log.Tests, t)
		}
	}
	if err == nil && len(log.Tests) == 0 {
		err = mistakef("no test of %s is known%s", bot.Label, loggedBots(all))
	}
	return log, err
}

// loggedBots names the bots that were tested last.
func loggedBots(all []report.LoggedTest) string {
	const most = 5
	var names []string
	seen := make(map[string]bool)
	for _, t := range slices.Backward(all) {
		if !seen[t.Place] && len(names) < most {
			seen[t.Place], names = true, append(names, t.Bot)
		}
	}
	if len(names) == 0 {
		return "; `umpire test GAME BOT` plays one"
	}
	return "; those tested last: " + strings.Join(names, ", ")
}

// log adds a test to the log, and compares it with the earlier ones.
func (t Tested) log(s *Session, fixtures []arena.Fixture, result *TestResult) error {
	file := testLogPath()
	if file == "" {
		return nil
	}
	one := report.LoggedTest{
		V: report.JSONVersion, Date: time.Now().UTC().Truncate(time.Second), Game: t.Game, Bot: t.Bot.Label, Place: t.Bot.PlaceIn(t.Game), Against: result.Against,
		Digest: s.Bots[0].Digest, Commit: t.commit(), Set: t.set(fixtures, result.Formula),
		Cases: result.Cases, Matches: len(result.Results), OK: result.OK, Score: result.Score, Points: result.Points,
	}
	for i, g := range result.Scores.Groups {
		one.Groups = append(one.Groups, report.LoggedGroup{Name: g.Name, Score: result.Scores.Submissions[0].Groups[i].Score, Points: g.Points})
	}
	earlier, err := addToLog(file, one)
	result.Earlier = report.NewEarlierTests(earlier, one)
	return err
}

// addToLog adds a test to the log, and returns the earlier ones. It keeps the newest lines
// of before, those of other versions of umpire too.
func addToLog(file string, one report.LoggedTest) (earlier []report.LoggedTest, err error) {
	line, err := json.Marshal(one)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err != nil {
		return nil, err
	}
	unlock, err := userfile.Lock(file)
	if err != nil {
		return nil, err
	}
	defer unlock()
	lines, earlier, err := readTestLog(file)
	if err != nil {
		return nil, err
	}
	lines = append(lines[max(0, len(lines)-maxLogged+1):], line, nil)
	return earlier, userfile.Replace(file, bytes.Join(lines, []byte("\n")), 0o666)
}

// set returns the digest of what a test plays, whatever the bot is.
func (t Tested) set(fixtures []arena.Fixture, formula string) string {
	parts := []string{"test set", formula}
	if t.Opponent.What != "" {
		parts = append(parts, t.Opponent.PlaceIn(t.Game))
	}
	for _, f := range fixtures {
		f.Seats = slices.Clone(f.Seats)
		for i := range f.Seats {
			if !f.Seats[i].House {
				f.Seats[i].Bot, f.Seats[i].Digest = "", ""
			}
		}
		parts = append(parts, f.Record().ID, f.Case.Name, fmt.Sprint(f.Case.Points, f.Case.Baseline, f.Case.Combine))
	}
	return build.Digest(parts...)
}

// commitHash is the name of a commit.
var commitHash = pattern.New(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// commit returns the commit that is checked out where the bot's file is; "" if it is in
// no Git repository. Git itself is not asked, as a repository's configuration can name
// programs that it then runs, and the folder may be a contestant's.
func (t Tested) commit() string {
	if t.Bot.Kind != program.KindPath {
		return ""
	}
	dir := t.Bot.Place()
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return checkedOut(filepath.Join(dir, ".git"))
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// checkedOut returns the commit of a repository's HEAD; "" if it can't be told.
func checkedOut(git string) string {
	if at, ok := strings.CutPrefix(firstLine(git), "gitdir: "); ok { // a worktree or submodule
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(git), at)
		}
		git = at
	}
	head := firstLine(filepath.Join(git, "HEAD"))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if symbolic {
		if !filepath.IsLocal(ref) {
			return ""
		}
		common := git
		if dir := firstLine(filepath.Join(git, "commondir")); dir != "" {
			common = filepath.Join(git, dir)
		}
		if head = firstLine(filepath.Join(common, ref)); head == "" {
			head = packed(filepath.Join(common, "packed-refs"), ref)
		}
	}
	if !commitHash().MatchString(head) {
		return ""
	}
	return head
}

// packed returns the commit of a branch in a file of packed references.
func packed(file, ref string) string {
	for line := range strings.Lines(regularFile(file)) {
		if hash, name, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			return hash
		}
	}
	return ""
}

// firstLine returns the first line of a file; "" if it can't be read.
func firstLine(file string) string {
	line, _, _ := strings.Cut(regularFile(file), "\n")
	return strings.TrimSpace(line)
}

// regularFile returns the text of a file of moderate size; "" if it is none.
func regularFile(file string) string {
	const most = 16 << 20
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	text, _ := os.ReadFile(file)
	return string(text)
}
