package judging

import (
	"context"
	"errors"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
	"umpire/referee/external/problem"
)

// Reproduction tells a submission what the judge of a recorded match said, each time when
// all has been written again that had been written before that.
type Reproduction struct {
	Seen   []referee.Exchange // the recorded match
	Limits protocols.Limits
	// Problem is that of the match, which was on Case; nil: not known. It says by what the
	// submission talks, and what else it is given; its own files are in folder Own, if any.
	Problem *problem.Problem
	Case    protocols.Case
	Own     string
	// Seat starts a process of the submission.
	Seat   func(context.Context, referee.Given) (referee.Contestant, error)
	Stalls referee.Stalls
	// Through tells it all, whatever it writes: what belongs to a line of the record when
	// it has written as many lines.
	Through bool

	on Relay // the problem, on its case
}

// errStop ends a run of which no more is to be known.
var errStop = errors.New("compared")

// Errors of matches that can't be reproduced, beside ErrCut.
var (
	// ErrSilent is that of a match in which the judge said nothing to the submission.
	ErrSilent = errors.New("its judge said nothing to the submission, and no record holds the input of a case")
	// ErrNoPackage is that of a match whose submission talked by FIFOs, or is several
	// processes, where the package is not known.
	ErrNoPackage = errors.New("its package says how the submission is started, by FIFOs or as several processes")
	// ErrNoProcess is that of a match with more processes than the package has.
	ErrNoProcess = errors.New("it has more processes than its package")
)

// Run runs the submission, as often as the record has passes. An error is umpire's, that
// of ctx, ErrCut, ErrSilent, ErrNoPackage or ErrNoProcess.
func (r Reproduction) Run(ctx context.Context) (out Reproduced, err error) {
	if err := r.check(); err != nil {
		return out, err
	}
	given := []referee.Given{{}}
	if r.Problem != nil {
		r.on.Problem = r.Problem
		if r.on.Case, err = r.Problem.Find(r.Case); err != nil {
			r.on.Case = r.Problem.Template()
		}
		var end func()
		if given, end, err = r.on.Equip(r.Own); err != nil {
			return out, err
		}
		defer end()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for n, seen := range passesOf(r.Seen) {
		if n > 0 {
			out.Seen = append(out.Seen, referee.Exchange{Pass: n + 1})
		}
		if err := r.pass(ctx, seen, given, &out); err != nil || !out.Same {
			return out, err
		}
	}
	return out, nil
}

// check returns the error of a match that can't be reproduced.
func (r Reproduction) check() error {
	most, interactive := 1, false
	if r.Problem != nil {
		most, interactive = max(1, r.Problem.Processes), r.Problem.Interactive
	}
	talked, ended := interactive, false // only then the judge was there while the submission ran
	for _, e := range r.Seen {
		switch {
		case r.Problem == nil && (e.Seat > 1 || e.To > 0):
			return ErrNoPackage
		case e.Seat < 0 || e.Seat > most || e.To < 0 || e.To > most:
			return ErrNoProcess
		case e.Seat == 0 && e.Bytes > 0:
			return ErrCut
		}
		talked = talked || e.Seat == 0 && e.Pass == 0 && (e.Text != "" || !ended) || e.Fail != nil && e.Fail.Kind == protocols.KindIdle
		ended = ended || e.Seat == 1 && hasEnded(e)
	}
	if !talked {
		return ErrSilent
	}
	return nil
}

// passesOf splits what was seen into passes.
func passesOf(seen []referee.Exchange) [][]referee.Exchange {
	passes := make([][]referee.Exchange, 1)
	for _, e := range seen {
		if e.Pass > 0 {
			passes = append(passes, nil)
			continue
		}
		passes[len(passes)-1] = append(passes[len(passes)-1], e)
	}
	return passes
}

// pass runs the submission against one run of the record.
func (r Reproduction) pass(ctx context.Context, seen []referee.Exchange, given []referee.Given, out *Reproduced) error {
	told := newRetelling(seen, len(given), r.Through)
	bots, why, err := r.seat(ctx, given)
	if err != nil {
		return err
	}
	now := transcript{begun: time.Now()}
	if why != nil {
		told.see(referee.Exchange{Seat: 1, Fail: why})
	} else if !told.known() {
		err = r.relay(ctx, bots, told, &now)
	}
	for _, bot := range bots {
		addUsage(&out.Usage, bot.Stop())
	}
	out.Seen = append(out.Seen, now.list...)
	told.compare(out)
	return err
}

// seat starts the processes of the submission; why says that it could not be.
func (r Reproduction) seat(ctx context.Context, given []referee.Given) (bots []*contestant.Contestant, why *protocols.Failure, err error) {
	var seats []referee.Contestant
	for _, one := range given {
		seat, startErr := r.Seat(ctx, one)
		if err = startErr; err != nil {
			break
		}
		seats = append(seats, seat)
	}
	if err == nil {
		bots, why, err = programs(ctx, seats)
	}
	if len(bots) == 0 {
		for _, seat := range seats {
			seat.Stop()
		}
	}
	return bots, why, err
}

// relay has the submission hear what the judge said, and notes what both do.
func (r Reproduction) relay(ctx context.Context, bots []*contestant.Contestant, told *retelling, now *transcript) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	relay := &contestant.Relay{
		Bots: bots, Limit: r.Limits.Time, Output: told.mostOutput(), Stalls: r.Stalls,
		Rejects: func(int) bool { return true },
		See: func(e referee.Exchange) {
			if told.known() { // it is about to be stopped
				return
			}
			now.add(e)
			if told.see(e); told.known() {
				stop(errStop)
			}
		},
		Answer: func() (list []contestant.Saying) {
			for _, e := range told.due() {
				if e.Text != "" {
					now.add(referee.Exchange{To: e.To, Text: e.Text})
				}
				list = append(list, told.sayings(e)...)
			}
			return list
		},
	}
	relay.ToBots = r.on.channels.toBots
	if r.Problem != nil {
		relay.Output = r.Problem.Output
	}
	err := relay.Run(ctx)
	if errors.Is(err, errStop) {
		err = nil
	}
	return err
}
