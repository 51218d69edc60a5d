package sandbox

import (
	"os"
	"strings"
	"testing"

	"umpire/referee"
)

func TestChoose(t *testing.T) {
	for _, level := range []referee.Level{referee.LevelAuto, referee.LevelNone, referee.LevelBasic, referee.LevelBox} {
		l, trials, err := Choose(level)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(level, l.Level(), trials)
		if level != referee.LevelAuto && l.Level() != level {
			t.Errorf("asked for %s, got %s", level, l.Level())
		}
	}
	if _, _, err := Choose("steel"); err == nil {
		t.Error("an unknown level was accepted")
	}
}

// TestTrialFindsOut checks that a level that keeps nothing fails its trial.
func TestTrialFindsOut(t *testing.T) {
	l, err := NewNone()
	if err != nil {
		t.Fatal(err)
	}
	p, err := plant()
	if err != nil {
		t.Fatal(err)
	}
	defer p.remove()
	for name, try := range map[string]func() error{
		"death":     func() error { return tryDeath(l, p) },
		"processes": func() error { return tryProcesses(l, p) },
		"fence":     func() error { return tryFence(l, p) },
	} {
		if try() == nil {
			t.Errorf("%s: level none passed", name)
		}
	}
}

// TestMainForgotten checks that a program which does not begin with Main starts
// itself as a helper once, and not without end.
func TestMainForgotten(t *testing.T) {
	defer func(name string) { os.Args[0] = name }(os.Args[0])
	os.Args[0] = wardenName
	if w, err := startWarden(); err == nil || !strings.Contains(err.Error(), "sandbox.Main") {
		t.Errorf("%v, %v", w, err)
	}
}
