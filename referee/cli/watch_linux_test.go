package cli_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"umpire/referee/testlevel"
)

// watcher is `umpire test --watch` under way.
type watcher struct {
	*umpireProcess
	said []string // on standard error
}

func startWatch(t *testing.T, dir string, args ...string) *watcher {
	t.Helper()
	umpire := link(t, os.Args[0], filepath.Join(dir, "umpire"))
	return &watcher{umpireProcess: startUmpire(t, "/usr/bin/env", append([]string{"-C", dir, "UMPIRE_CACHE=" + filepath.Join(dir, "cache"), umpire, "test", "ioiwari"}, args...)...)}
}

// expect reads up to a line that begins with a text.
func (w *watcher) expect(from *bufio.Reader, begins string) string {
	w.t.Helper()
	for {
		line, err := from.ReadString('\n')
		if from == w.stderr {
			w.said = append(w.said, line)
		}
		if strings.HasPrefix(line, begins) {
			return line
		}
		if err != nil {
			w.t.Fatalf("waiting for %q: %v: %q", begins, err, w.said)
		}
	}
}

// ends interrupts the watch as Ctrl-C does.
func (w *watcher) ends() {
	w.t.Helper()
	w.interrupt()
	for {
		line, err := w.stderr.ReadString('\n')
		if err != nil {
			break
		}
		if !strings.HasPrefix(line, waiting) { // said twice if a change was seen in two steps
			w.t.Errorf("said at the end: %q", line)
		}
	}
	w.exits("the watch", 130)
}

const waiting = "umpire: waiting for a change of "

// TestWatch tests a bot whenever one of its files changes.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const run, notes = "bot/run", "bot/moves.txt"
	write(t, filepath.Join(dir, run), "#!/bin/sh\nread board\ncat moves.txt\nread end\n")
	write(t, filepath.Join(dir, notes), "8\n")
	w := startWatch(t, dir, "bot", "--case", "official/03", "--time", "20s", "--watch")
	w.expect(w.out, "official/03: foul: answered \"8\"")
	w.expect(w.stderr, waiting+"bot; Ctrl-C ends\n")

	// Not only the program is the bot.
	write(t, filepath.Join(dir, notes), "9\n")
	w.expect(w.out, "official/03: foul: answered \"9\"")
	w.expect(w.stderr, waiting)

	// A file that is gone for a while, as editors leave it.
	must(t, os.Remove(filepath.Join(dir, run)))
	w.expect(w.stderr, "umpire: bot \"bot\": ")
	w.expect(w.stderr, waiting)
	write(t, filepath.Join(dir, run), "#!/bin/sh\nread board\nexit 3\n")
	w.expect(w.out, "official/03: crash: it ended (exit status 3)")
	w.expect(w.stderr, waiting)
	w.ends()
}

// TestWatchBreaksOff: a change during a test begins another, without a word about
// the one that it breaks off.
func TestWatchBreaksOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bot, alive := filepath.Join(dir, "bot.sh"), filepath.Join(dir, "alive")
	must(t, syscall.Mkfifo(alive, 0o600))
	write(t, bot, "read board || exit\necho >"+alive+"\nexec sleep 1000\n") // a trial start has no board
	w := startWatch(t, dir, "bot.sh", "--case", "official/03", "--time", "1h", "--watch")
	on := otherEnd(t, alive, os.O_RDONLY) // the match is
	defer on.Close()
	if _, err := io.ReadAll(on); err != nil {
		t.Fatal(err)
	}
	write(t, bot, "read board\nexit 4\n")
	w.expect(w.out, "official/03: crash: it ended (exit status 4)")
	w.expect(w.stderr, waiting)
	for _, line := range w.said {
		if !strings.HasPrefix(line, waiting) && !strings.HasPrefix(line, "umpire: no isolation") {
			t.Errorf("said %q", line)
		}
	}
	w.ends()
}

// TestWatchCompiled: a source that does not compile is tested when it does.
func TestWatchCompiled(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	bot := filepath.Join(dir, "bot.c")
	write(t, bot, "int main(void) { return }\n")
	w := startWatch(t, dir, "bot.c", "--case", "official/03", "--time", "1m", "--watch")
	w.expect(w.stderr, "umpire: bot \"bot.c\": compile ")
	w.expect(w.stderr, waiting+"bot.c; ")
	write(t, bot, "int main(void) { return 5; }\n")
	w.expect(w.out, "official/03: crash: it ended (exit status 5)")
	w.expect(w.stderr, waiting)
	w.ends()
}

// TestWatchScreen clears the terminal before each test, and nothing else.
func TestWatchScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bot.sh"), "read board\nexit 3\n")
	p := sit(t, dir, "xterm", nil, "test", "ioiwari", "bot.sh", "--case", "official/03", "--time", "1m", "--watch", "--isolation", "none")
	p.see("\x1b[H\x1b[2J")
	p.see("exit status 3")
	p.see(waiting)
	p.seen = nil
	write(t, filepath.Join(dir, "bot.sh"), "read board\nexit 4\n")
	p.see("\x1b[H\x1b[2J")
	p.see("exit status 4")
	p.see(waiting)
	p.seen = nil
	p.press("\x03", "")
	p.ended(130)
	if strings.Contains(string(p.seen), "interrupted") {
		t.Errorf("found %q", p.seen)
	}
}

// TestWatchRefused: what can't be watched is refused, as are other mistakes.
func TestWatchRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bot.sh"), "exit 3\n")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"@greedy", "--watch"}, "--watch: @greedy has no files here that could change"},
		{[]string{"remote:alice", "--watch"}, "--watch: remote:alice has no files here that could change"},
		{[]string{"bot.sh", "--against", "remote:alice"}, "--against remote:alice: a player from outside can't be the opponent of a test"},
		{[]string{"nosuch.py", "--watch"}, "nosuch.py: no such file"},
		{[]string{"bot.sh", "--watch", "-o", "out"}, "--watch: can't be combined with -o"},
		{[]string{"bot.sh", "--watch", "--time", "soon"}, `--time: found "soon"`},
		{[]string{"bot.sh", "other.sh", "--watch"}, "no such file"},
		{[]string{"bot.sh", "--watch", "--fail-under", "x"}, `--fail-under: found "x"`},
	} {
		args := append([]string{"test", "ioiwari"}, test.args...)
		for i, a := range args {
			if a == "bot.sh" {
				args[i] = filepath.Join(dir, a)
			}
		}
		if said := runSafe(t, dir, 2, args...); !strings.Contains(said, test.want) {
			t.Errorf("%q says %s, expected %s", test.args, said, test.want)
		}
	}
}
