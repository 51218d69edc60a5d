// Package mensch_test runs the example bots of this folder against real cases.
package mensch_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/mensch"
	"umpire/referee/testlevel"
)

// tool finds a program, or skips the test.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// python finds the interpreter itself: a launcher in front of it, which picks
// among several, would cost more than most cases.
func python(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(tool(t, "python3"), "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// bot is a running example.
type bot struct {
	in  io.WriteCloser
	out *bufio.Reader
	end func() error
}

func start(t *testing.T, game string, seat, seats int, command ...string) *bot {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "UMPIRE_GAME="+game, "UMPIRE_SEAT="+strconv.Itoa(seat), "UMPIRE_SEATS="+strconv.Itoa(seats))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return &bot{in, bufio.NewReader(out), cmd.Wait}
}

// play plays a match between commands, one per seat. A foul or a refused
// request fails the test.
func play(t *testing.T, game string, c protocols.Case, commands ...[]string) []protocols.Outcome {
	t.Helper()
	m := c.Start(len(commands))
	var seats []*bot
	for i, command := range commands {
		seats = append(seats, start(t, game, i+1, len(commands), command...))
	}
	step := m.Next()
	for ; len(step.Await) > 0; step = m.Next() {
		send(t, seats, step)
		seat := step.Await[0]
		text, err := seats[seat-1].answer(step.Batch)
		if err != nil {
			t.Fatalf("seat %d: %v, at\n%v", seat, err, m)
		}
		if foul := m.Reply(seat, text); foul != nil {
			t.Fatalf("seat %d: %v, at\n%v", seat, foul, m)
		}
	}
	send(t, seats, step)
	for i, b := range seats {
		b.in.Close()
		if err := b.end(); err != nil {
			t.Errorf("seat %d: %v", i+1, err)
		}
	}
	return m.Result()
}

func send(t *testing.T, seats []*bot, step protocols.Step) {
	for _, l := range step.Send {
		for _, refusal := range []string{"invalid", "it is", "that is", "you ", "busy", "destination"} {
			if strings.HasPrefix(l.Text, refusal) {
				t.Errorf("seat %d was refused: %s", l.Seat, l.Text)
			}
		}
		if _, err := io.WriteString(seats[l.Seat-1].in, l.Text+"\n"); err != nil {
			t.Fatalf("seat %d: %v", l.Seat, err)
		}
	}
}

func (b *bot) answer(whole bool) (string, error) {
	if whole {
		b.in.Close()
		all, err := io.ReadAll(b.out)
		return string(all), err
	}
	line, err := b.out.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

// The Python solution of the five parts answers the standard cases correctly.
func TestPartsInPython(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	python := python(t)
	for _, g := range mensch.Games()[1:] {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "cases", g.Name, "*", "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no cases, %v", g.Name, err)
		}
		for i, file := range files {
			every := testlevel.Times(12, 12, 1) // starting Python takes most of the time
			if strings.Contains(file, "corners") {
				every = max(every, 5)
			}
			if i%every != 0 {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := g.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if o := play(t, g.Name, c, []string{python, "parts.py"}); o[0].Score != protocols.Points(1) {
				t.Errorf("%s: %s", file, o[0].Wrong)
			}
		}
	}
}

func TestPlayers(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	python := []string{python(t), "player.py"}
	javac, java := tool(t, "javac"), tool(t, "java")
	classes := t.TempDir()
	if out, err := exec.Command(javac, "-d", classes, "Player.java").CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	inJava := []string{java, "-cp", classes, "Player"}
	for _, players := range [][][]string{{python, inJava}, {inJava, python, inJava, python}} {
		g := mensch.Games()[0]
		c, err := g.Generate("standard", uint64(len(players)))
		if err != nil {
			t.Fatal(err)
		}
		outcomes := play(t, g.Name, c, players...)
		places := map[int]bool{}
		for _, o := range outcomes {
			places[o.Place] = true
		}
		if len(places) != len(players) { // all home, one after another
			t.Errorf("outcomes %+v, want all places taken", outcomes)
		}
	}
}
