package collect

import "testing"

// TestTail: the end of a text begins with a line.
func TestTail(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"one\ntwo", "one\ntwo"}, {"one\ntwo\nthree", "…\ntwo\nthree"}, {"longer than that\nthree", "…\nthree"}, {"ééééééééééé", "…\nééééé"}, {"", ""},
	} {
		if got := tail(test.text, 10); got != test.want {
			t.Errorf("%q: found %q, expected %q", test.text, got, test.want)
		}
	}
}
