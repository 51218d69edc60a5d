// Package solitarschack tests the example players of Solitärschack, where
// their languages are installed.
package solitarschack

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/solitarschack"
	"umpire/referee/testlevel"
)

// need returns the path of a tool, or skips the test.
func need(t *testing.T, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed", tool)
	}
	return path
}

func TestPython(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	python := need(t, "python3")
	check(t, 120, python, "greedy.py")
}

func TestCpp(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	compiler := need(t, "g++")
	program := filepath.Join(t.TempDir(), "ahead")
	if out, err := exec.Command(compiler, "-O2", "-o", program, "cpp/ahead.cpp").CombinedOutput(); err != nil {
		t.Fatalf("compile ahead.cpp: %v\n%s", err, out)
	}
	check(t, 200, program)
}

// check plays a case of each group and expects at least that mean score.
func check(t *testing.T, atLeast int, command ...string) {
	t.Helper()
	game := solitarschack.Game()
	sum := 0
	for _, group := range game.Groups {
		c, err := game.Generate(group, 1)
		if err != nil {
			t.Fatal(err)
		}
		score, err := play(c, command)
		if err != nil {
			t.Fatalf("group %s: %v", group, err)
		}
		t.Logf("group %s: %d", group, score)
		sum += score
	}
	if mean := sum / len(game.Groups); mean < atLeast {
		t.Errorf("mean score %d, want at least %d", mean, atLeast)
	}
}

// play plays a match against a program.
func play(c protocols.Case, command []string) (int, error) {
	cmd := exec.Command(command[0], command[1:]...)
	to, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	m := c.Start(1)
	err = drive(m, to, bufio.NewReader(from))
	to.Close()
	if werr := cmd.Wait(); err == nil {
		err = werr
	}
	return int(m.Result()[0].Score.Float()), err
}

func drive(m protocols.Match, to io.Writer, from *bufio.Reader) error {
	for {
		step := m.Next()
		for _, l := range step.Send {
			fmt.Fprintln(to, l.Text)
		}
		if len(step.Await) == 0 {
			return nil
		}
		reply, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		if foul := m.Reply(1, strings.TrimRight(reply, "\r\n")); foul != nil {
			return foul
		}
	}
}
