package build

import (
	"slices"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string // nil: an error
	}{
		{"python3 -O alice.py", []string{"python3", "-O", "alice.py"}},
		{"  a\t b  ", []string{"a", "b"}},
		{`a 'b c' "d e"`, []string{"a", "b c", "d e"}},
		{`a\ b c`, []string{"a b", "c"}},
		{`"a\"b" 'a\b'`, []string{`a"b`, `a\b`}},
		{`"a\nb"`, []string{`a\nb`}},
		{`'' x`, []string{"", "x"}},
		{`a"b"'c'`, []string{"abc"}},
		{`a $HOME *`, []string{"a", "$HOME", "*"}},
		{`a 'b`, nil},
		{`a "b`, nil},
		{`a \`, nil},
		{` `, nil},
	} {
		got, err := SplitWords(test.text)
		if !slices.Equal(got, test.want) || (err != nil) != (test.want == nil) {
			t.Errorf("%q: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}
