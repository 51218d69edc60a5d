package report

import (
	"strings"
	"testing"
)

// TestSay: a terminal's lines are broken between words, but commands stay whole
// and columns are left alone; without a terminal nothing is broken.
func TestSay(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"prose", "a bot that waits for a line\n", "a bot that waits for\na line\n"},
		{"as wide as the terminal", "twenty letters, not 1\n20 letters, not more\n", "twenty letters, not\n1\n20 letters, not more\n"},
		{"indented", "  note: it wrote 99 lines\n", "  note: it wrote 99\n  lines\n"},
		{"command", "  again: umpire test ioiwari 'a b.py'\n", "  again:\n  umpire test ioiwari 'a b.py'\n"},
		{"quoted command", "expected `umpire test GAME BOT` or --help\n", "expected\n`umpire test GAME BOT`\nor --help\n"},
		{"columns", "   12 |     return x + y;\n", "   12 |     return x + y;\n"},
		{"source code", "    return f(x, y) ;\n", "    return f(x, y) ;\n"},
		{"wide characters", "机器人 机器人机器人 机器人\n", "机器人 机器人机器人\n机器人\n"},
		{"colours", "\x1b[31m20 letters,\x1b[0m not more\n", "\x1b[31m20 letters,\x1b[0m not more\n"},
	} {
		var narrow, file strings.Builder
		p := NewPrinter(&narrow)
		p.Columns = func() int { return 20 }
		p.Say("%s", Text{test.text})
		if narrow.String() != test.want {
			t.Errorf("%s: %q, expected %q", test.name, narrow.String(), test.want)
		}
		if NewPrinter(&file).Say("%s", Text{test.text}); file.String() != test.text {
			t.Errorf("%s: %q in a file", test.name, file.String())
		}
	}
}
