package page

import "testing"

// TestPublished: of files only names are published, wherever their folders stand in a text;
// what is no path, or is the same on all machines, stays.
func TestPublished(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`  File "/home/eve/My Bots/alice.py", line 3, in <module>`, `  File "alice.py", line 3, in <module>`},
		{"/srv/contest/x.cpp:1:5: error: expected", "x.cpp:1:5: error: expected"},
		{"umpire tournament ioiwari alice=/home/eve/a.py '/home/eve/b c/d.py' -o ~/runs/1", "umpire tournament ioiwari alice=a.py 'd.py' -o 1"},
		{`C:\Users\eve\a.py:1: bad`, `a.py:1: bad`},
		{`  File "/usr/lib/python3.11/json/decoder.py", line 355`, `  File "/usr/lib/python3.11/json/decoder.py", line 355`},
		{"took 3 s/move, 1/2/3 and https://example.org/a/b and x / y", "took 3 s/move, 1/2/3 and https://example.org/a/b and x / y"},
		{"./bots/alice.py and bots/bob.py", "./bots/alice.py and bots/bob.py"},
	} {
		if got := Published(test.text); got != test.want {
			t.Errorf("%q becomes %q, expected %q", test.text, got, test.want)
		}
	}
}
