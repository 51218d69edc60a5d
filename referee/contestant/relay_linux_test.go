package contestant_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// shell starts a script with arguments.
func shell(t *testing.T, launcher sandbox.Launcher, script string, args ...string) *contestant.Contestant {
	t.Helper()
	c, err := contestant.Start(launcher, sandbox.Command{
		Path: "/bin/sh", Args: append([]string{"sh", "-c", script, "sh"}, args...), Limits: sandbox.Limits{Memory: 256 << 20}, AnyStatus: true,
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Stop() })
	return c
}

// fifos makes channels.
func fifos(t *testing.T, name string, n int) (list []*contestant.Channel) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		one, err := contestant.NewChannel(dir, fmt.Sprint(name, i))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(one.Close)
		list = append(list, one)
	}
	return list
}

// happened gathers what each side does, by its seat: what it writes, and how it ends.
type happened []string

func (h happened) see(e referee.Exchange) {
	what := e.Text
	switch {
	case e.EOF:
		what = "(closed)"
	case e.Fail != nil:
		what = fmt.Sprintf("(%s)", e.Fail.Kind)
	case e.Ended:
		what = fmt.Sprintf("(%d%s)", e.Exit, e.Signal)
	}
	if e.To > 0 && e.Text != "" {
		what = fmt.Sprintf("%d:%s", e.To, what)
	}
	h[e.Seat] += what
}

// open opens the FIFOs of a process as 4 and 5, and those of a judge for two as 6 and 7, too.
const (
	open = `exec 4<"$1" 5>"$2"; `
	both = `exec 4<"$1" 5>"$2" 6<"$3" 7>"$4"; `
)

// much stands for what is too much to be compared.
const much = "much"

