package sandbox

import (
	"umpire/referee"
)

// Doctor tries every level and looks at what they need. It takes about a
// second.
func Doctor() Report {
	r := Report{Auto: referee.LevelNone, Levels: []Trial{}, Checks: checks()}
	for _, level := range order {
		t := Trial{Level: level, OK: true}
		l, err := New(level)
		if err == nil && level != referee.LevelNone {
			err = tryLevel(l)
		}
		if err != nil {
			t.OK, t.Reason = false, err.Error()
		} else {
			r.Auto = level
		}
		r.Levels = append(r.Levels, t)
	}
	return r
}
