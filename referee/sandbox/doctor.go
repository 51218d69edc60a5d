package sandbox

import (
	"cmp"
	"errors"

	"umpire/referee"
)

// Doctor tries every level and looks at what they need. It takes about a
// second. The error is an UntriedError, and the report whole for all that could be tried.
func Doctor() (r Report, untried error) {
	r = Report{Levels: []Trial{}, Checks: checks()}
	for _, level := range referee.Levels() {
		_, t, err := newTried(level, "")
		if err != nil {
			r.Auto, t = "", Trial{Level: level, Reason: errors.Unwrap(err).Error()}
			untried = cmp.Or(untried, err)
		}
		if t.OK {
			r.Auto = level
		}
		r.Levels = append(r.Levels, t)
	}
	return r, untried
}
