// Package referee plays one match: it carries lines between a game and its
// contestants, keeps their clocks, and rules on their failures. It knows
// nothing of any particular game, of files or of other matches.
//
// One driver serves playing, verifying and replaying: it takes replies from
// contestants or from a record of them.
package referee

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"umpire/protocols"
)

// Verdict is how a seat's play is judged: ok, wrong, or the kind of a failure.
type Verdict string

const (
	OK    Verdict = "ok"
	Wrong Verdict = "wrong" // the output of a batch task is not right
)

// Word is the verdict as people read it: of a person who left that is "resigned".
func (v Verdict) Word(detail string) string {
	if v == Verdict(protocols.KindCrash) && detail == protocols.Left {
		return "resigned"
	}
	return string(v)
}

// Verdicts are all verdicts, each with its judges' shorthand.
var Verdicts = []struct {
	Verdict Verdict
	Short   string
}{
	{OK, "AC"},
	{Wrong, "WA"},
	{Verdict(protocols.KindFoul), "PE"},
	{Verdict(protocols.KindTime), "TLE"},
	{Verdict(protocols.KindIdle), "ILE"},
	{Verdict(protocols.KindMemory), "MLE"},
	{Verdict(protocols.KindOutput), "OLE"},
	{Verdict(protocols.KindCrash), "RTE"},
	{Verdict(protocols.KindSecurity), "SV"},
	{Verdict(protocols.KindCompile), "CE"},
}

// Short is the verdict in judges' shorthand; "" for one without a shorthand.
func (v Verdict) Short() string {
	for _, known := range Verdicts {
		if known.Verdict == v {
			return known.Short
		}
	}
	return ""
}

// Event is one reply or failure, in the order of play.
type Event struct {
	Seat            int
	Reply           string
	Cut             *Cut               // nil unless Reply is only the beginning of the reply
	Fail            *protocols.Failure // nil for a reply, even if it is a foul
	Wall, CPU, Wait time.Duration
	Stall           time.Duration // part of Wall in which umpire did not run
	Charged         time.Duration // time charged to the budget
}

// Cut is a long reply of which only the beginning was recorded.
type Cut struct {
	Bytes  int64  // length of the whole reply
	SHA256 string // of the whole reply, in hexadecimal
}

// Seat is how a match ended for one seat.
type Seat struct {
	protocols.Outcome
	Verdict   Verdict
	Detail    string
	Replies   int           // accepted or not
	Wall, CPU time.Duration // of all replies together, and of the request that it failed to answer
	Charged   time.Duration // time charged to the budget, of the same
	Usage     Usage
}

// Result is a match that was played to its end.
type Result struct {
	Events []Event
	Seats  []Seat
	Talk   string // what the judge of a Judged match said, line by line
	// Exchanges are what was seen of a match between a contestant and a judge that is a
	// program; there are no Events then.
	Exchanges []Exchange
}

// Conductor leads a match: it decides whom to ask for what, and how it ends.
type Conductor interface {
	// Conduct plays a match between seats, seat 1 first, until it is over, and
	// stops them all. An error is umpire's or that of ctx; the events so far come
	// with it.
	Conduct(ctx context.Context, seats []Contestant, limits protocols.Limits, watch Watcher) (Result, error)
}

// Lines is the Conductor of a game whose rules are a protocols.Match. It serves
// one match.
type Lines struct {
	Match     protocols.Match
	Pondering Pondering    // "" means PonderAllow
	Voids     []*VoidError // why the match was void before, the oldest first
	Stalls    Stalls       // of umpire; nil: unknown
	// Person is set if a person has a seat: the match is never void for a stall.
	Person bool
}

// Conduct implements Conductor.
func (l Lines) Conduct(ctx context.Context, seats []Contestant, limits protocols.Limits, watch Watcher) (Result, error) {
	judged, _ := l.Match.(Judged)
	d := &driver{match: l.Match, judged: judged, limits: limits, watch: watch, before: l.Voids, pondering: l.Pondering, stalls: l.Stalls, person: l.Person}
	return d.play(ctx, seats)
}

func (d *driver) play(ctx context.Context, seats []Contestant) (Result, error) {
	d.seats = make([]seat, len(seats))
	for i := range seats {
		d.seats[i].Contestant = seats[i]
		d.seats[i].watched, _ = seats[i].(Watched)
		d.seats[i].lookAround = func() {
			d.hold(i + 1)
			d.watchOthers()
		}
	}
	d.lookAtOthers = d.others
	err := Guard(func() error { return d.run(ctx) })
	if stopped := Guard(func() error { d.stop(); return nil }); err == nil {
		err = stopped
	}
	if err == nil {
		err = Guard(func() error { d.end(); return nil })
	}
	return d.result(err)
}

