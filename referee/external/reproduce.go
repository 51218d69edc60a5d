package external

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/contestant"
)

// Reproduction tells a submission what the judge of a recorded match said, each time when
// it has written what it had written before that.
type Reproduction struct {
	Seen   []referee.Exchange // the recorded match
	Limits protocols.Limits
	Seat   func(context.Context) (referee.Contestant, error) // starts the submission
	Stalls referee.Stalls
	// Through tells it all, whatever it writes: what belongs to a line of the record when
	// it has written as many lines.
	Through bool
}

// Reproduced is how a submission compares with that of the record.
type Reproduced struct {
	Same  bool
	Lines int // written, as far as they were compared
	Pass  int // that was compared last, from 1
	// Recorded and Now are the first that differ, or the last: lines, or how it ended.
	Recorded, Now referee.Exchange
	End           referee.Exchange   // how it ended now, in that pass
	Failed        bool               // it crashed, was late and the like
	Seen          []referee.Exchange // of both sides
	Usage         referee.Usage
}

// errStop ends a run of which no more is to be known.
var errStop = errors.New("compared")

// Run runs the submission, as often as the record has passes. An error is umpire's, that
// of ctx, ErrCut, ErrSilent, ErrFIFOs or ErrSeveral.
func (r Reproduction) Run(ctx context.Context) (out Reproduced, err error) {
	byFIFOs := false
	talked, ended := false, false // only then the judge was there while the submission ran
	for _, e := range r.Seen {
		switch {
		case e.Seat > 1:
			return out, ErrSeveral
		case e.To > 0:
			byFIFOs = true
		case e.Seat == 0 && e.Bytes > 0:
			return out, ErrCut
		}
		talked = talked || e.Seat == 0 && e.Pass == 0 && (e.Text != "" || !ended) || e.Fail != nil && e.Fail.Kind == protocols.KindIdle
		ended = ended || e.Seat == 1 && (e.Ended || e.Fail != nil)
	}
	switch {
	case byFIFOs:
		return out, ErrFIFOs
	case !talked:
		return out, ErrSilent
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var passes [][]referee.Exchange
	for i, e := range r.Seen {
		if i == 0 || e.Pass > 0 {
			passes = append(passes, nil)
		}
		if e.Pass == 0 {
			passes[len(passes)-1] = append(passes[len(passes)-1], e)
		}
	}
	for n, seen := range passes {
		if out.Pass = n + 1; n > 0 {
			out.Seen = append(out.Seen, referee.Exchange{Pass: n + 1})
		}
		if err := r.pass(ctx, seen, &out); err != nil || !out.Same {
			return out, err
		}
	}
	return out, nil
}

// ErrSilent is the error of a match in which the judge said nothing to the submission.
var ErrSilent = errors.New("its judge said nothing to the submission, and no record holds the input of a case")

// ErrFIFOs is the error of a match whose submission talked by FIFOs.
var ErrFIFOs = errors.New("its submission talked by FIFOs, which only its package has")

// ErrSeveral is the error of a match whose submission is several processes.
var ErrSeveral = errors.New("its submission is several processes, which answer to each other")

// told is a judge that says again what is recorded.
type told struct {
	say     []prompt
	through bool
	bytes   int // that the submission has written
	lines   int
}

// prompt is something that a judge said, and how much the submission had written.
type prompt struct {
	text         string
	over         bool // it said no more
	bytes, lines int
}

// answer returns what is due when the submission has written more.
func (t *told) answer(text []byte) (say []byte, over bool) {
	t.bytes += len(text)
	t.lines += strings.Count(string(text), "\n")
	for len(t.say) > 0 {
		next := t.say[0]
		if t.through && t.lines < next.lines || !t.through && t.bytes < next.bytes {
			break
		}
		say, over, t.say = append(say, next.text...), over || next.over, t.say[1:]
	}
	return say, over
}

// pass runs the submission against one run of the record.
func (r Reproduction) pass(ctx context.Context, seen []referee.Exchange, out *Reproduced) error {
	judge := &told{through: r.Through}
	var want strings.Builder
	ends, cut := referee.Exchange{Seat: 1}, int64(0)
	limit := int64(64 << 20) // of output, where the record does not show it
	for _, e := range seen {
		switch {
		case e.Seat == 1 && (e.Ended || e.Fail != nil):
			if ends.Fail == nil {
				ends = e
			}
		case e.Seat == 1:
			want.WriteString(e.Text)
			cut = max(cut, e.Bytes)
		case !ends.Ended && ends.Fail == nil:
			judge.say = append(judge.say, prompt{e.Text, e.Text == "", want.Len(), strings.Count(want.String(), "\n")})
		}
	}
	if ends.Fail != nil && ends.Fail.Kind == protocols.KindOutput {
		limit = max(cut, int64(want.Len())) - 1
	}
	seat, err := r.Seat(ctx)
	if err != nil {
		return err
	}
	bot, ok := seat.(*contestant.Contestant)
	if !ok {
		defer func() { out.Usage = seat.Stop() }()
		_, err := seat.Receive(ctx, referee.Ask{Limit: -1, Wall: -1})
		why, failed := errors.AsType[*protocols.Failure](err)
		if !failed {
			return errors.Join(err, errors.New("a problem of a package is for programs of this machine"))
		}
		out.compareEnds(ends, referee.Exchange{Seat: 1, Fail: why})
		return nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	seenNow := transcript{begun: time.Now()}
	var wrote strings.Builder
	now := referee.Exchange{Seat: 1}
	relay := &contestant.Relay{Bots: []*contestant.Contestant{bot}, Limit: r.Limits.Time, Output: limit, Stalls: r.Stalls}
	relay.Answer = func(_ int, text []byte) ([]byte, bool) {
		say, over := judge.answer(text)
		if len(say) > 0 {
			seenNow.add(referee.Exchange{Text: string(say)})
		}
		return say, over
	}
	relay.Rejects = func(int) bool { return true }
	check := func(e referee.Exchange) {
		if wrote.WriteString(e.Text); (e.Ended || e.Fail != nil) && now.Fail == nil {
			now = e
		}
		differs := !strings.HasPrefix(want.String(), wrote.String()) && (cut == 0 || !strings.HasPrefix(wrote.String(), want.String()))
		unended := !ends.Ended && ends.Fail == nil && wrote.Len() >= want.Len()
		if !r.Through && (differs || unended) {
			stop(errStop)
		}
	}
	relay.See = func(e referee.Exchange) {
		seenNow.add(e)
		check(e)
	}
	if check(referee.Exchange{}); ctx.Err() == nil {
		err = relay.Run(ctx)
	}
	if errors.Is(err, errStop) {
		err = nil
	}
	out.Usage = bot.Stop()
	out.Seen = append(out.Seen, seenNow.list...)
	out.compare(want.String(), wrote.String(), cut > 0)
	if !out.Same && out.Now.Text == "" {
		out.Now = now
	}
	if out.Same && (ends.Ended || ends.Fail != nil || r.Through) {
		out.compareEnds(ends, now)
	}
	out.End, out.Failed = now, now.Fail != nil || now.Ended && (now.Signal != "" || now.Exit != 0)
	if now.Fail != nil && now.Fail.Kind == protocols.KindIdle && len(judge.say) == 0 && wrote.Len() > want.Len() {
		out.Failed = false // it waits for what no judge has said yet
	}
	return err
}

// compare finds the first line that differs.
func (out *Reproduced) compare(want, wrote string, cut bool) {
	have, before := strings.SplitAfter(wrote, "\n"), strings.SplitAfter(want, "\n")
	for i := 0; ; i++ {
		var a, b string
		if i < len(before) {
			a = before[i]
		}
		if i < len(have) {
			b = have[i]
		}
		if out.Same = a == b; a != "" && out.Same {
			out.Lines++
		}
		if !out.Same && cut && i >= len(before)-1 && strings.HasPrefix(b, a) {
			out.Same = true // the rest is not kept
			return
		}
		out.Recorded, out.Now = referee.Exchange{Seat: 1, Text: a}, referee.Exchange{Seat: 1, Text: b}
		if !out.Same || a == "" {
			return
		}
	}
}

// compareEnds compares how it ended.
func (out *Reproduced) compareEnds(recorded, now referee.Exchange) {
	out.Recorded, out.Now = recorded, now
	out.End, out.Failed = now, now.Fail != nil
	switch {
	case recorded.Fail != nil || now.Fail != nil:
		out.Same = recorded.Fail != nil && now.Fail != nil && recorded.Fail.Kind == now.Fail.Kind
	default:
		out.Same = recorded.Ended == now.Ended && recorded.Exit == now.Exit && recorded.Signal == now.Signal
	}
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
	return doing(out.Recorded), doing(out.Now), doing(out.End)
}
