package report

import (
	"fmt"
	"strings"
	"time"
)

// StressResult is an input on which two submissions to a problem package get different verdicts
// or scores.
type StressResult struct {
	Game      string      `json:"game"`
	Isolation string      `json:"isolation"`
	Generator string      `json:"generator"`
	Answers   string      `json:"answers_from,omitempty"` // the submission whose output is the answer; "": answers are empty
	Tries     int         `json:"tries"`
	Found     bool        `json:"found"`
	Seed      int         `json:"seed,omitempty"`
	Size      int         `json:"size,omitempty"`
	Lines     int         `json:"generated_lines,omitempty"`
	LinesLeft int         `json:"lines,omitempty"`
	Input     string      `json:"input,omitempty"` // files
	Answer    string      `json:"answer,omitempty"`
	Text      string      `json:"text,omitempty"` // the input
	Bots      []StressBot `json:"bots,omitempty"`
	Again     string      `json:"again,omitempty"` // the command that judges it again
}

// StressBot is what one of the two gets.
type StressBot struct {
	Name    string  `json:"bot"`
	Verdict string  `json:"verdict"`
	Score   float64 `json:"score"`
	Detail  string  `json:"detail,omitempty"`
	CPUUS   int64   `json:"cpu_us"`
}

// Stress shows a StressResult.
type Stress struct {
	Title  string
	Result StressResult
	Quiet  bool
}

// mostShownLines is how many lines of an input are printed.
const mostShownLines = 20

// Print prints the result for people.
func (v Stress) Print(p *Printer) {
	r := v.Result
	if !r.Found {
		p.Printf("no difference on %s\n", Plural(r.Tries, "input"))
		return
	}
	if !v.Quiet {
		p.Printf("%s\n\n", p.Style(Bold, v.Title))
	}
	lines := Plural(r.LinesLeft, "line")
	if r.LinesLeft < r.Lines {
		lines += fmt.Sprintf(" of %d", r.Lines)
	}
	p.Printf("%s and %s differ on seed %d, size %d: %s, the %s input\n\n", r.Bots[0].Name, r.Bots[1].Name, r.Seed, r.Size, lines, ordinal(r.Tries))
	t := Table{Header: []string{"bot", "verdict", "score", "time", "detail"}, Right: []bool{false, false, true, true, false}, Spare: []int{0, 0, 0, 0, 1}, PlainHeader: true}
	for _, b := range r.Bots {
		t.Add(b.Name, b.Verdict, exact(b.Score), micros(b.CPUUS).Round(time.Millisecond), strings.Join(strings.Fields(b.Detail), " "))
	}
	p.Table(t)
	if text := strings.TrimRight(r.Text, "\n"); !v.Quiet && r.LinesLeft <= mostShownLines && len(text) < 2000 {
		p.Printf("\n%s\n", Safe(text))
	}
	p.Printf("\nthe input is in %s", r.Input)
	if r.Answers != "" {
		p.Printf(", the answer of %s in %s", r.Answers, r.Answer)
	}
	p.Printf("\nto judge it again: %s\n", r.Again)
}
