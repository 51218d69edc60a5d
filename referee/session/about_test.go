package session

import (
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
)

// TestCause: a bot in Java whose heap is bounded, and which passes the limit of memory, may recurse without end.
func TestCause(t *testing.T) {
	about := (&Session{Bots: []program.Bot{
		{Name: "java", Program: &build.Program{Args: []string{"/java", "-Xss64m", "-Xmx160m", "Bot"}}},
		{Name: "c", Program: &build.Program{Args: []string{"/bot"}}},
	}}).About()
	for _, test := range []struct {
		bot  string
		kind protocols.Kind
		want string
	}{
		{"java", protocols.KindMemory, "an endless recursion"},
		{"java", protocols.KindTime, ""},
		{"c", protocols.KindMemory, ""},
		{"@greedy", protocols.KindMemory, ""},
	} {
		got := about.Cause(record.Seat{Bot: test.bot, Verdict: string(test.kind)})
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s, %s: found %q, expected %q", test.bot, test.kind, got, test.want)
		}
	}
}
