package patolli_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/protocols"
	"umpire/protocols/patolli"
	"umpire/referee/testlevel"
)

// TestExample runs the example bot as a process.
func TestExample(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for _, group := range patolli.Game().Groups {
		c, err := patolli.Game().Generate(group, 3)
		if err != nil {
			t.Fatal(err)
		}
		m := c.Start(1)
		bot := exec.Command(python, filepath.Join("..", "examples", "patolli", "reference.py"))
		bot.Stdin = strings.NewReader(m.Next().Send[0].Text)
		out, err := bot.Output()
		if err != nil {
			t.Fatalf("%v: %v", bot, err)
		}
		if foul := m.Reply(1, string(out)); foul != nil {
			t.Fatal(foul)
		}
		lines := strings.Count(c.String(), "\n") + 1
		if o := m.Result()[0]; o.Wrong != "" || o.Score != protocols.Points(lines) {
			t.Errorf("group %s: %v of %d lines right: %s", group, o.Score, lines, o.Wrong)
		}
	}
}