// driver is the one loop that drives a match.
type driver struct {
	match   protocols.Match
	judged  Judged // match, if it is one
	seats   []seat
	limits  protocols.Limits
	watch   Watcher
	before  []*VoidError // why the match was void before
	events  []Event
	stalls  Stalls
	stalled time.Duration // by stalls, when the step began
	person  bool          // a person has a seat
	mu      sync.Mutex    // guards seat.asked where several seats are asked concurrently

	pondering   Pondering
	lost        time.Duration // time that others have taken in the turn of the seat that is asked
	unexplained time.Duration // time lost by the seats that were asked, since the last close look
	patience    time.Duration // how much unexplained time triggers the next close look

	// Method value others, made once.
	lookAtOthers func(time.Duration, bool) time.Duration
}

// seat is a contestant with its account.
type seat struct {
	Contestant
	failure *protocols.Failure
	stopped bool
	told    bool // it was sent lines in this step
	asked   bool // it owes a reply: only the goroutine that waits for the reply may touch it
	usage   Usage
	replies int
	wall    time.Duration
	cpu     time.Duration
	charged time.Duration
	doubt   time.Duration // time charged that it may not have needed: it computed while umpire did not run
	waited  time.Duration // the machine's part of charged
	walled  time.Duration // part of wall that counts towards its bound, where CPU time is limited

	watched    Watched            // nil if the contestant is not Watched
	lookAround func()             // Ask.Meanwhile
	pondered   time.Duration      // CPU time that its next reply is charged for in addition
	free       time.Duration      // CPU time between its replies that it is not charged for
	meanwhile  time.Duration      // CPU time that it has used in this turn, which is another's
	computes   bool               // it was found computing in this turn
	ponders    bool               // or in an earlier one: it is stopped after each reply
	held       bool               // it is stopped
	paused     bool               // it is stopped while umpire is
	escaped    bool               // it was stopped, and was found computing all the same
	convicted  *protocols.Failure // why it fails when it next owes a reply
}

func (d *driver) run(ctx context.Context) error {
	if err := d.hear(ctx, protocols.Step{}, nil, nil); err != nil {
		return err
	}
	for {
		d.hold(0)
		step := d.match.Next()
		d.watchAutoMoves()
		if d.stalls != nil {
			d.stalled = d.stalls.Total()
		}
		d.send(step.Send)
		if d.watch.Awaited != nil {
			d.watch.Awaited(step.Await, d.match)
		}
		switch len(step.Await) {
		case 0:
			return nil
		case 1:
			n := step.Await[0]
			others := d.begin(n)
			s := &d.seats[n-1]
			s.asked = true
			reply, err := d.receive(ctx, n, step.Batch, true, others)
			s.asked = false
			if d.judged != nil {
				if err := d.hear(ctx, step, []Reply{reply}, []error{err}); err != nil {
					return err
				}
			}
			if err := d.apply(n, reply, err); err != nil {
				return err
			}
		default:
			if err := d.together(ctx, step); err != nil {
				return err
			}
		}
	}
}

// watchAutoMoves reports the moves that the last Next made without a reply.
func (d *driver) watchAutoMoves() {
	auto, ok := d.match.(protocols.AutoMover)
	if !ok || d.watch.AutoMove == nil {
		return
	}
	for seat, at := range auto.AutoMoves() {
		d.watch.AutoMove(seat, at)
	}
}

// send hands out lines, those for the same seat in one piece: a contestant
// should not wake up for part of its lines.
func (d *driver) send(lines []protocols.Line) {
	for i := range d.seats {
		d.seats[i].told = false
	}
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Seat == lines[0].Seat {
			n++
		}
		text := lines[0].Text
		if n > 1 {
			var b strings.Builder
			b.WriteString(text)
			for _, l := range lines[1:n] {
				b.WriteByte('\n')
				b.WriteString(l.Text)
			}
			text = b.String()
		}
		if s := &d.seats[lines[0].Seat-1]; !s.stopped {
			s.Send(text)
			s.told = true
		}
		if d.watch.Sent != nil {
			d.watch.Sent(lines[0].Seat, text)
		}
		lines = lines[n:]
	}
}

// receive asks seat n for its reply.
func (d *driver) receive(ctx context.Context, n int, whole, alone bool, others func(time.Duration, bool) time.Duration) (Reply, error) {
	s := &d.seats[n-1]
	if s.convicted != nil {
		return Reply{}, s.convicted
	}
	if err := d.owes(n); err != nil {
		return Reply{}, d.ruled(err)
	}
	if whole {
		s.CloseInput()
	}
	ask := Ask{
		Told: s.told, Limit: d.allowance(s), CPU: d.limits.CPU, Wall: -1, UntilEOF: whole, Alone: alone,
		Meanwhile: s.lookAround, Others: others, Stalls: d.stalls, Stalled: d.stalled, Doubt: s.doubt, Waited: s.waited, Lenient: d.person,
	}
	if !d.sharesBudget(s) {
		ask.Doubt, ask.Waited = 0, 0
	}
	if ask.Limit >= 0 {
		ask.Limit -= s.pondered
	}
	if d.limits.CPU {
		ask.Wall = d.wallAllowance(s)
	}
	reply, err := s.Receive(ctx, ask)
	return reply, d.ruled(err)
}

