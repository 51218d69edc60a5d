package referee

// Level is how strongly a program is isolated. README.md beside this file says
// what each level promises.
type Level string

const (
	LevelAuto   Level = "auto"   // the strongest that passes a trial run
	LevelNone   Level = "none"   // a session and a supervisor of its own, no more: for one's own bots
	LevelBasic  Level = "basic"  // no privileges needed: seccomp, Landlock, rlimits
	LevelBox    Level = "box"    // unprivileged namespaces, private root, own init
	LevelStrict Level = "strict" // a control group a program: exact limits over all its children
)
