package cli

import "testing"

// TestQuote: what needs it is quoted as the shells of a system have it.
func TestQuote(t *testing.T) {
	for _, c := range []struct{ word, unix, windows string }{
		{`bots/my-bot_1.py`, `bots/my-bot_1.py`, `bots/my-bot_1.py`},
		{`C:\bots\starter.go`, `'C:\bots\starter.go'`, `C:\bots\starter.go`},
		{`C:\my bots\`, `'C:\my bots\'`, `"C:\my bots\\"`},
		{`a=./b.exe 1`, `'a=./b.exe 1'`, `"a=./b.exe 1"`},
		{`it's`, `'it'\''s'`, `"it's"`},
		{`say \"5\5"`, `'say \"5\5"'`, `"say \\\"5\5\""`},
		{`@greedy`, `@greedy`, `"@greedy"`},
		{`a=@greedy`, `a=@greedy`, `a=@greedy`},
		{`50%,1`, `50%,1`, `"50%,1"`},
		{`#1`, `'#1'`, `"#1"`},
		{`(a&b)`, `'(a&b)'`, `"(a&b)"`},
		{``, `''`, `""`},
	} {
		for system, want := range map[string]string{"linux": c.unix, "darwin": c.unix, "windows": c.windows} {
			if got := quoteFor(system, c.word); got != want {
				t.Errorf("%s, %s: found %s, expected %s", system, c.word, got, want)
			}
		}
	}
}
