package report

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"umpire/referee/pattern"
)

// Annotation is a remark of a check's failure at a line of a file, as code hosts show
// it.
type Annotation struct {
	File  string // "" if the failure is of no file
	Line  int    // 0 if it is of no line
	Title string
	Text  string
}

// maxAnnotations is how many remarks of one step code hosts show.
const maxAnnotations = 10

// Annotate makes an annotation for each cause of failure: checks that failed alike at
// the same line share one. FileOf returns the file of a suite's subject; "" if it has
// none.
func Annotate(suites []Suite, fileOf func(suite string) string) (list []Annotation) {
	type cause struct {
		suite, verdict string
		line           int
	}
	at, more := make(map[cause]int), make(map[int]int)
	for _, s := range suites {
		file := fileOf(s.Name)
		for _, c := range s.Checks {
			verdict := c.Verdict
			if c.Error != "" {
				verdict = "not judged"
			}
			if verdict == "" || verdict == "ok" {
				continue
			}
			why := cause{s.Name, verdict, lineIn(c.Detail+"\n"+c.More+"\n"+c.Stderr, file)}
			if n, known := at[why]; known {
				more[n]++
				continue
			}
			at[why] = len(list)
			list = append(list, Annotation{File: file, Line: why.line, Title: s.Name + ", " + c.Name + ": " + verdict, Text: c.Error + c.Detail})
		}
	}
	for n, count := range more {
		list[n].Text += fmt.Sprintf(" (and on %d more)", count)
	}
	return list[:min(len(list), maxAnnotations)]
}

// lineForm matches how programs and compilers name a line of a file: Python's traces,
// and FILE:LINE.
var lineForm = pattern.New(`File "([^"\n]+)", line (\d+)|([^\s"'():]+):(\d+)`)

// lineIn returns the line of a file that a text names: the last one in a trace of
// Python, which ends where it went wrong, else the first one; 0 if it names none.
func lineIn(text, file string) (line int) {
	if file == "" {
		return 0
	}
	for _, m := range lineForm().FindAllStringSubmatch(text, -1) {
		name, number := m[1]+m[3], m[2]+m[4]
		if filepath.Base(name) != filepath.Base(file) {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		if line = n; m[3] != "" {
			return line
		}
	}
	return line
}

// GitHub returns the annotation as a command of GitHub Actions.
func (n Annotation) GitHub() string {
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	value := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	at := enclosed(value.Replace(n.File), "file=", ",")
	if n.File != "" && n.Line > 0 {
		at += fmt.Sprintf("line=%d,", n.Line)
	}
	return "::error " + at + "title=" + value.Replace(n.Title) + "::" + text.Replace(n.Text)
}
