package sandbox

import "umpire/referee"

// Trial is the result of trying a level on this machine.
type Trial struct {
	Level  referee.Level `json:"level"`
	OK     bool          `json:"ok"`
	Reason string        `json:"reason,omitempty"` // what was missing
	Known  bool          `json:"-"`                // it was remembered
}

// Report describes the limits this machine can enforce.
type Report struct {
	Auto   referee.Level `json:"auto"` // the level that auto stands for here; "" where it can't be found out
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
