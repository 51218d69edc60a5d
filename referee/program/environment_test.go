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
	t.Setenv("PYTHONUNBUFFERED", "1")
	t.Setenv("_STDBUF_O", "0")
	for level, token := range map[referee.Level]bool{referee.LevelNone: true, referee.LevelBasic: false, referee.LevelStrict: false} {
		env := environment(level)
		if slices.Contains(env, "API_TOKEN=secret") != token || slices.Contains(env, "UMPIRE_SEAT=9") || !slices.Contains(env, "LC_ALL=C") {
			t.Errorf("%s: got %q", level, env)
		}
		if slices.Contains(env, "PYTHONUNBUFFERED=1") || slices.Contains(env, "_STDBUF_O=0") {
			t.Errorf("%s: a variable changes buffering: %q", level, env)
		}
	}
}
