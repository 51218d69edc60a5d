package problem

import (
	"umpire/protocols"
	"umpire/referee"
)

// Classes of verdicts, in judges' shorthand.
const (
	Accepted  = "AC"
	WrongWay  = "WA"
	TooSlow   = "TLE"
	FailedRun = "RTE"
	NoProgram = "CE"
)

// ClassOf returns the class of a verdict.
func ClassOf(v referee.Verdict) string {
	switch protocols.Kind(v) {
	case protocols.KindTime, protocols.KindIdle:
		return TooSlow
	case protocols.KindCrash, protocols.KindMemory, protocols.KindOutput, protocols.KindSecurity:
		return FailedRun
	case protocols.KindCompile:
		return NoProgram
	}
	if v == referee.OK {
		return Accepted
	}
	return WrongWay
}
