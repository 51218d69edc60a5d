package kattis

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"umpire/referee/external/problem"
)

// required lists the classes of verdicts of which submissions must get one, by the name of their
// folder.
var required = map[string][]string{
	"accepted":            {problem.Accepted},
	"partially_accepted":  {problem.Accepted},
	"wrong_answer":        {problem.WrongWay},
	"time_limit_exceeded": {problem.TooSlow},
	"run_time_error":      {problem.FailedRun},
	"rejected":            {problem.WrongWay, problem.TooSlow, problem.FailedRun},
	"brute_force":         {problem.TooSlow, problem.FailedRun},
}

// before lists the classes of verdicts that submissions may get, in older formats, on cases before
// the one with a required verdict.
var before = map[string][]string{
	"time_limit_exceeded": {problem.WrongWay},
	"run_time_error":      {problem.WrongWay, problem.TooSlow},
}

// expectFolder sets what is expected of a submission by its folder, and reports whether that
// says anything: in older formats of the whole, in newer ones of the cases, each of which must
// have a permitted result and at least one a required.
func expectFolder(f *folder, s *problem.Submission) (known bool) {
	dir, each := path.Dir(s.Name), f.problem.EachCase
	if each && dir == "partially_accepted" {
		return false
	}
	s.Required, known = required[dir]
	if s.Permitted = s.Required; known && each && dir != "accepted" {
		s.Permitted = append(slices.Clone(s.Required), problem.Accepted)
	}
	if more := before[dir]; more != nil && !each {
		s.Permitted = append(slices.Clone(s.Required), more...)
	}
	return known
}

// results are the classes of DOMjudge's words for results.
var results = map[string]string{
	"CORRECT": problem.Accepted, "WRONG-ANSWER": problem.WrongWay, "WRONG_ANSWER": problem.WrongWay, "NO-OUTPUT": problem.WrongWay, "NO_OUTPUT": problem.WrongWay,
	"TIMELIMIT": problem.TooSlow, "TIME_LIMIT_EXCEEDED": problem.TooSlow, "RUN-ERROR": problem.FailedRun, "RUN_TIME_ERROR": problem.FailedRun,
	"OUTPUT-LIMIT": problem.FailedRun, "OUTPUT_LIMIT": problem.FailedRun, "COMPILER-ERROR": problem.NoProgram, "COMPILER_ERROR": problem.NoProgram,
	"ACCEPTED": problem.Accepted, "TIMELIMIT-EXCEEDED": problem.TooSlow,
}

// mark begins a line of a submission that says which results it may get.
const mark = "@EXPECTED_RESULTS@:"

// scoreMark begins a line that says which score a submission gets.
const scoreMark = "@EXPECTED_SCORE@:"

// markedLine returns what follows a mark in a submission's own text.
func markedLine(text, mark string) (line string, found bool) {
	_, rest, found := strings.Cut(text, mark)
	line, _, _ = strings.Cut(rest, "\n")
	return strings.TrimRight(strings.TrimSpace(line), "*/ \t"), found
}

// markedScore returns what a submission's own text says of its score: a number, or two
// with a dash between them.
func markedScore(text string) (r problem.ScoreRange, err error) {
	line, found := markedLine(text, scoreMark)
	if !found {
		return r, nil
	}
	low, high, isRange := strings.Cut(line, "-")
	if r.Low, err = problem.ParseNumber(low); err == nil {
		if r.High = r.Low; isRange {
			r.High, err = problem.ParseNumber(high)
		}
	}
	return r, err
}

// marked returns what a submission's own text says of its result.
func marked(text string) (classes []string, unknown string) {
	line, _ := markedLine(text, mark)
	for word := range strings.SplitSeq(line, ",") {
		word = strings.ToUpper(strings.TrimSpace(word))
		class := results[word]
		if class == "" {
			return nil, word
		}
		if !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
	}
	return classes, ""
}

// findSubmissions finds the submissions that come with the package, and what is expected
// of each: by submissions.yaml, by its folder or, where neither says so, by its own text; and
// by which of them a time limit is inferred.
func findSubmissions(f *folder, m *manifest) error {
	clauses, err := readExpectations(f)
	if err != nil {
		return err
	}
	mains, err := readMains(f)
	if err != nil {
		return err
	}
	var timed []problem.Timed
	f.problem.EachCase = !f.isLegacy() || f.Files[expectationsFile] != ""
	for _, dir := range f.In("submissions") {
		if !f.Dirs[dir] && !isNone(dir) {
			f.problem.Warn("%s: not tried: expected it in a folder, such as submissions/accepted", dir)
		}
		for _, name := range f.In(dir) {
			if !f.Dirs[name] && isNone(name) {
				continue
			}
			s := problem.Submission{Name: strings.TrimPrefix(name, "submissions/"), Main: mains[name]}
			told, on, err := expect(f, &s, clauses)
			if err != nil {
				return err
			}
			if len(on) > 0 {
				timed = append(timed, problem.Timed{Submission: s.Name, Main: s.Main, Cases: on})
			}
			text, at, err := markedText(f, name)
			if err == nil && !told {
				told, err = expectMarked(f, &s, text, at)
			}
			if err == nil && told {
				err = expectScore(f, &s, text, at)
			}
			if err != nil {
				return err
			}
			if !told {
				f.problem.Warn("%s: not tried: nothing says what is expected of it", name)
				continue
			}
			if err := checkConsistent(f, s); err != nil {
				return err
			}
			f.problem.Submissions = append(f.problem.Submissions, s)
		}
	}
	return findTiming(f, m, timed)
}

