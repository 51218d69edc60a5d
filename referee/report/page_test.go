package report_test

import (
	"strings"
	"testing"

	"umpire/referee/report"
)

// TestPage: a page says the same on a terminal and in Markdown, where names are
// names and no markup.
func TestPage(t *testing.T) {
	one := report.Table{Title: "Standings", Header: []string{"rank", "bot"}, Right: []bool{true}}
	one.Add(1, "a|b &lt; <i>c")
	two := report.Table{Header: []string{"case"}}
	two.Add("x_1")
	page := report.Page{Title: "A *game*", Tables: []report.Table{one, two}, Notes: []string{"Winner: _a_", "Second."}}

	var terminal strings.Builder
	page.Print(report.NewPrinter(&terminal))
	if got, want := terminal.String(), `A *game*

Standings
rank  bot
   1  a|b &lt; <i>c

case
x_1

Winner: _a_

Second.
`; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
	var markdown strings.Builder
	if err := page.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	if got, want := markdown.String(), `## A \*game\*

### Standings

| rank | bot               |
| ---: | ----------------- |
|    1 | a\|b \&lt; \<i\>c |

| case |
| ---- |
| x_1  |

Winner: \_a\_

Second.
`; got != want {
		t.Errorf("found\n%s\nexpected\n%s", got, want)
	}
}
