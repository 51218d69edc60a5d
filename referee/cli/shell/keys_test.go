package shell

import (
	"slices"
	"testing"
)

// TestKeys reads what terminals send for keys, all together and byte by byte.
func TestKeys(t *testing.T) {
	for _, test := range []struct {
		sent string
		want []key
	}{
		{"q", []key{'q'}},
		{"\r \x7f\x04", []key{enter, space, backspace, ctrlD}},
		{"\x1b[A\x1b[B\x1b[C\x1b[D", []key{up, down, right, left}},
		{"\x1bOA\x1bOD\x1bOH\x1bOF", []key{up, left, home, end}}, // application mode
		{"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", []key{home, end, home, end, home, end}},
		{"\x1b[5~\x1b[6~", []key{pageUp, pageDown}},
		{"\x1b[1;5C\x1b[5;2~", []key{right, pageUp}}, // with Ctrl, with Shift
		{"\x1b[15~x\x1b[2~y\x1b[Zz", []key{'x', 'y', 'z'}},
		{"\x1bq", []key{'q'}},
		{"é中q", []key{'q'}},
		{"\x1b[" + "1111111111111111111111q", []key{'1', '1', '1', '1', '1', '1', 'q'}},
	} {
		var whole, bits keyReader
		got := whole.read([]byte(test.sent))
		var single []key
		for i := range len(test.sent) {
			single = append(single, bits.read([]byte(test.sent[i:i+1]))...)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: found %v, expected %v", test.sent, got, test.want)
		}
		if !slices.Equal(single, got) {
			t.Errorf("%q: byte by byte %v, together %v", test.sent, single, got)
		}
	}
}