// isNone reports whether a file among submissions is none, by its suffix.
func isNone(name string) bool {
	return slices.Contains([]string{".md", ".txt", ".yaml", ".h", ".hpp"}, path.Ext(name))
}

// expect sets what submissions.yaml and the folder of a submission say of it, reports whether
// they say anything, and returns the cases on which its time counts for the time limit.
func expect(f *folder, s *problem.Submission, clauses []clause) (told bool, on []string, err error) {
	dir := path.Dir(s.Name)
	told = expectFolder(f, s)
	limit := "" // what is said of the time limit beside what the folder expects
	timed := make(map[string]bool)
	for _, c := range clauses {
		if !c.on.Covers(s.Name) {
			continue
		}
		if c.main != "" {
			s.Main = c.main
		}
		for _, one := range c.list {
			if c.key == dir && one.On == "" { // in the place of what the folder says
				if one.Permitted != nil {
					s.Permitted, told = one.Permitted, true
				}
				if one.Required != nil {
					s.Required, told = one.Required, true
				}
				one.Permitted, one.Required, limit = nil, nil, one.Limit
			}
			for _, name := range timedCases(f, one) {
				timed[name] = true
			}
			if one.Permitted == nil && one.Required == nil && one.Score == (problem.ScoreRange{}) && one.Message == "" {
				continue
			}
			r, err := rule(f, c, one)
			if err != nil {
				return false, nil, err
			}
			s.Rules, told = append(s.Rules, r), true
		}
	}
	if !f.problem.EachCase && dir != "accepted" { // by these alone
		limit = "no"
	}
	for _, name := range timedCases(f, said{Rule: problem.Rule{Permitted: s.Permitted}, Limit: limit}) {
		timed[name] = true
	}
	return told, slices.Sorted(maps.Keys(timed)), nil
}

// expectMarked sets what a submission's own text says of it, and reports whether that says
// anything.
func expectMarked(f *folder, s *problem.Submission, text, at string) (told bool, err error) {
	classes, unknown := marked(text)
	if unknown != "" {
		return false, f.Mistake(at, f.lineIn(at, mark), "%s found %q, expected results such as CORRECT or WRONG-ANSWER", mark, unknown)
	}
	if len(classes) == 0 {
		return false, nil
	}
	if s.Required, s.Permitted = classes, classes; f.problem.EachCase {
		s.Permitted = append(slices.Clone(classes), problem.Accepted)
	}
	return true, nil
}

// markedText returns the text of a submission's file that says what is expected; "" if
// none does.
func markedText(f *folder, name string) (text, at string, err error) {
	for _, one := range f.filesOf(name) {
		b, err := f.Text(one)
		if err != nil {
			return "", "", err
		}
		if text := string(b); strings.Contains(text, mark) || strings.Contains(text, scoreMark) {
			return text, one, nil
		}
	}
	return "", "", nil
}

// expectScore sets what a submission's own text, and its folder, say of its score.
func expectScore(f *folder, s *problem.Submission, text, at string) (err error) {
	if s.Score, err = markedScore(text); err != nil {
		return f.Mistake(at, f.lineIn(at, scoreMark), "%s %w", scoreMark, err)
	}
	if path.Dir(s.Name) == "partially_accepted" && f.problem.Grading != nil && s.Score == (problem.ScoreRange{}) {
		s.Score.High, s.Score.Below = f.problem.Grading.Most(), true
	}
	return nil
}

// readMains reads the entry points that submissions.json names, a file of DOMjudge's.
func readMains(f *folder) (map[string]string, error) {
	const name = "submissions.json"
	if f.Files[name] == "" {
		return nil, nil
	}
	text, err := f.Text(name)
	if err != nil {
		return nil, err
	}
	var all map[string]struct {
		Main string `json:"entry_point"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, f.Mistake(name, 0, "%w; expected {\"submissions/accepted/a.py\": {\"entry_point\": …}}", err)
	}
	mains := make(map[string]string)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		one := all[path]
		if path = strings.TrimSuffix(path, "/"); f.Files[path] == "" && !f.Dirs[path] {
			f.problem.Warn("%s: found no submission %s", name, path)
		}
		mains[path] = one.Main
	}
	return mains, nil
}
