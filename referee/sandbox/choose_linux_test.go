package sandbox

import (
	"errors"
	"os"
	"testing"

	"umpire/referee"
)

func TestChoose(t *testing.T) {
	for _, level := range []referee.Level{referee.LevelAuto, referee.LevelNone, referee.LevelBasic, referee.LevelBox} {
		l, trials, err := Choose(level, "")
		must(t, err)
		t.Log(level, l.Level(), trials)
		if level != referee.LevelAuto && l.Level() != level {
			t.Errorf("asked for %s, got %s", level, l.Level())
		}
	}
	if _, _, err := Choose("steel", ""); err == nil {
		t.Error("an unknown level was accepted")
	}
}

// TestTrialFindsOut checks that a level that keeps nothing fails its trial.
func TestTrialFindsOut(t *testing.T) {
	l, err := NewNone()
	must(t, err)
	p, err := plant()
	must(t, err)
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
	must(t, os.Remove(p.work)) // as on a full disk neither the probe nor umpire can write there
	if err := tryWrite(l, p); !errors.As(err, new(*ownError)) {
		t.Errorf("where umpire can't write either: %v, expected an error of its own", err)
	}
}

// broken starts nothing.
type broken struct{ starts int }

func (*broken) Level() referee.Level { return referee.LevelBox }

func (b *broken) Start(Command) (Process, error) {
	b.starts++
	return nil, errors.New("no process")
}

// TestTrialEndsWhereNothingRuns checks that what keeps each probe from running is said
// once, and looked for once.
func TestTrialEndsWhereNothingRuns(t *testing.T) {
	b := new(broken)
	if err := tryLevel(b); err == nil || err.Error() != "no process" || b.starts != 1 {
		t.Errorf("found %q and %d probes, expected \"no process\" and 1", err, b.starts)
	}
}

// TestTrialWithoutThread checks that a probe that gets no thread is no failure of its level.
func TestTrialWithoutThread(t *testing.T) {
	atEachLevel(t, []referee.Level{referee.LevelBox}, func(t *testing.T, l Launcher) {
		p, err := plant()
		must(t, err)
		defer p.remove()
		c := p.command()
		c.Limits.Processes = 1
		if out, _, err := probe(l, c, "trace"); !isMachines(err) {
			t.Errorf("%v, the probe said %q, expected that the machine is to blame", err, out)
		}
	})
}
