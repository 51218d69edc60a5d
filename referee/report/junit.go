package report

import (
	"encoding/xml"
	"io"
	"strings"
	"time"
)

// Suite is a set of checks with one subject, such as a submission or a bot.
type Suite struct {
	Name   string
	Checks []Check
}

// Check is one thing that passed or failed, such as a submission's match on a
// case.
type Check struct {
	Group string // the group of its case
	Name  string
	Time  time.Duration

	// Verdict is "" or "ok", or says why the check failed; Detail explains it
	// in a sentence. Error is set if it could not be judged at all, and Skipped if there was
	// nothing to judge it with.
	Verdict string
	Detail  string
	Error   string
	Skipped string
	More    string // what else explains it, in lines
	Stderr  string // what the subject wrote to standard error
}

// The elements of JUnit XML as Jenkins and GitLab read it. There is no
// timestamp: the same results give the same bytes.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCount
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCount
		Cases []junitCase `xml:"testcase"`
	}
	junitCount struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr,omitempty"`
		Time     string `xml:"time,attr,omitempty"`
	}
	junitCase struct {
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		Time    string      `xml:"time,attr,omitempty"`
		Failure *junitFault `xml:"failure"`
		Error   *junitFault `xml:"error"`
		Skipped *junitFault `xml:"skipped"`
		Stderr  string      `xml:"system-err,omitempty"`
	}
	junitFault struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes suites as JUnit XML, under a common name.
func WriteJUnit(w io.Writer, name string, suites []Suite) error {
	all := junitSuites{Name: Safe(name).fit}
	var sum time.Duration
	for _, s := range suites {
		one, spent := s.junit()
		all.Tests += one.Tests
		all.Failures += one.Failures
		all.Errors += one.Errors
		all.Skipped += one.Skipped
		sum += spent
		all.Suites = append(all.Suites, one)
	}
	all.Time = seconds(sum)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s Suite) junit() (out junitSuite, spent time.Duration) {
	out.Name = Safe(s.Name).fit
	out.Tests = len(s.Checks)
	for _, c := range s.Checks {
		one := junitCase{Class: out.Name, Name: Safe(c.Name).fit, Time: seconds(c.Time), Stderr: Safe(c.Stderr).fit}
		if c.Group != "" {
			one.Class += "." + Safe(c.Group).fit
		}
		switch {
		case c.Skipped != "":
			out.Skipped++
			one.Skipped = &junitFault{Message: Safe(c.Skipped).fit}
		case c.Error != "":
			out.Errors++
			one.Error = &junitFault{Type: "umpire", Message: Safe(c.Error).fit, Text: Safe(c.Error).fit}
		case c.Verdict != "" && c.Verdict != "ok":
			out.Failures++
			one.Failure = &junitFault{Type: c.Verdict, Message: Safe(c.Verdict + ": " + c.Detail).fit, Text: Safe(strings.TrimRight(c.Detail+"\n"+c.More, "\n")).fit}
		}
		spent += c.Time
		out.Cases = append(out.Cases, one)
	}
	out.Time = seconds(spent)
	return out, spent
}
