package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/sandbox/rmtree"
	"umpire/referee/userfile"
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

// LastTest holds the results of a bot's earlier tests.
type LastTest struct {
	V      int    `json:"v"`
	Bot    string `json:"bot"`    // as the user named it
	Folder string `json:"folder"` // the working directory
	// Flags are the settings that determine how the bot is built and started.
	Flags map[string]string `json:"flags,omitempty"`
	// Package says where the problem package is, if the game is one, and how it is read.
	Package map[string]string `json:"package,omitempty"`
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

// folder is where tests of this bot against this opponent are kept.
func (t Tested) folder() (string, error) {
	dir, err := build.CacheDir()
	if err != nil {
		return "", err
	}
	opponent := ""
	if t.Opponent.What != "" {
		opponent = t.Opponent.PlaceIn(t.Game)
	}
	return filepath.Join(dir, testsFolder, build.Digest("test", t.Game, t.Bot.PlaceIn(t.Game), opponent)), nil
}

// Last returns what is known of the bot's tests; nothing, if nothing can be read:
// it is only a cache.
func (t Tested) Last() LastTest {
	dir, err := t.folder()
	if err != nil {
		return LastTest{}
	}
	last, _ := readLastTest(dir)
	return last
}

func readLastTest(dir string) (last LastTest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, lastFile))
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	if err == nil && last.V != report.JSONVersion {
		err = fmt.Errorf("%s: found version %d, expected %d", lastFile, last.V, report.JSONVersion)
	}
	return last, err
}

// Failed reports whether the bot was not ok in a match.
func Failed(m report.Before) bool { return m.Verdict != string(referee.OK) }

// Lost reports whether the bot failed in a match, or another came before it.
func Lost(m report.Before) bool { return Failed(m) || m.Place > 1 }

// on reports whether a match was played on a case.
func (m lastMatch) on(c cases.Case) bool { return c.Name == m.Case.Name && c.String() == m.Case.Text }

// only leaves the matches that are wanted.
func (last LastTest) only(wanted func(lastMatch) bool) LastTest {
	last.Matches = slices.DeleteFunc(slices.Clone(last.Matches), func(m lastMatch) bool { return !wanted(m) })
	return last
}

// On leaves what is known of the cases of a set.
func (last LastTest) On(set cases.Set) LastTest {
	return last.only(func(m lastMatch) bool { return slices.ContainsFunc(set.Cases, m.on) })
}

// Worst leaves what is known of the n worst cases: first those on which the bot failed,
// then those that earned the smallest share of what they are worth, of them those with
// the worst place.
func (last LastTest) Worst(n int) LastTest {
	type result struct {
		key    matchKey // without a seat
		ok     int
		earned float64 // share
		place  int
	}
	var list []result
	for _, m := range last.Matches {
		one := result{matchKey{m.Case.Name, m.Case.Text, 0}, 1, m.Score, -m.Place}
		if m.Case.Points > 0 {
			one.earned /= m.Case.Points
		}
		if Failed(m.Before) {
			one.ok = 0
		}
		if i := slices.IndexFunc(list, func(r result) bool { return r.key == one.key }); i >= 0 {
			list[i].ok, list[i].place = min(list[i].ok, one.ok), min(list[i].place, one.place)
		} else {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b result) int {
		return cmp.Or(cmp.Compare(a.ok, b.ok), cmp.Compare(a.earned, b.earned), cmp.Compare(a.place, b.place), cmp.Compare(a.key.name, b.key.name))
	})
	list = list[:min(n, len(list))]
	return last.only(func(m lastMatch) bool {
		return slices.ContainsFunc(list, func(r result) bool { return r.key == matchKey{m.Case.Name, m.Case.Text, 0} })
	})
}

// Choose leaves of a set the cases of which the bot's last match, in some seat, is
// wanted; whole says that the set is all that the game has, and that cases from
// elsewhere are wanted as well.
func (last LastTest) Choose(wanted func(report.Before) bool, g protocols.Game, set cases.Set, whole bool) (cases.Set, error) {
	var chosen []cases.Case
	for _, m := range last.Matches {
		if slices.ContainsFunc(chosen, m.on) || !wanted(m.Before) {
			continue
		}
		c, err := g.Parse(m.Case.Text)
		if err != nil {
			continue // of a version with other rules
		}
		chosen = append(chosen, cases.Case{
			Name: m.Case.Name, Group: m.Case.Group, Points: m.Case.Points, Baseline: m.Case.Baseline,
			Combine: cases.Combine(m.Case.Combine), Order: m.Case.Order, Case: c,
		})
	}
	if len(chosen) == 0 {
		return cases.Set{}, nil
	}
	if whole {
		set, err := set.Match(g, chosen)
		return set, Mistaken(err)
	}
	return set.Filter(func(c cases.Case) bool {
		return slices.ContainsFunc(chosen, func(f cases.Case) bool { return f.Name == c.Name && f.String() == c.String() })
	}), nil
}

