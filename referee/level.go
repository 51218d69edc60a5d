package referee

import "slices"

// Level is how strongly a program is isolated. sandbox/README.md says what each
// level promises.
type Level string

const (
	LevelAuto   Level = "auto"   // the strongest that passes a trial run
	LevelNone   Level = "none"   // only its own session and supervisor: for trusted bots
	LevelBasic  Level = "basic"  // no privileges needed: seccomp, Landlock, rlimits
	LevelBox    Level = "box"    // unprivileged namespaces, private root, own init
	LevelStrict Level = "strict" // a control group per program: exact limits over all its processes
)

// Levels are those that a program may run at, the weakest first.
func Levels() []Level { return []Level{LevelNone, LevelBasic, LevelBox, LevelStrict} }

// AtLeast reports whether a level is as strong as another, or stronger.
func (l Level) AtLeast(least Level) bool {
	return slices.Index(Levels(), l) >= slices.Index(Levels(), least)
}
