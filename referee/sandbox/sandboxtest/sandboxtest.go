// Package sandboxtest says at which levels of isolation tests run on this
// machine.
package sandboxtest

import (
	"slices"
	"sync"
	"testing"

	"umpire/referee"
	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// Levels lists the levels above none that this machine has, the strongest first,
// as a dimension of tests. They are tried once in a process.
func Levels() testlevel.Dimension { return slices.Clone(levels()) }

var levels = sync.OnceValue(func() (list testlevel.Dimension) {
	for l := range available {
		list = append(list, string(l.Level()))
	}
	return list
})

// StrongestLevel returns the strongest level above none that this machine has; the
// test is skipped if it has none.
func StrongestLevel(t testing.TB) referee.Level {
	t.Helper()
	if len(levels()) == 0 {
		t.Skip("this machine has no level of isolation above none")
	}
	return referee.Level(levels()[0])
}

// Launcher returns the launcher of one of Levels.
func Launcher(t testing.TB, level string) sandbox.Launcher {
	t.Helper()
	l, _, err := sandbox.Choose(referee.Level(level), "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Each runs a test at every level above none that this machine has.
func Each(t *testing.T, f func(t *testing.T, l sandbox.Launcher)) {
	for _, l := range slices.Backward(slices.Collect(available)) {
		t.Run(string(l.Level()), func(t *testing.T) { f(t, l) })
	}
}

// available yields the levels above none that this machine has, the strongest
// first.
func available(yield func(sandbox.Launcher) bool) {
	for _, level := range []referee.Level{referee.LevelStrict, referee.LevelBox, referee.LevelBasic} {
		if l, _, err := sandbox.Choose(level, ""); err == nil && l.Level() == level && !yield(l) {
			return
		}
	}
}
