// Package interaction says what follows from the facts of a match between a contestant
// and a judge that is a program, as a conductor has seen or a record holds them. It
// starts nothing, and knows of judges only what their exit statuses mean.
package interaction

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"umpire/protocols"
	"umpire/referee"
)

// Format is a format of problem packages, by how a judge's end is read.
type Format string

const (
	Kattis  Format = "kattis"  // of Kattis and the ICPC
	Polygon Format = "polygon" // of Polygon, whose judges use testlib
	CMS     Format = "cms"     // of CMS, whose judges print a score
	Testlib Format = "testlib" // a judge without a package, which uses testlib
	CodeJam Format = "codejam" // one without a package, as in Code Jam
)

// Answer is what a judge's exit status says of a contestant.
type Answer int

const (
	None Answer = iota // the judge has failed
	Accept
	Reject
)

// StatusPoints is the status by which a judge that uses testlib accepts, and says points.
const StatusPoints = 7

// testlib are the statuses of judges that use testlib.
var testlib = map[int]Answer{0: Accept, StatusPoints: Accept, 1: Reject, 2: Reject, 4: Reject, 5: Reject, 8: Reject}

// statuses say what exit statuses mean: all others mean that the judge has failed.
var statuses = map[Format]map[int]Answer{
	Kattis:  {42: Accept, 43: Reject},
	Polygon: testlib,
	Testlib: testlib,
}

// TellsOnStderr reports whether judges say on their standard error what they think of a run,
// with the points, if they give some.
func (f Format) TellsOnStderr() bool { return f == Polygon || f == CMS || f == Testlib || f == CodeJam }

// PrintsScore reports whether judges print a score first, 0 if they reject.
func (f Format) PrintsScore() bool { return f == CMS }

// Answer returns what an exit status of a judge says, and the score that it has printed, if
// it does that.
func (f Format) Answer(exit int, score *protocols.Score) Answer {
	switch {
	case f == CMS && (exit != 0 || score == nil || score.Compare(protocols.Score{}) < 0):
		return None
	case f == CMS && *score == (protocols.Score{}), f == CodeJam && exit != 0:
		return Reject
	case f == CMS, f == CodeJam:
		return Accept
	}
	return statuses[f][exit]
}

// Facts are what is known of one run, which decides on its verdict.
type Facts struct {
	Judge   End
	Checker End   // of a program that looks at what an interactive judge has written
	Bots    []End // of the processes of the contestant
	Before  bool  // the judge ended before the contestant

	most int // processes of the contestant; 0: not known
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
	Former  []string // what older records have as Detail
}

// JudgeError is the error of a run that says nothing of the contestant, since the judge
// has failed.
type JudgeError struct{ Why string }

func (e *JudgeError) Error() string { return e.Why }

// Rule is the verdict: the first that holds. An error is a JudgeError.
func Rule(f Format, facts Facts) (Ruling, error) {
	if bots := facts.Bots; len(bots) > 0 && bots[0].Fail != nil && bots[0].Fail.Kind == protocols.KindCompile {
		return failed(bots[0].Fail), nil
	}
	if why := facts.judgeFailed(f); why != "" {
		return Ruling{}, &JudgeError{why}
	}
	if facts.Before && facts.Judge.rejects(f) {
		return rejected(facts.Judge), nil
	}
	for _, kinds := range [][]protocols.Kind{
		{protocols.KindSecurity, protocols.KindMemory, protocols.KindOutput},
		{protocols.KindTime, protocols.KindIdle},
	} {
		if r := facts.of(kinds); r.Verdict != "" {
			return r, nil
		}
	}
	for i, bot := range facts.Bots {
		switch {
		case bot.Signal != "":
			return facts.failed(i, &protocols.Failure{Kind: protocols.KindCrash, Detail: "killed by " + bot.Signal}), nil
		case bot.Exit != 0:
			return facts.failed(i, &protocols.Failure{Kind: protocols.KindCrash, Detail: fmt.Sprintf("exit status %d", bot.Exit)}), nil
		}
	}
	r := Ruling{Verdict: referee.OK, Score: protocols.Points(1)}
	for _, end := range []End{facts.Judge, facts.Checker} {
		if end.rejects(f) {
			return rejected(end), nil
		}
		if end.Score != nil {
			r.Score = *end.Score
		}
	}
	if !facts.ended() {
		return Ruling{}, errors.New("the contestant has not ended")
	}
	return r, nil
}

// judgeFailed says why the judge's end says nothing; "" if it does. That it is killed since
// it goes on after the contestant has failed is no fault of its.
func (f Facts) judgeFailed(format Format) string {
	fails := slices.ContainsFunc(f.Bots, End.failed)
	if !f.Judge.Ended && f.Judge.Fail == nil && fails {
		return ""
	}
	why := f.Judge.saysNothing(format)
	if format == CMS && fails && f.Judge.well() {
		why = "" // it need not print a score
	}
	if why == "" && f.Checker.seen() {
		if why = f.Checker.saysNothing(format); why != "" {
			why = "its checker: " + why
		}
	}
	return why
}

// seen reports whether anything is known of the end.
func (e End) seen() bool { return e.Ended || e.Fail != nil }

// saysNothing says why the end of a judge says nothing of a contestant; "" if it does.
func (e End) saysNothing(format Format) string {
	switch {
	case e.Fail != nil:
		return e.Fail.Detail
	case !e.Ended:
		return "it has not ended"
	case e.Signal != "":
		return "it was killed by " + e.Signal + e.Says()
	case format == CMS && e.Exit == 0 && e.Score == nil:
		return "the first line that it printed is no number of 0 or more" + e.Says()
	case format.Answer(e.Exit, e.Score) == None:
		return fmt.Sprintf("it ended with exit status %d, which says nothing of a submission%s", e.Exit, e.Says())
	}
	return ""
}

func (e End) rejects(f Format) bool {
	return e.Ended && e.Signal == "" && f.Answer(e.Exit, e.Score) == Reject
}

// well reports whether a side has ended with status 0.
func (e End) well() bool { return e.Ended && e.Fail == nil && e.Signal == "" && e.Exit == 0 }

// ended reports whether all processes of the contestant have.
func (f Facts) ended() bool {
	return len(f.Bots) > 0 && !slices.ContainsFunc(f.Bots, func(e End) bool { return !e.Ended })
}

// failed reports whether a contestant has failed by itself, whatever the judge says.
func (e End) failed() bool { return e.Fail != nil || e.Ended && (e.Signal != "" || e.Exit != 0) }

// of is the ruling on a contestant of which a process has failed in one of these ways.
func (f Facts) of(kinds []protocols.Kind) (r Ruling) {
	for i, e := range f.Bots {
		fail := cmp.Or(e.Fail, signals[e.Signal])
		if fail != nil && slices.Contains(kinds, fail.Kind) {
			return f.failed(i, fail)
		}
	}
	return r
}

// failed is the ruling on a contestant of which a process, by its index, has failed: alone,
// and not since it shares time with others, or waits as they do.
func (f Facts) failed(process int, why *protocols.Failure) Ruling {
	r := failed(why)
	if len(f.Bots) > 1 && why.Kind != protocols.KindTime && why.Kind != protocols.KindIdle {
		r.Detail = fmt.Sprintf("process %d: %s", process, r.Detail)
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

func rejected(judge End) Ruling {
	return Ruling{Verdict: referee.Wrong, Detail: cmp.Or(judge.Detail, "the judge rejects it")}
}

// Says adds what a judge says of the run; "" where it says nothing.
func (e End) Says() string {
	if e.Detail == "" {
		return ""
	}
	return "; it says: " + e.Detail
}
