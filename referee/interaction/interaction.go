// Package interaction says what follows from the facts of a match between a contestant
// and a judge that is a program, as a conductor has seen or a record holds them. It
// starts nothing, and knows of judges only what their exit statuses mean.
package interaction

import (
	"errors"
	"fmt"
	"slices"

	"umpire/protocols"
	"umpire/referee"
)

// Format is a format of problem packages, by how a judge's end is read.
type Format string

// Kattis is the format of Kattis and the ICPC.
const Kattis Format = "kattis"

// Formats are the formats of packages that can be judged.
var Formats = []Format{Kattis}

// Answer is what a judge's exit status says of a contestant.
type Answer int

const (
	None Answer = iota // the judge has failed
	Accept
	Reject
)

// statuses say what exit statuses mean: all others mean that the judge has failed.
var statuses = map[Format]map[int]Answer{
	Kattis: {42: Accept, 43: Reject},
}

// Answer returns what an exit status of a judge says.
func (f Format) Answer(exit int) Answer { return statuses[f][exit] }

// Facts are what is known of one run, which decides on its verdict.
type Facts struct {
	Judge   End
	Bot     End
	Before  bool // the judge ended before the contestant
	Compile bool // there was nothing to run
}

// End is how one side of a run ended.
type End struct {
	Ended  bool
	Exit   int
	Signal string             // "": it ended by itself
	Detail string             // what a judge says of the run
	Score  *protocols.Score   // what it gives; nil: 1
	Fail   *protocols.Failure // why umpire ended it, or what it has exceeded; nil: nothing
}

// Ruling is what follows from the facts of a run.
type Ruling struct {
	Verdict referee.Verdict
	Detail  string
	Score   protocols.Score
}

// JudgeError is the error of a run that says nothing of the contestant, since the judge
// has failed.
type JudgeError struct{ Why string }

func (e *JudgeError) Error() string { return e.Why }

// Rule is the verdict: the first row that holds. An error is a JudgeError.
func Rule(f Format, facts Facts) (Ruling, error) {
	for _, row := range rows {
		if ruling, err := row.rule(f, facts); ruling.Verdict != "" || err != nil {
			return ruling, err
		}
	}
	if !facts.Bot.Ended {
		return Ruling{}, errors.New("the contestant has not ended")
	}
	r := Ruling{Verdict: referee.OK, Score: protocols.Points(1)}
	if facts.Judge.Score != nil {
		r.Score = *facts.Judge.Score
	}
	return r, nil
}

// rows are what decides on a verdict, the first that holds.
var rows = []struct {
	name string
	rule func(Format, Facts) (Ruling, error)
}{
	{"nothing to run", func(_ Format, f Facts) (r Ruling, err error) {
		if f.Compile {
			return failed(f.Bot.Fail), nil
		}
		return r, nil
	}},
	{"judge failed", judgeFailed},
	{"judge rejected and stopped before the contestant", func(format Format, f Facts) (r Ruling, err error) {
		if f.Before && f.Judge.rejects(format) {
			return rejected(f), nil
		}
		return r, nil
	}},
	{"security, memory, output", func(_ Format, f Facts) (r Ruling, err error) {
		return f.Bot.of(protocols.KindSecurity, protocols.KindMemory, protocols.KindOutput), nil
	}},
	{"late or idle", func(_ Format, f Facts) (r Ruling, err error) {
		return f.Bot.of(protocols.KindTime, protocols.KindIdle), nil
	}},
	{"crash", func(_ Format, f Facts) (r Ruling, err error) {
		switch {
		case f.Bot.Signal != "":
			r = Ruling{Verdict: referee.Verdict(protocols.KindCrash), Detail: "killed by " + f.Bot.Signal}
		case f.Bot.Exit != 0:
			r = Ruling{Verdict: referee.Verdict(protocols.KindCrash), Detail: fmt.Sprintf("exit status %d", f.Bot.Exit)}
		}
		return r, nil
	}},
	{"judge rejected", func(format Format, f Facts) (r Ruling, err error) {
		if f.Judge.rejects(format) {
			return rejected(f), nil
		}
		return r, nil
	}},
}

// judgeFailed holds where the judge's end says nothing. That it is killed since it goes
// on after the contestant has failed is no fault of its.
func judgeFailed(format Format, f Facts) (r Ruling, err error) {
	switch j := f.Judge; {
	case j.Fail != nil:
		return r, &JudgeError{j.Fail.Detail}
	case !j.Ended && f.Bot.failed():
		return r, nil
	case !j.Ended:
		return r, &JudgeError{"it has not ended"}
	case j.Signal != "":
		return r, &JudgeError{"it was killed by " + j.Signal}
	case format.Answer(j.Exit) == None:
		return r, &JudgeError{fmt.Sprintf("it ended with exit status %d, which says nothing of a submission%s", j.Exit, detail("; it says: ", j.Detail))}
	}
	return r, nil
}

func (e End) rejects(f Format) bool { return e.Ended && e.Signal == "" && f.Answer(e.Exit) == Reject }

// failed reports whether a contestant has failed by itself, whatever the judge says.
func (e End) failed() bool { return e.Fail != nil || e.Ended && (e.Signal != "" || e.Exit != 0) }

// of is the ruling on a contestant that has failed in one of these ways.
func (e End) of(kinds ...protocols.Kind) (r Ruling) {
	fail := e.Fail
	if fail == nil {
		fail = signals[e.Signal]
	}
	if fail != nil && slices.Contains(kinds, fail.Kind) {
		return failed(fail)
	}
	return r
}

// signals are those by which the kernel ends a program that does what it may not.
var signals = map[string]*protocols.Failure{
	"SIGSYS":  {Kind: protocols.KindSecurity, Detail: "made a forbidden system call"},
	"SIGXCPU": {Kind: protocols.KindTime, Detail: "exceeded the CPU time limit of its process"},
	"SIGXFSZ": {Kind: protocols.KindOutput, Detail: "wrote a file larger than allowed"},
}

func failed(f *protocols.Failure) Ruling {
	return Ruling{Verdict: referee.Verdict(f.Kind), Detail: f.Detail}
}

func rejected(f Facts) Ruling {
	return Ruling{Verdict: referee.Wrong, Detail: detail("", f.Judge.Detail)}
}

// detail is what a judge says, after a word; where it says nothing, "" or that.
func detail(word, text string) string {
	if text == "" && word == "" {
		return "the judge rejects it"
	}
	if text == "" {
		return ""
	}
	return word + text
}
