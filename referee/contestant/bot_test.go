package contestant

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
		got, err := splitWords(test.text)
		if !slices.Equal(got, test.want) || (err != nil) != (test.want == nil) {
			t.Errorf("%q: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

func TestSplitName(t *testing.T) {
	for _, test := range [][3]string{
		{"alice=./alice.py", "alice", "./alice.py"},
		{"./a=b", "", "./a=b"},
		{"@greedy", "", "@greedy"},
		{"bob=@greedy", "bob", "@greedy"},
		{"x=y=z", "x", "y=z"},
		{"env A=1 ./bot", "", "env A=1 ./bot"},
		{"=x", "", "=x"},
	} {
		if name, what := splitName(test[0]); name != test[1] || what != test[2] {
			t.Errorf("%q: got %q, %q", test[0], name, what)
		}
	}
}

func TestDistinguish(t *testing.T) {
	bots := []Bot{{Name: "a"}, {Name: "a"}, {Name: "a-2"}, {Name: "b"}, {Name: "a"}}
	Distinguish(bots)
	var got []string
	for _, b := range bots {
		got = append(got, b.Name)
	}
	if want := []string{"a", "a-2", "a-2-2", "b", "a-3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
