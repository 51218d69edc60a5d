package program

import (
	"slices"
	"testing"

	"umpire/referee"
)

func TestEnvironment(t *testing.T) {
	t.Setenv("API_TOKEN", "secret")
	t.Setenv("UMPIRE_SEAT", "9")
	t.Setenv("LC_ALL", "C")
	for level, token := range map[referee.Level]bool{referee.LevelNone: true, referee.LevelBasic: false, referee.LevelStrict: false} {
		env := environment(level)
		if slices.Contains(env, "API_TOKEN=secret") != token || slices.Contains(env, "UMPIRE_SEAT=9") || !slices.Contains(env, "LC_ALL=C") {
			t.Errorf("%s: got %q", level, env)
		}
	}
}
