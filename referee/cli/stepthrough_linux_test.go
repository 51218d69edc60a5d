package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// person is somebody who uses umpire on a terminal.
type person struct {
	t      *testing.T
	cmd    *exec.Cmd
	tty    *os.File // the end that people have
	before *unix.Termios
	seen   []byte // since the last key
}

// sit starts umpire on a terminal of its own. Input, if not nil, takes the
// terminal's place as standard input.
func sit(t *testing.T, dir, kind string, input *os.File, args ...string) *person {
	t.Helper()
	umpire := link(t, os.Args[0], filepath.Join(t.TempDir(), "umpire"))
	ours, theirs := openTerminal(t, 80)
	p := &person{t: t, tty: ours}
	p.resize(24, 80)
	p.before = p.mode()
	k := killer{t: t, dir: dir, umpire: umpire}
	p.cmd = k.command(args...)
	p.cmd.Env, p.cmd.Dir = append(p.cmd.Env, "TERM="+kind), dir
	if input != nil {
		p.cmd.Stdin = input
	}
	startOn(t, ours, theirs, p.cmd)
	return p
}

func (p *person) resize(rows, columns uint16) {
	p.t.Helper()
	must(p.t, unix.IoctlSetWinsize(int(p.tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
}

func (p *person) mode() *unix.Termios {
	p.t.Helper()
	mode, err := unix.IoctlGetTermios(int(p.tty.Fd()), unix.TCGETS)
	must(p.t, err)
	return mode
}

// press types keys, and waits until something is seen.
func (p *person) press(keys, want string) {
	p.t.Helper()
	p.seen = nil
	if _, err := p.tty.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
	p.see(want)
}

// see waits until something is seen.
func (p *person) see(want string) {
	p.t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(string(p.seen), want) {
		n, err := p.tty.Read(buf)
		p.seen = append(p.seen, buf[:n]...)
		if err != nil {
			p.t.Fatalf("waiting for %q: %v: %q", want, err, p.seen)
		}
	}
}

// leave waits for the end, and expects the terminal as it was, and the code.
func (p *person) leave(code int) {
	p.t.Helper()
	p.see("\x1b[?25h\x1b[?1049l")
	p.ended(code)
	if *p.mode() != *p.before {
		p.t.Errorf("the terminal's mode is %+v, expected %+v as before", p.mode(), p.before)
	}
}

// ended waits for the end, and expects the code.
func (p *person) ended(code int) {
	p.t.Helper()
	buf := make([]byte, 4096)
	for {
		n, err := p.tty.Read(buf)
		if p.seen = append(p.seen, buf[:n]...); err != nil {
			break
		}
	}
	_ = p.cmd.Wait()
	if got := p.cmd.ProcessState.ExitCode(); got != code {
		p.t.Errorf("exit code %d, expected %d: %q", got, code, p.seen)
	}
}

// played is a folder with the results of a few matches.
func played(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	runSafe(t, dir, 0, "tournament", "ioiwari", "漢字=@greedy", "@optimal", "--case", "official/08", "--time", "1m", "-o", filepath.Join(dir, "run"))
	return dir
}

const (
	left, right, up, down  = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
	home, end, pgUp, pgDn  = "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~"
	stepOne, stepTwo, last = "step 1 of 10", "step 2 of 10", "step 10 of 10"
)

// TestStepThrough goes through a run with the keys.
func TestStepThrough(t *testing.T) {
	p := sit(t, played(t), "xterm", nil, "replay", "run")
	p.see("step 0 of 10")
	p.see("Seat 1 begins.")
	p.see("q quit")
	for _, test := range []struct{ keys, want string }{
		{right, stepOne},
		{" ", stepTwo},
		{left, stepOne},
		{down, stepTwo},
		{up, stepOne},
		{end, last},
		{right, last}, // there is nothing behind it
		{end, "  place  "},
		{home, "step 0 of 10"},
		{left, "step 0 of 10"},
		{pgDn, last},
		{pgUp, "step 0 of 10"},
		{"1", "to step 1_"},
		{"0", "to step 10_"},
		{"\x7f", "to step 1_"},
		{"\r", stepOne},
		{"99\r", last},
		{"n", "match 2"},
		{"n", "match 2"}, // there are two
		{"\x1bOC", stepOne},
		{"p", "match 1"},
	} {
		p.press(test.keys, test.want)
		p.see("q quit")
	}
	if strings.Contains(string(p.seen), "\x1b[2J") {
		t.Errorf("it clears the screen, which flickers, instead of drawing over it: %q", p.seen)
	}

	// Another size: what is too high can be scrolled, and no line is too wide.
	p.seen = nil
	p.resize(10, 30)
	p.see("scroll")
	frame := string(p.seen[strings.LastIndex(string(p.seen), "\x1b[H"):])
	if n := strings.Count(frame, "\r\n"); n > 9 {
		t.Errorf("%d lines on a terminal of 10: %q", n, frame)
	}
	p.press(down, "scroll")
	p.press("q", "")
	p.leave(0)
}

// TestStepThroughEnds: the terminal is given back however it ends.
func TestStepThroughEnds(t *testing.T) {
	dir := played(t)
	for _, test := range []struct {
		name string
		end  func(p *person)
		code int
	}{
		{"Ctrl-C", func(p *person) { p.press("\x03", "") }, 130},
		{"Ctrl-D", func(p *person) { p.press("\x04", "") }, 0},
		{"SIGTERM", func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		{"SIGINT", func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGINT) }, 130},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := sit(t, dir, "xterm", nil, "replay", "run")
			p.see("q quit")
			if *p.mode() == *p.before {
				t.Error("the terminal is not in use")
			}
			test.end(p)
			p.leave(test.code)
		})
	}
}

