package program

import (
	"slices"
	"testing"
)

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
		if name, what := SplitName(test[0]); name != test[1] || what != test[2] {
			t.Errorf("%q: got %q, %q", test[0], name, what)
		}
	}
}

func TestDistinguish(t *testing.T) {
	bots := []Bot{{Name: "a"}, {Name: "a"}, {Name: "a-2"}, {Name: "b"}, {Name: "a"}}
	UniqueNames(bots)
	var got []string
	for _, b := range bots {
		got = append(got, b.Name)
	}
	if want := []string{"a", "a-2", "a-2-2", "b", "a-3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
