package judging

import (
	"fmt"
	"strings"

	"umpire/protocols"
	"umpire/referee"
)

// Reproduced is how a submission compares with that of the record.
type Reproduced struct {
	Same    bool
	Process int // of several, from 1, the one that differs; 0: none does, or it is the only one
	Lines   int // that are as recorded: of that process, or of all
	// Recorded and Now are the first that differ, or the last: lines, or how it ended.
	Recorded, Now referee.Exchange
	End           referee.Exchange   // how it ended now, in the last pass
	Failed        bool               // it crashed, was late and the like
	Seen          []referee.Exchange // of both sides
	Usage         referee.Usage

	several bool // processes
}

// doing says in words what a submission did.
func doing(e referee.Exchange) string {
	switch {
	case e.Text != "":
		return protocols.Quote(strings.TrimSuffix(e.Text, "\n"))
	case e.Fail != nil:
		return fmt.Sprintf("%s: %s", e.Fail.Kind, e.Fail.Detail)
	case e.Signal != "":
		return "it is killed by " + e.Signal
	case e.Ended:
		return fmt.Sprintf("it ends with status %d", e.Exit)
	}
	return "it writes no more"
}

// Words says what both did where they differ, or last, and how it ended now.
func (out Reproduced) Words() (recorded, now, end string) {
	if out.Same {
		return out.ending(out.Recorded), out.ending(out.Now), out.ending(out.End)
	}
	return doing(out.Recorded), doing(out.Now), out.ending(out.End)
}

// ending says in words how a submission ended: with a process that failed by itself, by that.
func (out Reproduced) ending(e referee.Exchange) string {
	if out.several && hasFailed(e) && !endsAll(e.Fail) {
		return fmt.Sprintf("process %d: %s", e.Seat-1, doing(e))
	}
	return doing(e)
}

func hasEnded(e referee.Exchange) bool { return e.Ended || e.Fail != nil }

func hasFailed(e referee.Exchange) bool {
	return e.Fail != nil || e.Ended && (e.Signal != "" || e.Exit != 0)
}

func isLate(why *protocols.Failure) bool { return why != nil && why.Kind == protocols.KindTime }

// endsAll reports whether a failure is that of all processes: they share their time, and
// wait for each other.
func endsAll(why *protocols.Failure) bool {
	return isLate(why) || why != nil && why.Kind == protocols.KindIdle
}

func sameEnd(a, b referee.Exchange) bool {
	if a.Fail != nil || b.Fail != nil {
		return a.Fail != nil && b.Fail != nil && a.Fail.Kind == b.Fail.Kind
	}
	return a.Ended == b.Ended && a.Exit == b.Exit && a.Signal == b.Signal
}