// together asks several seats concurrently and applies their replies in the
// order of seats. An error that is umpire's ends the waiting for all of them.
func (d *driver) together(ctx context.Context, step protocols.Step) error {
	replies := make([]Reply, len(step.Await))
	errs := make([]error, len(step.Await))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	d.beginTogether(step.Await)
	for i, n := range step.Await {
		wait.Go(func() {
			errs[i] = Guard(func() (err error) {
				replies[i], err = d.receive(ctx, n, step.Batch, false, nil)
				return err
			})
			d.mu.Lock()
			d.seats[n-1].asked = false
			d.mu.Unlock()
			if err := umpiresOwn(n, errs[i]); err != nil {
				cancel(err)
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := d.hear(ctx, step, replies, errs); err != nil {
		return err
	}
	for i, n := range step.Await {
		if err := d.apply(n, replies[i], errs[i]); err != nil {
			return err
		}
	}
	return nil
}

// apply applies a seat's reply or failure.
func (d *driver) apply(n int, reply Reply, err error) error {
	if own := umpiresOwn(n, err); own != nil {
		return own
	}
	s := &d.seats[n-1]
	e := d.account(n, reply, err)
	var foul *protocols.Foul
	if e.Fail == nil {
		if foul = d.match.Reply(n, reply.Text); foul != nil {
			s.failure = &protocols.Failure{Kind: protocols.KindFoul, Detail: foul.Reason}
		}
		if s.ponders && d.pondering == PonderFreeze {
			s.watched.Freeze()
			s.held = true
		}
	}
	if s.failure != nil {
		s.stop()
		d.match.Fail(n, *s.failure)
	}
	if d.watch.Event != nil {
		d.watch.Event(e, foul, d.match)
	}
	return nil
}

// account adds a seat's reply or failure to the events and to its account.
func (d *driver) account(n int, reply Reply, err error) Event {
	s := &d.seats[n-1]
	e := Event{Seat: n, Reply: reply.Text, Wall: reply.Wall, CPU: reply.CPU, Wait: reply.Wait, Stall: reply.Stall}
	e.Charged = d.charge(s, reply)
	s.wall += e.Wall
	s.cpu += e.CPU
	s.charged += e.Charged
	s.doubt += reply.Doubt
	s.waited += min(reply.Wait-reply.Free, e.Charged)
	if failure, ok := err.(*protocols.Failure); ok {
		e.Reply, e.Fail = "", failure
		s.failure = failure
	} else {
		s.replies++
		s.walled += d.walled(s, reply)
	}
	if len(d.events) == cap(d.events) { // append would copy a long list more often
		d.events = slices.Grow(d.events, len(d.events)+1)
	}
	d.events = append(d.events, e)
	return e
}

// umpiresOwn returns err, with its seat, unless err is the contestant's
// failure.
func umpiresOwn(n int, err error) error {
	if _, failed := err.(*protocols.Failure); err == nil || failed {
		return nil
	}
	return fmt.Errorf("seat %d: %w", n, err)
}

func (s *seat) stop() {
	if !s.stopped {
		s.stopped = true
		s.usage = s.Stop()
	}
}

// stop stops all contestants, after telling each that no more lines will come.
func (d *driver) stop() {
	for i := range d.seats {
		if s := &d.seats[i]; !s.stopped {
			if d.limits.CPU {
				s.ponderFreely()
			}
			s.CloseInput()
		}
	}
	for i := range d.seats {
		d.seats[i].stop()
	}
}

// result returns how the match ended, with outcomes only if err is nil. Its
// error is err, or that of a game that can't say how its match ended.
func (d *driver) result(err error) (Result, error) {
	var outcomes []protocols.Outcome
	if err == nil {
		err = Guard(func() error {
			if outcomes = d.match.Result(); len(outcomes) != len(d.seats) {
				return fmt.Errorf("defect of umpire: the game gives %d results for %d seats", len(outcomes), len(d.seats))
			}
			return nil
		})
	}
	d.demote(outcomes)
	played := Result{Events: d.events, Seats: make([]Seat, len(d.seats))}
	if d.judged != nil {
		played.Talk = d.judged.Talk()
	}
	for i := range d.seats {
		s := &d.seats[i]
		out := Seat{Replies: s.replies, Wall: s.wall, CPU: s.cpu, Charged: s.charged, Usage: s.usage}
		if err == nil {
			out.Outcome = outcomes[i]
			out.Verdict, out.Detail = judge(s.failure, outcomes[i])
		}
		played.Seats[i] = out
	}
	return played, err
}

// judge decides a seat's verdict.
func judge(failure *protocols.Failure, outcome protocols.Outcome) (Verdict, string) {
	switch {
	case failure != nil:
		return Verdict(failure.Kind), failure.Detail
	case outcome.Wrong != "":
		return Wrong, outcome.Wrong
	}
	return OK, ""
}
