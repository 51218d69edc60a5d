package sandbox

import "umpire/referee"

// Doctor tries every level and looks at what they need. It takes about a
// second.
func Doctor() Report {
	r := Report{Auto: referee.LevelNone, Levels: []Trial{}, Checks: checks()}
	for _, level := range referee.Levels() {
		_, t := newTried(level, "")
		if t.OK {
			r.Auto = level
		}
		r.Levels = append(r.Levels, t)
	}
	return r
}
