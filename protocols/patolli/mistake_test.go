package patolli

import (
	"testing"

	"umpire/protocols"
)

// TestMistake counts lines that are wrong, missing and too many.
func TestMistake(t *testing.T) {
	const line = "4 14 24 1 8 12 6 6 3 5 1 5 6"
	c, err := parse(line + "\n" + line)
	if err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]*protocols.Mistake{
		"13 15 18\n1. 13 15 18\n": {Line: 2, Found: "1. 13 15 18", Expected: "13 15 18", At: 1, Wrong: 1, InputLine: 2},
		"13 15 18\n2. 13 015 18":  nil,
		"\n13 15 18\n":            {Line: 2, Found: protocols.TheEnd, Expected: "13 15 18", At: -1, Wrong: 1, InputLine: 2}, // not line 1
		"?\n13 15 18\n":           {Line: 1, Found: "?", Expected: "13 15 18", At: 0, Wrong: 1, InputLine: 1},
		"3 15 18\n\n":             {Line: 1, Found: "3 15 18", Expected: "13 15 18", At: 0, Wrong: 2, InputLine: 1},
		"13 15 18\n":              {Line: 2, Found: protocols.TheEnd, Expected: "13 15 18", At: -1, Wrong: 1, InputLine: 2},
		"13 15 18\n13 15 18\n7\n8": {
			Line: 3, Found: "7", Expected: protocols.TheEnd, At: -1, Extra: 2,
		},
	} {
		m := c.Start(1)
		m.Next()
		m.Reply(1, output)
		got := m.(protocols.Explainer).Mistake()
		if (got == nil) != (m.Result()[0].Wrong == "") {
			t.Errorf("%q: got %+v, and wrong is %q", output, got, m.Result()[0].Wrong)
		}
		if got == nil || want == nil {
			if got != want {
				t.Errorf("%q: got %+v, expected %+v", output, got, want)
			}
			continue
		}
		if got.Line != want.Line || got.Found != want.Found || got.Expected != want.Expected || got.At != want.At ||
			got.Wrong != want.Wrong || got.Lines != 2 || got.Extra != want.Extra || got.InputLine != want.InputLine {
			t.Errorf("%q: got %+v, expected %+v", output, got, want)
		}
	}
}
