package cli

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/sandbox/rmtree"
)

// Tests leave behind in the user's cache folder:
//
//	tests/KEY/last.json       how a bot did on each case when it last played it
//	tests/KEY/records.jsonl   the records of the bot's last test
//	last-test.jsonl           a link to the records of the last test of all
//
// where KEY stands for the game, the bot and the opponent. Each is replaced as a
// whole, so that concurrent tests, also of the same bot, leave what one of them
// has written.
const (
	testsFolder  = "tests"
	lastFile     = "last.json"
	recordsFile  = "records.jsonl"
	lastTestFile = "last-test.jsonl"
)

// Bounds on what is left behind.
const (
	maxTests       = 50 // bots
	maxTestAge     = 30 * 24 * time.Hour
	maxTestRecords = 32 << 20 // bytes
	maxTestMatches = 20_000
)

// lastTest holds the results of a bot's earlier tests.
type lastTest struct {
	V      int    `json:"v"`
	Bot    string `json:"bot"`    // as the user named it
	Folder string `json:"folder"` // the working directory
	// Flags are those that determine how the bot is built and started.
	Flags   map[string]string `json:"flags,omitempty"`
	Matches []lastMatch       `json:"matches"`
}

// lastMatch is how a match went when it was last played.
type lastMatch struct {
	Case record.Case `json:"case"`
	Seat int         `json:"seat"`
	report.Before
}

// matchKey identifies a match of a test.
type matchKey struct {
	name, text string
	seat       int
}

func (m lastMatch) key() matchKey { return matchKey{m.Case.Name, m.Case.Text, m.Seat} }

// testFolder is where tests of this bot against this opponent are kept.
func (s *session) testFolder() (string, error) {
	dir, err := build.CacheDir()
	if err != nil {
		return "", err
	}
	opponent := ""
	if s.c.IsSet("against") {
		opponent = program.ParseEntrant(s.folder, s.c.String("against")).Place()
	}
	bot := program.ParseEntrant(s.folder, s.c.Args().Get(1)).Place()
	key := build.Digest("test", s.game.Name, bot, opponent)
	return filepath.Join(dir, testsFolder, key), nil
}

// lastTest returns what is known of the bot's tests; nothing, if nothing can be
// read: it is only a cache.
func (s *session) lastTest() lastTest {
	dir, err := s.testFolder()
	if err != nil {
		return lastTest{}
	}
	last, _ := readLastTest(dir)
	return last
}

func readLastTest(dir string) (last lastTest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, lastFile))
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	if err == nil && last.V != report.JSONVersion {
		err = fmt.Errorf("%s: found version %d, expected %d", lastFile, last.V, report.JSONVersion)
	}
	return last, err
}

// onlyFailed leaves of the cases those on which the bot was not ok when it last
// played them; without a choice of cases, of all that it has played.
func (s *session) onlyFailed() error {
	last := s.lastTest()
	if len(last.Matches) == 0 {
		return usagef("--failed: no earlier test of this bot is known; play one first: %s",
			runAgain("test", s.c.Args().Slice()...).flags(s.c, "against"))
	}
	var failed []cases.Case
	for _, m := range last.Matches {
		known := slices.ContainsFunc(failed, func(c cases.Case) bool { return c.Name == m.Case.Name && c.String() == m.Case.Text })
		if m.Verdict == string(referee.OK) || known {
			continue
		}
		c, err := s.game.Parse(m.Case.Text)
		if err != nil {
			continue // of a version with other rules
		}
		failed = append(failed, cases.Case{
			Name: m.Case.Name, Group: m.Case.Group, Points: m.Case.Points, Baseline: m.Case.Baseline,
			Combine: cases.Combine(m.Case.Combine), Case: c,
		})
	}
	if len(failed) == 0 {
		s.set = cases.Set{}
		return nil
	}
	if slices.ContainsFunc([]string{"case", "cases", "group", "n", "seed"}, s.c.IsSet) {
		s.set = s.set.Filter(func(c cases.Case) bool {
			return slices.ContainsFunc(failed, func(f cases.Case) bool { return f.Name == c.Name && f.String() == c.String() })
		})
		return nil
	}
	var err error
	s.set, err = s.set.Match(s.game, failed)
	return usage(err)
}

