package sandbox

import "umpire/referee"

// Doctor tries every level and looks at what they need. It takes about a
// second. The error is an UntriedError.
func Doctor() (Report, error) {
	r := Report{Auto: referee.LevelNone, Levels: []Trial{}, Checks: checks()}
	for _, level := range referee.Levels() {
		_, t, err := newTried(level, "")
		if err != nil {
			return r, err
		}
		if t.OK {
			r.Auto = level
		}
		r.Levels = append(r.Levels, t)
	}
	return r, nil
}