// TestRelayByFIFOs has a judge and processes talk by FIFOs. Which of two sides does something
// first is not known, and so they are told apart.
func TestRelayByFIFOs(t *testing.T) {
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		judge string
		bots  []string
		want  []string // of the judge first
		said  string   // by the judge to its standard output
	}{
		{"they talk", open + `echo go >&5; read x <&4; echo "score $x"`, []string{open + `read x <&4; echo "$x on" >&5`},
			[]string{"1:go\n(0)", "go on\n(0)"}, "score go on\n"},
		{"both open first what they write", `exec 5>"$2" 4<"$1"; echo go >&5; read x <&4; echo "$x"`,
			[]string{`exec 5>"$2" 4<"$1"; read x <&4; echo "$x on" >&5`}, []string{"1:go\n(0)", "go on\n(0)"}, "go on\n"},
		{"the judge has the input", `read x; read y; echo "$x $y"`, []string{`exit 0`}, []string{"(0)", "(0)"}, "the input\n"},
		{"the process ends first", open + `cat <&4`, []string{open + `echo a >&5; echo b >&5`}, []string{"(0)", "a\nb\n(0)"}, "a\nb\n"},
		{"the judge closes early", open + `exec 5>&-; read x <&4; echo "$x"`, []string{open + `read x <&4 || echo over >&5`},
			[]string{"(closed)(0)", "over\n(0)"}, "over\n"},
		{"the process closes early, which is not heard before it ends", open + `cat <&4; echo go >&5`,
			[]string{open + `echo a >&5; exec 5>&-; read x <&4; read x <&4`}, []string{"1:go\n(0)", "a\n(closed)(idle)"}, "a\n"},
		{"the judge rejects first", `exit 1`, []string{open + `read x <&4`}, []string{"(1)", ""}, ""},
		{"the judge accepts first", `exit 0`, []string{open + `read x <&4; echo a >&5; echo b >&5; exit 3`}, []string{"(0)", "a\nb\n(3)"}, ""},
		{"the process opens no FIFO", open + `echo go >&5; cat <&4; echo over`, []string{`exit 0`}, []string{"1:go\n(0)", "(0)"}, "over\n"},
		{"the process opens no FIFO, and waits", open + `cat <&4; echo over`, []string{`cat; kill -9 $$`}, []string{"(0)", "(0SIGKILL)"}, "over\n"},
		{"a signal that no limit has caused", `cat`, []string{`kill -XCPU $$`}, []string{"(0)", "(crash)(0SIGXCPU)"}, "the\ninput\n"},
		{"the judge opens no FIFO", `echo 1`, []string{`cat <"$1"; echo over >"$2"`}, []string{"(0)", "over\n(0)"}, "1\n"},
		{"the judge reads nothing of what is written", open + `read x; echo 1`, []string{open + `head -c 300000 /dev/zero | wc -c >&5; head -c 300000 /dev/zero >/dev/fd/5`},
			[]string{"(0)", "300000\n" + strings.Repeat("\x00", 300000) + "(0)"}, "1\n"},
		{"both write much before they read", open + `head -c 200000 /dev/zero >&5; exec 5>&-; wc -c <&4`,
			[]string{open + `head -c 200000 /dev/zero | tr '\0' x >&5; wc -c <&4 >&5`}, []string{much, strings.Repeat("x", 200000) + "200000\n(0)"}, "200007\n"},
		{"what a process prints goes nowhere", open + `cat <&4`, []string{open + `echo lost; echo kept >&5; cat`}, []string{"(0)", "kept\n(0)"}, "kept\n"},
		{"the second crashes, and the first is ended", both + `cat <&4; cat <&6; echo over`, []string{open + `read x <&4`, open + `echo a >&5; exit 5`},
			[]string{"(0)", "", "a\n(5)"}, "a\nover\n"},
		{"the first ends, and the second goes on", both + `cat <&4; echo go >&7; cat <&6`, []string{open + `echo a >&5`, open + `read x <&4; echo "$x on" >&5`},
			[]string{"2:go\n(0)", "a\n(0)", "go on\n(0)"}, "a\ngo on\n"},
		{"one is told what the other says", both + `read x <&4; echo "$x" >&7; read y <&6; echo "$y" >&5; cat <&4`,
			[]string{open + `echo 1 >&5; read x <&4; echo "$x" >&5`, open + `read x <&4; echo "$x$x" >&5`}, []string{"2:1\n1:11\n(0)", "1\n11\n(0)", "11\n(0)"}, "11\n"},
		{"all wait for each other", both + `read x <&4; read x <&6`, []string{open + `read x <&4`, open + `read x <&4`}, []string{"(1)", "(idle)", ""}, ""},
		{"the judge waits by select for a process that waits", open + `exec python3 -c 'import select; select.select([4], [], []); print(1)'`, []string{open + `read x <&4`},
			[]string{"(0)", "(idle)"}, "1\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := exec.LookPath("python3"); err != nil && strings.Contains(row.judge, "python3") {
				t.Skip(err)
			}
			defer locked()()
			h, said := make(happened, 1+len(row.bots)), ""
			relay := contestant.Relay{
				ToJudge: fifos(t, "judge", len(row.bots)), ToBots: fifos(t, "bot", len(row.bots)),
				Limit: 20 * time.Second, JudgeLimit: 20 * time.Second, Output: 1 << 20,
				Input: []byte("the\ninput\n"), Said: func(text []byte) { said += string(text) },
				Rejects: func(exit int) bool { return exit != 0 }, See: h.see,
			}
			var paths []string
			for i, script := range row.bots {
				relay.Bots = append(relay.Bots, shell(t, launcher, script, relay.ToBots[i].In, relay.ToBots[i].Out))
				paths = append(paths, relay.ToJudge[i].In, relay.ToJudge[i].Out)
			}
			relay.Judge = shell(t, launcher, row.judge, paths...)
			if err := relay.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i, want := range row.want {
				// A side that ends may be seen to close its output first.
				h[i], want = strings.ReplaceAll(h[i], "(closed)(", "("), strings.ReplaceAll(want, "(closed)(", "(")
				if h[i] != want && want != much {
					t.Errorf("%d: found %.200q, expected %.200q", i, h[i], want)
				}
			}
			if said != row.said {
				t.Errorf("the judge said %q, expected %q", said, row.said)
			}
		})
	}
}

