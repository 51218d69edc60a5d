package kattis

import (
	"path"
	"slices"
	"strings"

	"umpire/referee/external"
)

// expectation is what is expected of the submissions in a folder.
type expectation struct{ permitted, required []string }

// expected says what is expected of submissions by the name of their folder: in older
// formats of the whole, in newer ones of the cases, each of which must have a permitted
// result and at least one a required.
func expected(folder string, each bool) (e expectation, known bool) {
	const ac, wa, tle, rte = external.Accepted, external.WrongWay, external.TooSlow, external.FailedRun
	switch folder {
	case "accepted":
		return expectation{[]string{ac}, []string{ac}}, true
	case "partially_accepted":
		return expectation{[]string{ac}, []string{ac}}, !each
	case "wrong_answer":
		e.required = []string{wa}
	case "time_limit_exceeded":
		e.required = []string{tle}
	case "run_time_error":
		e.required = []string{rte}
	case "rejected":
		e.required = []string{wa, tle, rte}
	case "brute_force":
		e.required = []string{tle, rte}
	default:
		return e, false
	}
	if e.permitted = slices.Clone(e.required); each {
		e.permitted = append(e.permitted, ac)
	}
	return e, true
}

// results are the classes of DOMjudge's words for results.
var results = map[string]string{
	"CORRECT": external.Accepted, "WRONG-ANSWER": external.WrongWay, "WRONG_ANSWER": external.WrongWay, "NO-OUTPUT": external.WrongWay, "NO_OUTPUT": external.WrongWay,
	"TIMELIMIT": external.TooSlow, "TIME_LIMIT_EXCEEDED": external.TooSlow, "RUN-ERROR": external.FailedRun, "RUN_TIME_ERROR": external.FailedRun,
	"OUTPUT-LIMIT": external.FailedRun, "OUTPUT_LIMIT": external.FailedRun, "COMPILER-ERROR": external.NoProgram, "COMPILER_ERROR": external.NoProgram,
	"ACCEPTED": external.Accepted, "TIMELIMIT-EXCEEDED": external.TooSlow,
}

// mark begins a line of a submission that says which results it may get.
const mark = "@EXPECTED_RESULTS@:"

// scoreMark begins a line that says which score a submission gets.
const scoreMark = "@EXPECTED_SCORE@:"

// markedScore returns what a submission's own text says of its score: a number, or two
// with a dash between them.
func markedScore(text string) (r external.ScoreRange, err error) {
	_, rest, found := strings.Cut(text, scoreMark)
	if !found {
		return r, nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	low, high, isRange := strings.Cut(strings.TrimRight(strings.TrimSpace(line), "*/ \t"), "-")
	if r.Low, err = external.ParseNumber(low); err == nil {
		if r.High = r.Low; isRange {
			r.High, err = external.ParseNumber(high)
		}
	}
	return r, err
}

// marked returns what a submission's own text says of its result.
func marked(text string) (classes []string, unknown string) {
	_, rest, found := strings.Cut(text, mark)
	if !found {
		return nil, ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	for _, word := range strings.Split(strings.TrimRight(strings.TrimSpace(line), "*/ \t"), ",") {
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

// findSubmissions finds the submissions that come with the package.
func (f *folder) findSubmissions() error {
	f.EachCase = !f.legacy()
	for _, dir := range f.in("submissions") {
		if !f.dirs[dir] {
			continue
		}
		e, known := expected(path.Base(dir), f.EachCase)
		for _, name := range f.in(dir) {
			s := external.Submission{Name: strings.TrimPrefix(name, "submissions/"), Permitted: e.permitted, Required: e.required}
			switch ext := path.Ext(name); {
			case slices.Contains([]string{".md", ".txt", ".yaml", ".h", ".hpp"}, ext) && !f.dirs[name]:
				continue
			case !known && f.dirs[name]:
				f.warn("%s: not tried: nothing says what is expected of it", name)
				continue
			case !f.dirs[name]:
				text, err := f.text(name)
				if err != nil {
					return err
				}
				if s.Score, err = markedScore(string(text)); err != nil {
					return f.mistake(name, 0, "%s %w", scoreMark, err)
				}
				if path.Base(dir) == "partially_accepted" && f.Grading != nil && s.Score == (external.ScoreRange{}) {
					s.Score.High, s.Score.Below = f.Grading.Most(), true
				}
				if known {
					break
				}
				classes, unknown := marked(string(text))
				if unknown != "" {
					return f.mistake(name, 0, "%s found %q, expected results such as CORRECT or WRONG-ANSWER", mark, unknown)
				}
				if len(classes) == 0 {
					f.warn("%s: not tried: nothing says what is expected of it", name)
					continue
				}
				s.Required, s.Permitted = classes, classes
				if f.EachCase {
					s.Permitted = append(slices.Clone(classes), external.Accepted)
				}
			}
			f.Submissions = append(f.Submissions, s)
		}
	}
	return nil
}
