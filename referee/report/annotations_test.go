package report_test

import (
	"strings"
	"testing"

	"umpire/referee/report"
)

// TestAnnotate: a cause is shown once, at the line of the bot's own file.
func TestAnnotate(t *testing.T) {
	trace := "Traceback:\n  File \"/tmp/x/bot.py\", line 9, in <module>\n  File \"/tmp/x/bot.py\", line 4, in f\n  File \"/usr/lib/json.py\", line 7\n"
	suites := []report.Suite{{Name: "bot", Checks: []report.Check{
		{Name: "a", Verdict: "ok"},
		{Name: "b", Verdict: "crash", Detail: "100%", Stderr: trace},
		{Name: "c", Verdict: "crash", Detail: "other words", Stderr: trace},
		{Name: "d", Verdict: "compile", Detail: "bot.py:12:3: error\nbot.py:14:1: error"},
		{Name: "e", Error: "no room"},
	}}}
	var got []string
	for _, n := range report.Annotate(suites, func(string) string { return "my/bot.py" }) {
		got = append(got, n.GitHub())
	}
	want := []string{
		"::error file=my/bot.py,line=4,title=bot%2C b%3A crash::100%25 (and on 1 more)",
		"::error file=my/bot.py,line=12,title=bot%2C d%3A compile::bot.py:12:3: error%0Abot.py:14:1: error",
		"::error file=my/bot.py,title=bot%2C e%3A not judged::no room",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
