package contestant

import (
	"slices"
	"testing"

	"umpire/referee/contestant/sandbox"
)

func TestEnvironment(t *testing.T) {
	t.Setenv("API_TOKEN", "secret")
	t.Setenv("UMPIRE_SEAT", "9")
	t.Setenv("LC_ALL", "C")
	for level, token := range map[sandbox.Level]bool{sandbox.None: true, sandbox.Basic: false, sandbox.Strict: false} {
		env := environment(level)
		if slices.Contains(env, "API_TOKEN=secret") != token || slices.Contains(env, "UMPIRE_SEAT=9") || !slices.Contains(env, "LC_ALL=C") {
			t.Errorf("%s: got %q", level, env)
		}
	}
}
