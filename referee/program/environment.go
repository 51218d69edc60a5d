package program

import (
	"os"
	"slices"
	"strings"

	"umpire/referee"
)

// harmless lists the variables of umpire's environment that isolated programs
// get: where programs are, the locale, and settings of runtimes. All others may
// hold secrets, and the launcher sets HOME and TMPDIR. A bot that needs more is
// started by `env NAME=VALUE ./bot`.
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

// environment returns the part of umpire's environment that a program gets.
func environment(level referee.Level) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		given := slices.Contains(harmless, name) || strings.HasPrefix(name, "LC_")
		if level == referee.LevelNone {
			given = !strings.HasPrefix(name, "UMPIRE_") // only umpire sets these
		}
		changes := slices.ContainsFunc(buffering, func(beginning string) bool { return strings.HasPrefix(name, beginning) })
		if given && !changes {
			env = append(env, v)
		}
	}
	return env
}

// Inherited lists the part of umpire's environment that isolated contestants
// get, as NAME=VALUE in order.
func Inherited() []string {
	env := environment(referee.LevelStrict)
	slices.Sort(env)
	return env
}

// reproducible are the variables with which judges say the same each time.
var reproducible = []string{"PYTHONHASHSEED=0", "PYTHONUTF8=1", "PERL_HASH_SEED=0", "LANG=C.UTF-8", "TZ=UTC"}

// JudgeEnvironment returns the environment of a judge: env, and what makes judges say the
// same each time, and more.
func JudgeEnvironment(env []string, more ...string) []string {
	for _, v := range append(slices.Clone(reproducible), more...) {
		name, _, _ := strings.Cut(v, "=")
		env = slices.DeleteFunc(env, func(have string) bool { return strings.HasPrefix(have, name+"=") })
		env = append(env, v)
	}
	return env
}