// TestStepThroughWrongRecord: an error after the first match comes when it is
// reached, on the terminal as it was.
func TestStepThroughWrongRecord(t *testing.T) {
	dir := played(t)
	results := filepath.Join(dir, "run", "results.jsonl")
	text, err := os.ReadFile(results)
	if err == nil {
		err = os.WriteFile(results, append(text, "{\"id\":7}\n"...), 0o644)
	}
	must(t, err)
	p := sit(t, dir, "xterm", nil, "replay", "run")
	p.see("q quit")
	p.press("n", "match 2")
	p.press("n", "\x1b[?1049l")
	p.see("results.jsonl:3: not a match record")
	p.seen = []byte("\x1b[?25h\x1b[?1049l") // seen by press
	p.leave(2)
}

// TestStepThroughInput: records from standard input leave the keys to the
// terminal.
func TestStepThroughInput(t *testing.T) {
	dir := played(t)
	in, err := os.Open(filepath.Join(dir, "run", "results.jsonl"))
	must(t, err)
	defer in.Close()
	p := sit(t, dir, "xterm", in, "replay", "-", "--from", "2")
	p.see(stepTwo)
	p.press(right, "step 3 of 10")
	p.press("q", "")
	p.leave(0)
}

// TestStepThroughDelay goes on by itself, through all matches.
func TestStepThroughDelay(t *testing.T) {
	p := sit(t, played(t), "xterm", nil, "replay", "run", "--delay", "1ms")
	p.see("match 2, playing")
	p.see(last)
	p.press(home, "step 0 of 10")
	p.press(" ", "step ")
	p.press("q", "")
	p.leave(0)
}

// TestNoSteps: a terminal that can't redraw gets everything as text, as does a
// pipe.
func TestNoSteps(t *testing.T) {
	dir := played(t)
	for _, kind := range []string{"dumb", ""} {
		p := sit(t, dir, kind, nil, "replay", "run")
		p.ended(0)
		text := string(p.seen)
		if strings.Contains(text, "\x1b[?1049h") || strings.Count(text, "seat 1 ") < 10 || strings.Count(text, "Ioiwari, case official/08") != 2 {
			t.Errorf("TERM=%s: %q", kind, text)
		}
	}
}
