package sandbox

import (
	"fmt"
	"os"
	"testing"
	"time"

	"umpire/referee"
)

// Judge plays a command as a match does that asks it for all its output, and
// returns the verdict and that output. If it ponders, that is in its opponent's turn
// first, and it is not frozen then. With hold its input stays open. It is set by a file
// outside this package, which contestant imports.
var Judge func(l Launcher, c Command, ponders, hold bool, limit time.Duration) (verdict, output string, err error)

// judge plays an attack a second time, as a match does, and checks the verdict.
// Got lists its effects of the first time.
func (s *scene) judge(t *testing.T, a attack, got string) {
	level := s.launcher.Level()
	limit, want := attackBound, a.expected(level)
	if want.verdict == "time" { // one that is idle is found out, however slow the machine
		limit = patience
	}
	verdict, output, err := Judge(s.launcher, s.command(t, a), a.ponders, want.awaitsLook(), limit)
	if err != nil {
		t.Fatal(err)
	}
	if level == referee.LevelNone {
		s.sweep(t)
	} else {
		s.check(t)
	}
	if effect := effects(output); want.effects != anything && verdict == "ok" && effect != want.effects {
		t.Errorf("in a match it got away with %q, expected %q", effect, want.effects)
	}
	if want.verdict != anything && verdict != want.verdict {
		t.Errorf("verdict %s, expected %s", verdict, want.verdict)
	}
	tabulate(t, a, level, verdict, got)
}

// tabulate adds a line to the table that scripts/attacks prints.
func tabulate(t *testing.T, a attack, level referee.Level, verdict, got string) {
	name := os.Getenv("ATTACKS_TABLE")
	if name == "" {
		return
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got == "" {
		got = "-"
	}
	if _, err := fmt.Fprintf(file, "%s\t%s\t%s\t%s\t%s\n", os.Getenv(insideEnv), a.title(), level, verdict, got); err != nil {
		t.Fatal(err)
	}
}
