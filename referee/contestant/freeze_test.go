package contestant

import (
	"testing"

	"umpire/referee"
)

// TestFreezeHolds: below box a frozen contestant may wake itself, and its children may be out of
// reach.
func TestFreezeHolds(t *testing.T) {
	for level, want := range map[referee.Level]bool{
		referee.LevelNone: false, referee.LevelBasic: false, referee.LevelBox: true, referee.LevelStrict: true,
	} {
		if got := (&Contestant{level: level}).FreezeHolds(); got != want {
			t.Errorf("%s: %v, expected %v", level, got, want)
		}
	}
}