// compare adds to the result how each match ended when it was last played, if its case was
// worth then what it is now: else the points would have changed with the bot the same.
func (last LastTest) compare(result *report.TestResult, set cases.Set) {
	now := recordedCases(set)
	known := make(map[matchKey]*report.Before)
	for i, m := range last.Matches {
		if m.Verdict != "" && sameWorth(m.Case, now[m.Case.Name]) {
			known[m.key()] = &last.Matches[i].Before
		}
	}
	for i := range result.Results {
		if t := &result.Results[i]; !t.Uncounted {
			t.Before = known[matchKey{t.Case, now[t.Case].Text, t.Seat}]
		}
	}
}

func sameWorth(a, b record.Case) bool {
	return a.Points == b.Points && a.Combine == b.Combine && a.Baseline == b.Baseline
}

// recordedCases returns the cases of a set in the form of records, by name.
func recordedCases(set cases.Set) map[string]record.Case {
	of := make(map[string]record.Case)
	for _, c := range set.Cases {
		of[c.Name] = c.Record()
	}
	return of
}

// testMatches returns the matches of a test as they are remembered. One
// without a result has no verdict.
func testMatches(set cases.Set, result report.TestResult) []lastMatch {
	of := recordedCases(set)
	var list []lastMatch
	for _, t := range result.Results {
		list = append(list, lastMatch{of[t.Case], t.Seat, report.Before{Verdict: t.Verdict, X: t.X, Place: t.Place, Score: t.Score}})
	}
	for _, f := range result.Failed {
		list = append(list, lastMatch{Case: of[f.Case], Seat: f.Seat})
	}
	return list
}

// fullNames returns the full names of matches in their order, those of cases that do not count
// last.
func fullNames(records []record.Record, without map[string]bool) []string {
	names, uncounted := []string{}, []string(nil)
	for i := range records {
		switch r := &records[i]; {
		case r.ID == "":
		case without[r.Case.Name]:
			uncounted = append(uncounted, r.FullName())
		default:
			names = append(names, r.FullName())
		}
	}
	return append(names, uncounted...)
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

// remember keeps the results of a test and its records of these full names, and returns
// the file with the records.
func (t Tested) remember(last LastTest, spool *record.Spool, names []string) (string, error) {
	dir, err := t.folder()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	before, _ := readLastTest(dir) // another test of the bot may have ended meanwhile
	last.V, last.Matches = report.JSONVersion, merge(before.Matches, last.Matches)
	text, err := json.Marshal(last)
	if err == nil {
		err = userfile.Replace(filepath.Join(dir, lastFile), text, 0o666)
	}
	if err == nil {
		err = saveRecords(filepath.Join(dir, recordsFile), spool, names)
	}
	if err != nil {
		return "", err
	}
	pruneTests(filepath.Dir(dir), filepath.Base(dir))
	path, to := filepath.Join(dir, "..", "..", lastTestFile), filepath.Join(testsFolder, filepath.Base(dir), recordsFile)
	return path, userfile.Swap(path, func(temp string) error { return makeLink(temp, to) })
}

// saveRecords makes a file hold the records of these full names, or all.
func saveRecords(path string, spool *record.Spool, names []string) error {
	return userfile.ReplaceBy(path, 0o600, func(w io.Writer) error { return spool.Copy(w, maxTestRecords, names) })
}

// pruneTests removes what is known of the bots whose last test is longest ago,
// beyond the bounds, but not that of one.
func pruneTests(dir, keep string) {
	tests := slices.DeleteFunc(build.Entries(dir), func(e build.Entry) bool { return e.Info.Name() == keep })
	slices.SortStableFunc(tests, func(a, b build.Entry) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	for i, e := range tests {
		if i >= maxTests-1 || time.Since(e.Info.ModTime()) > maxTestAge {
			_ = rmtree.Remove(filepath.Join(dir, e.Info.Name()))
		}
	}
}

// LastOfAll returns the file with the records of the last test of all, and what is
// known of that bot's tests. The error wraps fs.ErrNotExist if there was no test.
func LastOfAll() (records string, last LastTest, err error) {
	dir, err := build.CacheDir()
	if err != nil {
		return "", last, err
	}
	path, err := followLink(filepath.Join(dir, lastTestFile))
	if err == nil {
		last, err = readLastTest(filepath.Dir(path))
	}
	if err != nil {
		return "", last, fmt.Errorf("read the last test: %w", err)
	}
	return path, last, nil
}

// LinkToLast returns the link to a file of LastOfAll, which stays the same.
func LinkToLast(records string) string {
	return filepath.Join(filepath.Dir(records), "..", "..", lastTestFile)
}

// FirstFailed returns the first match that failed in a results file, or its only
// match; failed and played count those there.
func (f *Files) FirstFailed(file string) (first record.Record, failed, played int, err error) {
	for r, err := range f.Records(Pick{Files: []string{file}}) {
		if err != nil {
			return first, failed, played, err
		}
		if r.Error != "" {
			continue
		}
		played++
		if r.FirstFailure() != "" {
			failed++
		}
		if played == 1 || failed == 1 && r.FirstFailure() != "" {
			first = r.Record
		}
	}
	return first, failed, played, nil
}

// Absolute returns the absolute form of a path; "" is the working directory.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
