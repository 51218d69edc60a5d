package terminal

import (
	"slices"
	"testing"
)

// TestKeys reads what terminals send for keys, all together and byte by byte.
func TestKeys(t *testing.T) {
	for _, test := range []struct {
		sent string
		want []Key
	}{
		{"q", []Key{'q'}},
		{"\r \x7f\x04", []Key{Enter, Space, Backspace, CtrlD}},
		{"\x1b[A\x1b[B\x1b[C\x1b[D", []Key{Up, Down, Right, Left}},
		{"\x1bOA\x1bOD\x1bOH\x1bOF", []Key{Up, Left, Home, End}}, // application mode
		{"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", []Key{Home, End, Home, End, Home, End}},
		{"\x1b[5~\x1b[6~", []Key{PageUp, PageDown}},
		{"\x1b[1;5C\x1b[5;2~", []Key{Right, PageUp}}, // with Ctrl, with Shift
		{"\x1b[15~x\x1b[2~y\x1b[Zz", []Key{'x', 'y', 'z'}},
		{"\x1bq", []Key{'q'}},
		{"é中q", []Key{'q'}},
		{"\x1b[" + "1111111111111111111111q", []Key{'1', '1', '1', '1', '1', '1', 'q'}},
	} {
		var whole, bits keys
		got := whole.read([]byte(test.sent))
		var single []Key
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
