package sandbox

import (
	"umpire/referee"
)

// Report describes the limits this machine can enforce.
type Report struct {
	Auto   referee.Level `json:"auto"` // the level that auto stands for here
	Levels []Trial       `json:"levels"`
	Checks []Check       `json:"checks"`
}

// Check is one fact about the machine.
type Check struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Found string `json:"found"`
	Means string `json:"means"`         // what it matters for
	Get   string `json:"get,omitempty"` // how to get it, where it is missing
}

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