// TestWhoKeepsWaiting has judge and contestant keep each other waiting for longer than the wall time
// that the contestant has of its own.
func TestWhoKeepsWaiting(t *testing.T) {
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	const limit = 200 * time.Millisecond
	long := fmt.Sprintf("sleep %g; ", (2 * referee.WallBound(limit)).Seconds())
	const asks = "echo 1; read x; echo $x"
	for _, row := range []struct {
		name, judge, bot string
		want             happened
		level            testlevel.Level
	}{
		{"a judge that takes its time", "read x; " + long + "echo on; read x", asks, happened{"on\n(0)", "1\non\n(0)"}, testlevel.Default},
		{"that of several processes", "tee /dev/null | (read x; " + long + "echo on; read x)", asks, happened{"on\n(0)", "1\non\n(0)"}, testlevel.Default},
		{"for a contestant with a thread that sleeps", "read x; " + long + "echo on", napping + "print(1, flush=True); input(); os._exit(0)'",
			happened{"on\n(0)", "1\n(0)"}, testlevel.Default},
		{"a judge that says nothing", "sleep 100", asks, happened{"(time)", "1\n"}, testlevel.Thorough},
		{"while the contestant sleeps", "sleep 100", "sleep 100", happened{"", "(time)"}, testlevel.Default},
		{"a judge that waits, with a thread that sleeps", napping + "input()'", "read x", happened{"(1)", "(time)"}, testlevel.Default},
		{"a judge that waits with a timeout", glancing + "os._exit(1)'", "read x", happened{"(1)", "(time)"}, testlevel.Default},
		{"a contestant that waits with a timeout", "read x; " + long + "echo on", "echo 1; " + glancing + "'", happened{"on\n(0)", "1\n(0)"}, testlevel.Default},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := exec.LookPath("python3"); err != nil && strings.Contains(row.judge+row.bot, "python3") {
				t.Skip(err)
			}
			testlevel.Needs(t, row.level)
			defer locked()()
			h := make(happened, 2)
			relay := contestant.Relay{
				Judge: shell(t, launcher, row.judge), Bots: []*contestant.Contestant{shell(t, launcher, row.bot)},
				Limit: limit, Output: 1 << 20, JudgeLimit: time.Second, Rejects: func(exit int) bool { return exit != 0 }, See: h.see,
			}
			if err := relay.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range h {
				h[i] = strings.ReplaceAll(h[i], "(closed)(", "(")
			}
			if !slices.Equal(h, row.want) {
				t.Errorf("found %q, expected %q", h, row.want)
			}
		})
	}
}

// napping begins a program with a thread that can't be told from one that is about to do something.
const napping = `exec python3 -c 'import os, threading, time; threading.Thread(target=time.sleep, args=(100,), daemon=True).start(); `

// glancing begins a program that waits for input, and wakes up again and again.
const glancing = "exec python3 -c 'import os, select\nwhile not select.select([0], [], [], 0.05)[0]: pass\n"

// TestAnswer has processes hear a judge that is no program: what one of them does is answered
// to the other, and that one crashes does not end the other.
func TestAnswer(t *testing.T) {
	defer locked()()
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	h := make(happened, 3)
	relay := contestant.Relay{ToBots: fifos(t, "bot", 2), Limit: 20 * time.Second, Output: 1 << 20, Rejects: func(int) bool { return true }, See: h.see}
	for i, script := range []string{open + `read x <&4; echo "$x on" >&5; exit 3`, open + `read x <&4; echo "$x" >&5; cat <&4 >&5`} {
		relay.Bots = append(relay.Bots, shell(t, launcher, script, relay.ToBots[i].In, relay.ToBots[i].Out))
	}
	say := []contestant.Saying{{To: 1, Text: "go\n"}, {To: 2, Text: "and\n"}, {To: 2, Text: "last\n", Over: true}}
	due := []string{"", "go on\n", "go on\n(3)"}
	relay.Answer = func() (now []contestant.Saying) {
		for len(due) > 0 && h[1] == due[0] {
			now, say, due = append(now, say[0]), say[1:], due[1:]
		}
		return now
	}
	if err := relay.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := (happened{"", "go on\n(3)", "and\nlast\n(0)"}); !slices.Equal(h, want) {
		t.Errorf("found %q, expected %q", h, want)
	}
}