// compare adds to the result how each match ended when it was last played.
func (last lastTest) compare(result *report.TestResult, set cases.Set) {
	known := make(map[matchKey]*report.Before)
	for i, m := range last.Matches {
		if m.Verdict != "" {
			known[m.key()] = &last.Matches[i].Before
		}
	}
	texts := make(map[string]string) // by the case's name
	for _, c := range set.Cases {
		texts[c.Name] = c.String()
	}
	for i := range result.Results {
		t := &result.Results[i]
		t.Before = known[matchKey{t.Case, texts[t.Case], t.Seat}]
	}
}

// matches are those of a test, in the form in which they are remembered. One
// that umpire could not play has no verdict.
func testMatches(set cases.Set, result report.TestResult) []lastMatch {
	of := make(map[string]record.Case)
	for _, c := range set.Cases {
		of[c.Name] = c.Record()
	}
	var list []lastMatch
	for _, t := range result.Results {
		list = append(list, lastMatch{of[t.Case], t.Seat, report.Before{Verdict: t.Verdict, X: t.X, Place: t.Place, Score: t.Score}})
	}
	for _, f := range result.Failed {
		list = append(list, lastMatch{Case: of[f.Case], Seat: f.Seat})
	}
	return list
}

// merge is the earlier matches with the later ones in their places.
func merge(earlier, later []lastMatch) []lastMatch {
	now := make(map[matchKey]bool)
	for _, m := range later {
		now[m.key()] = true
	}
	all := slices.DeleteFunc(slices.Clone(earlier), func(m lastMatch) bool { return now[m.key()] })
	all = append(all, later...)
	return all[max(0, len(all)-maxTestMatches):]
}

// remember keeps the results of a test and its records, and returns the file
// with the records; "" if there is no place for them.
func (s *session) remember(result report.TestResult) string {
	if s.spool == nil {
		return ""
	}
	path, err := s.rememberIn(result)
	if err != nil {
		s.note("umpire: keep the records: %v\n", err)
		return ""
	}
	return path
}

func (s *session) rememberIn(result report.TestResult) (string, error) {
	dir, err := s.testFolder()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	before, _ := readLastTest(dir) // another test of the bot may have ended meanwhile
	last := lastTest{
		V: report.JSONVersion, Bot: s.bots[0].Entrant.Label, Folder: absolute(s.folder), Flags: make(map[string]string),
		Matches: merge(before.Matches, testMatches(s.set, result)),
	}
	if s.c.IsSet("isolation") {
		last.Flags["isolation"] = s.c.String("isolation")
	}
	if s.c.IsSet("languages") {
		last.Flags["languages"] = absolute(s.c.String("languages"))
	}
	text, err := json.Marshal(last)
	if err == nil {
		err = replaceFile(filepath.Join(dir, lastFile), text)
	}
	if err == nil {
		err = s.spool.Save(filepath.Join(dir, recordsFile), maxTestRecords)
	}
	if err != nil {
		return "", err
	}
	pruneTests(filepath.Dir(dir), dir)
	path := filepath.Join(dir, "..", "..", lastTestFile)
	return path, replaceLink(path, filepath.Join(testsFolder, filepath.Base(dir), recordsFile))
}

// replaceLink makes a link lead elsewhere. Whoever follows it gets to the old or
// the new end.
func replaceLink(name, to string) error {
	temp := filepath.Join(filepath.Dir(name), ".umpire-"+rand.Text())
	if err := os.Symlink(to, temp); err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// pruneTests removes what is known of the bots whose last test is longest ago,
// beyond the bounds, but not that of one.
func pruneTests(dir, keep string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type test struct {
		path string
		at   time.Time
	}
	var tests []test
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(filepath.Join(path, lastFile)); err == nil && path != keep {
			tests = append(tests, test{path, info.ModTime()})
		}
	}
	slices.SortFunc(tests, func(a, b test) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path)) })
	for i, t := range tests {
		if i >= maxTests-1 || time.Since(t.at) > maxTestAge {
			_ = rmtree.Remove(t.path)
		}
	}
}

// lastOfAll returns the file with the records of the last test of all, and what
// is known of that bot's tests.
func lastOfAll() (records string, last lastTest, err error) {
	dir, err := build.CacheDir()
	if err != nil {
		return "", last, err
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, lastTestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", last, errors.New("found no FILE, and no earlier test, expected `umpire reproduce [FILE] [BOT]`")
	}
	if err == nil {
		last, err = readLastTest(filepath.Dir(path))
	}
	if err != nil {
		return "", last, fmt.Errorf("read the last test: %w", err)
	}
	return path, last, nil
}
