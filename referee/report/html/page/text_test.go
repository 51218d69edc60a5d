package page

import (
	"cmp"
	"strings"
	"testing"
)

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
		{"$(pwd)/bots/a ${DIR}/bots/b $DIR/bots/c bots/*/main.py", "$(pwd)/bots/a ${DIR}/bots/b $DIR/bots/c bots/*/main.py"},
		{"compile: /builds/org/repo/alice: line 3, -I/data/x/inc", "compile: alice: line 3, -Iinc"},
	} {
		if got := Published(test.text); got != test.want {
			t.Errorf("%q becomes %q, expected %q", test.text, got, test.want)
		}
	}
}

// TestJoined: joiners and wide spaces stay where they change how a text looks. Elsewhere they are
// escaped, as bidirectional controls always are.
func TestJoined(t *testing.T) {
	for _, test := range []struct{ text, line, safe string }{
		{"👩\u200d👩\u200d👧 and 🧑🏽\u200d⚕\ufe0f", "👩\u200d👩\u200d👧 and 🧑🏽\u200d⚕\ufe0f", ""},
		{"می\u200cخواهم क्\u200dष क्\u200cष", "می\u200cخواهم क्\u200dष क्\u200cष", ""},
		{"a\u200cb a\u200db دا\u200cر", `a\u200cb a\u200db دا\u200cر`, ""},
		{"\u200d👩\u200d می\u200c", `\u200d👩\u200d می\u200c`, ""},
		{"می\u200c\u200cخ 👩\u200d\u200d👩", `می\u200c\u200cخ 👩\u200d\u200d👩`, ""},
		{"你\u3000好 a\u3000b 10\u00a0km", `你` + "\u3000" + `好 a\u3000b 10\u00a0km`, `你` + "\u3000" + `好 a\u3000b 10` + "\u00a0km"},
		{"👩\u200d👩\u202e\xff", "👩\u200d👩" + `\u202e\xff`, ""},
	} {
		if got := SafeLine(test.text); got != test.line || SafeLine(got) != got {
			t.Errorf("SafeLine(%+q) is %+q, expected %+q", test.text, got, test.line)
		}
		if want := cmp.Or(test.safe, test.line); Safe(test.text) != want {
			t.Errorf("Safe(%+q) is %+q, expected %+q", test.text, Safe(test.text), want)
		}
	}
}

// TestDetail: what a bot replied is quoted whole; what programs wrote names no folder of the
// machine, and shows where one was, but keeps what bots have printed; so do judges' words.
func TestDetail(t *testing.T) {
	for _, test := range []struct{ verdict, detail, want string }{
		{"foul", `answered "/pit/3", expected a pit`, `answered "/pit/3", expected a pit`},
		{"foul", `answered "<b>x</b>…\x1b[31m /home/eve/x.py"`, `answered "<b>x</b>…\x1b[31m /home/eve/x.py"`},
		{"wrong", `line 1: found "/tmp/3", expected "/tmp/4"`, `line 1: found "/tmp/3", expected "/tmp/4"`},
		{"crash", "x = /a/b/c; </b>…\x1b[31m, https://example.org/home/eve/x.py and 1/2.x", `x = /a/b/c; </b>…\x1b[31m, https://example.org/home/eve/x.py and 1/2.x`},
		{"crash", `  File "/contest/My Bots/alice.py", line 3, in <module>`, `  File "…/alice.py", line 3, in <module>`},
		{"crash", "at file:///data/eve/a.mjs:1 (~/b/c.mjs:2), C:\\Users\\eve\\d.cs:3", "at file://…/a.mjs:1 (…/c.mjs:2), …/d.cs:3"},
		{"crash", `  File "/usr/lib/python3.11/json/decoder.py": no '/home/eve/data', /tmp/umpire-1/x`, `  File "/usr/lib/python3.11/json/decoder.py": no '…/data', …/x`},
		{"compile", "/contest/x.cpp:1:5: error: expected", "…/x.cpp:1:5: error: expected"},
		{"crash", "bash: /data/contest/bots/alice: Permission denied", "bash: …/alice: Permission denied"},
		{"crash", "/builds/org/repo/bots/alice: line 3", "…/alice: line 3"},
		{"crash", "Permission denied: '/data/contest/models'", "Permission denied: '…/models'"},
		{"crash", "/workspace/contest/bot /run/user/1000/x /Volumes/bob/x /home2/bob/x /vol/home/bob/net /nfs9/home/bob/x", "…/bot …/x …/x …/x …/net …/x"},
		{"compile", "g++ -I/home/bob/inc -isystem/work/x/inc -L/usr/lib/x", "g++ -I…/inc -isystem…/inc -L/usr/lib/x"},
		{"crash", "a,/home/bob/b;/tmp/x/c{/srv/x/d|/work/x/e>/opt/x/f@/mnt/x/g", "a,…/b;…/c{…/d|…/e>…/f@…/g"},
		{"compile", "‘/home/bob/my files/x.c’ “/work/y/z”: ‘/home/bob/x.c’", "‘…/x.c’ “…/z”: ‘…/x.c’"},
		{"crash", "ran '/usr/bin/cc -c /home/bob/x.c'", "ran '/usr/bin/cc -c …/x.c'"},
		{"crash", "bots/home/x ./home/bob/x ../work/a/x.py a/home/b/c 1/work/2 pit/3", "bots/home/x ./home/bob/x ../work/a/x.py a/home/b/c 1/work/2 pit/3"},
		{"judged wrong", "see /home/bob/contest/data/1.ans", "see …/1.ans"},
		{"judged wrong", `answered "/home/bob/1.ans", not "/pit/3"`, `answered "…/1.ans", not "/pit/3"`},
		{"judged foul", "1: /contest/rules.py says no", "1: …/rules.py says no"},
		{"judged wrong", `word 3 of the output is "/tmp/3", expected "/tmp/4"`, `word 3 of the output is "/tmp/3", expected "/tmp/4"`},
	} {
		verdict, judged := strings.CutPrefix(test.verdict, "judged ")
		if got := Detail(verdict, test.detail, judged); got != test.want {
			t.Errorf("%s: %q becomes %q, expected %q", test.verdict, test.detail, got, test.want)
		}
	}
}
