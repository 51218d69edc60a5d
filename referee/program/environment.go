package program

import (
	"os"
	"slices"
	"strings"

	"umpire/referee"
)

// harmless are the variables of umpire's environment that isolated programs
// get: where programs are, the locale, and what runtimes look at. All else may
// hold secrets, and HOME and TMPDIR are the launcher's. A bot
// that needs more is started by `env NAME=VALUE ./bot`.
var harmless = []string{
	"PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "OMP_NUM_THREADS",
	"JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "GOROOT", "GOGC", "GOMAXPROCS", "GOMEMLIMIT",
	"NODE_PATH", "NODE_OPTIONS", "PERL5LIB", "PYENV_ROOT", "PYENV_VERSION", "RUBYLIB", "RUSTUP_TOOLCHAIN",
}

// buffering are the beginnings of variables that change how a runtime buffers
// its output. No program gets one at any level: a flush that is missing must
// show on the author's machine as it does on the organiser's. Python's are
// withheld altogether, as their number grows.
var buffering = []string{"PYTHON", "_STDBUF_"}

// environment is what of umpire's own environment a program gets.
func environment(level referee.Level) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		given := slices.Contains(harmless, name) || strings.HasPrefix(name, "LC_")
		if level == referee.LevelNone {
			given = !strings.HasPrefix(name, "UMPIRE_") // those only umpire sets
		}
		changes := slices.ContainsFunc(buffering, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
		if given && !changes {
			env = append(env, v)
		}
	}
	return env
}

func (b Bot) env(level referee.Level) []string { return append(environment(level), b.Env...) }

// Inherited lists, as NAME=VALUE in order, what isolated contestants get of
// umpire's environment.
func Inherited() []string {
	env := environment(referee.LevelStrict)
	slices.Sort(env)
	return env
}
