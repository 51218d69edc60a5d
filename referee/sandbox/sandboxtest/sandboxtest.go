// Package sandboxtest says at which levels of isolation tests run on this
// machine.
package sandboxtest

import (
	"os"
	"slices"
	"testing"

	"umpire/referee"
	"umpire/referee/sandbox"
)

// Thorough reports whether tests are to try all combinations and to repeat what
// rarely goes wrong, which takes minutes.
func Thorough() bool { return os.Getenv("UMPIRE_TEST") == "thorough" }

// Isolated returns the strongest level above none that this machine has; in
// thorough tests, all of them, the strongest first.
func Isolated() (list []sandbox.Launcher) {
	for l := range available {
		list = append(list, l)
		if !Thorough() {
			break
		}
	}
	return list
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
		if l, _, err := sandbox.Choose(level); err == nil && l.Level() == level && !yield(l) {
			return
		}
	}
}
