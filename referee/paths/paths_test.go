package paths

import "testing"

func TestIn(t *testing.T) {
	var n Names
	n.Add("/home/ann", "~")
	n.Add("/home/ann/.cache/b/77/src", "")
	n.Add("/home/ann/.cache/b/88/src", "./bots/it")
	n.Add("/home/ann/typed.py", "typed.py")
	n.Add("a.cpp", "sub/a.cpp")
	n.Add("./a.cpp", "sub/a.cpp")
	for text, want := range map[string]string{
		"":               "",
		"nothing / here": "nothing / here",
		`File "/home/ann/.cache/b/77/src/my.py", line 63`:                  `File "my.py", line 63`,
		"/home/ann/.cache/b/77/src:":                                       ".:",
		"at file:///home/ann/.cache/b/77/src/my.mjs:1:2":                   "at my.mjs:1:2",
		"/home/ann/.cache/b/88/src/x/y.go:3 in /home/ann/.cache/b/88/src.": "./bots/it/x/y.go:3 in ./bots/it.",
		"/home/ann/.cache/b/88/src2/y.go":                                  "~/.cache/b/88/src2/y.go",
		"/home/anna/x /mnt/home/ann/x":                                     "/home/anna/x /mnt/home/ann/x",
		"/home/ann/typed.py:1 /home/ann/typed.pyc":                         "typed.py:1 ~/typed.pyc",
		"a.cpp:1:2 ./a.cpp:3 (a.cpp) other/a.cpp aa.cpp ../a.cpp a.cpp.o":  "sub/a.cpp:1:2 sub/a.cpp:3 (sub/a.cpp) other/a.cpp aa.cpp ../a.cpp a.cpp.o",
	} {
		if got := n.In(text); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
	if got := (Names{}).In("/home/ann"); got != "/home/ann" {
		t.Errorf("without names: got %q", got)
	}
}

func TestLastLine(t *testing.T) {
	var n Names
	n.Add("/home/ann/typed.py", "typed.py")
	for text, want := range map[string]string{
		"":                                      "",
		" \n\n":                                 "",
		"one":                                   "one",
		"one\n  two\n":                          "  two",
		"trace\nin /home/ann/typed.py:3 \r\n\n": "in typed.py:3",
	} {
		if got := n.LastLine([]byte(text)); got != want {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}
