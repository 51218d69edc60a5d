package vmukni_test

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"umpire/protocols/vmukni"
)

// examples is where the example bots lie: in a folder of their own, as a Go
// package can't hold C++.
const examples = "../examples/vmukni"

func TestPythonExample(t *testing.T) {
	playsGreedily(t, tool(t, "python3"), filepath.Join(examples, "greedy.py"))
}

func TestCPlusPlusExample(t *testing.T) {
	program := filepath.Join(t.TempDir(), "greedy")
	compiler := exec.Command(tool(t, "g++"), "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, filepath.Join(examples, "greedy.cpp"))
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", compiler, err, out)
	}
	playsGreedily(t, program)
}

// tool finds a language's tool, or skips the test.
func tool(t *testing.T, name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// playsGreedily plays a match in either seat, with ways in turn as the
// opponent, and compares every move with the greedy one.
func playsGreedily(t *testing.T, command ...string) {
	for seat := 1; seat <= vmukni.Seats; seat++ {
		play(t, seat, exec.Command(command[0], command[1:]...))
	}
}

func play(t *testing.T, seat int, bot *exec.Cmd) {
	c, err := vmukni.Generate("medium", 4)
	if err != nil {
		t.Fatal(err)
	}
	in, out := start(t, bot)
	m := c.Start(vmukni.Seats)
	shadow := newShadow(t, c.String())
	for move := 0; ; move++ {
		step := m.Next()
		for _, line := range step.Send {
			if line.Seat == seat {
				io.WriteString(in, line.Text+"\n")
			}
		}
		if len(step.Await) == 0 {
			break
		}
		reply := strconv.Itoa(move%vmukni.Ways + 1)
		if step.Await[0] == seat {
			reply, err = out.ReadString('\n')
			if err != nil {
				t.Fatalf("%v in seat %d, move %d: %v", bot, seat, move+1, err)
			}
			reply = strings.TrimSpace(reply)
			if want := shadow.greedy(); reply != want {
				t.Fatalf("%v in seat %d, move %d: way %s, want %s, at\n%v", bot, seat, move+1, reply, want, m)
			}
		}
		if foul := m.Reply(step.Await[0], reply); foul != nil {
			t.Fatal(foul)
		}
		shadow.play(reply)
	}
	in.Close()
	if err := bot.Wait(); err != nil {
		t.Errorf("%v in seat %d: %v", bot, seat, err)
	}
}

// start starts a bot and gives its input and its output.
func start(t *testing.T, bot *exec.Cmd) (io.WriteCloser, *bufio.Reader) {
	in, err := bot.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := bot.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bot.Process.Kill() })
	return in, bufio.NewReader(out)
}

// shadow follows a match on the rules alone.
type shadow struct {
	board vmukni.Board
	queue []int
}

func newShadow(t *testing.T, text string) *shadow {
	s := &shadow{}
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		for j, field := range strings.Fields(line) {
			tile, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			if i < vmukni.Size {
				s.board.Put(i+1, j+1, tile)
			} else {
				s.queue = append(s.queue, tile)
			}
		}
	}
	return s
}

func (s *shadow) greedy() string {
	best, most := 0, -1
	for way := 1; way <= vmukni.Ways; way++ {
		board := s.board
		if gain := board.Gain(way, s.queue[0]); gain > most {
			best, most = way, gain
		}
	}
	return strconv.Itoa(best)
}

func (s *shadow) play(way string) {
	n, _ := strconv.Atoi(way)
	s.board.Gain(n, s.queue[0])
	s.queue = s.queue[1:]
}
