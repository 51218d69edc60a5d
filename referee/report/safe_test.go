package report_test

import (
	"encoding/json"
	"testing"

	"umpire/referee/report"
)

func TestSafe(t *testing.T) {
	for _, test := range []struct{ text, safe, line string }{
		{"plain übung 1×2\t\n", "plain übung 1×2\t\n", `plain übung 1×2\t\n`},
		{"\x1b[2J\r\a", `\x1b[2J\r\a`, `\x1b[2J\r\a`},
		{"\u009b31m\u202e\u2066\u200b", `\u009b31m\u202e\u2066\u200b`, `\u009b31m\u202e\u2066\u200b`},
		{"\ufffdh\xc3\xa9\xef\xbf", "\ufffdhé\\xef\\xbf", "\ufffdhé\\xef\\xbf"},
		{"a\xffb\U000e0001", `a\xffb\U000e0001`, `a\xffb\U000e0001`},
	} {
		if got := report.Safe(test.text).String(); got != test.safe || report.Safe(got).String() != got {
			t.Errorf("Safe(%q) is %q, expected %q", test.text, got, test.safe)
		}
		if got := report.SafeLine(test.text).String(); got != test.line {
			t.Errorf("SafeLine(%q) is %q, expected %q", test.text, got, test.line)
		}
	}
}

func FuzzSafeJSON(f *testing.F) {
	f.Add("\x7f\u009b\u202e\U000e0001 \ufffd ü")
	f.Fuzz(func(t *testing.T, text string) {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		written := report.SafeJSON(want)
		var before, after string
		if json.Unmarshal(want, &before) != nil || json.Unmarshal(written, &after) != nil || before != after {
			t.Errorf("%q is written as %s", text, written)
		}
		if line := string(written); report.SafeLine(line).String() != line {
			t.Errorf("%q is not fit for a terminal", line)
		}
	})
}
