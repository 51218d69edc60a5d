package problem

import (
	"fmt"
	"strings"
	"unicode"
)

// Describe sets the text that is printed of the problem: what it is, what is known of it, and
// its statement, if there is one.
func (p *Problem) Describe(what string, statement []byte) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", p.Title, what)
	kind := "batch: a submission reads the input and ends; "
	if p.Interactive {
		kind = "interactive: a submission and the judge read what the other one writes; "
	}
	if p.Passes > 1 {
		kind += fmt.Sprintf("multi-pass: at most %d runs a case; ", p.Passes)
	}
	judge := "its output is compared with the answer, word by word"
	if p.HasJudge() {
		judge = p.Command + p.Judge + " judges"
	}
	if p.Checker != "" {
		judge += ", then " + p.Checker
	}
	fmt.Fprintf(&b, "%s%s\ncases: %d\ntime: %s of CPU time (%s)\n", kind, judge, len(p.Cases), p.Limits.Time, p.LimitFrom)
	if len(statement) > 0 {
		b.WriteString("\n" + plain(string(statement)))
	}
	p.Rules = b.String()
}

// plain returns a text without control characters but tabs and line ends.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}
