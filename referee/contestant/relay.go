package contestant

import (
	"context"
	"time"

	"umpire/protocols"
	"umpire/referee"
)

// Relay carries the output of a judge, a program, to a contestant, and the contestant's
// to the judge, until both have ended. It stands between them with a buffer each way, so
// that neither waits for the other to read, and neither gets SIGPIPE. The end of the
// judge's output reaches the contestant at once, that of the contestant's reaches the judge
// only when the contestant has been reaped: so who has failed first does not depend on how
// fast either ends. If either is nil, the other reads Input.
//
// It is run by the goroutine that has started both, and leaves both ended; Stop returns
// what they have used.
type Relay struct {
	Judge, Bot *Contestant
	Input      []byte
	// Answer, if not nil, stands for a judge: it returns what that says once the
	// contestant has written a text, "" at first, and whether that was the last.
	Answer     func(text []byte) (say []byte, over bool)
	Limit      time.Duration // CPU time of the contestant; 0: no limit. See Wall
	Output     int64         // bytes that the contestant may write
	JudgeLimit time.Duration // CPU time of the judge
	// Rejects reports whether a judge that ended so has decided against the contestant,
	// or has failed: what the contestant still does counts for nothing.
	Rejects func(exit int) bool
	Stalls  referee.Stalls // of umpire; nil: unknown
	// See, if not nil, is called with each thing that was seen, in order and without its
	// time.
	See func(referee.Exchange)

	bot, judge *side
	start      time.Duration // by clock
	deadline   time.Duration // of the judge, by clock; 0: none
	harmless   bool          // that the judge passes its deadline is no failure
}

// Wall is how much wall time a contestant has whose CPU time is limited.
func Wall(limit time.Duration) time.Duration { return 2*limit + time.Second }

// Times of a judge.
const (
	// patience is how long a judge may go on once the contestant has failed.
	patience = 2 * time.Second
	// judgeWall is how much more wall time than CPU time a judge has once the contestant
	// has ended.
	judgeWall = 10 * time.Second
)

// maxUnread is how much of what a judge has written, and its contestant has not read,
// umpire holds.
const maxUnread = 64 << 20

// side is one of the two programs.
type side struct {
	c       *Contestant
	seat    int // 0: the judge
	wait    wait
	idle    idleWatch
	to      *side // nil: its output goes nowhere but to See
	total   int64
	ended   bool
	told    bool // the end of its output
	ignored bool // what it does counts for nothing
	ready   ready
}

// ready is what a side has done, as of the last await.
type ready struct{ wrote, complained, exited, reads bool }

func (r *Relay) newSide(c *Contestant, seat int, limit, wall time.Duration) *side {
	c.batch = true
	s := &side{c: c, seat: seat}
	s.wait = wait{c: c, ask: referee.Ask{Limit: limit, CPU: true, Wall: wall, Stalls: r.Stalls, Alone: true}, start: r.start}
	f := c.facts()
	f.whole, f.limit, f.cpuClock, f.wallLimit = true, limit, true, wall
	s.wait.facts = f
	if r.Stalls != nil {
		s.wait.stalls = r.Stalls.Total()
	}
	return s
}

// Run carries until both have ended. An error is umpire's, or that of ctx.
func (r *Relay) Run(ctx context.Context) error {
	r.start = clock()
	if r.Bot != nil {
		limit, wall := time.Duration(-1), time.Duration(-1)
		if r.Limit > 0 {
			limit, wall = r.Limit, Wall(r.Limit)
		}
		r.bot = r.newSide(r.Bot, 1, limit, wall)
	}
	if r.Judge != nil {
		r.judge = r.newSide(r.Judge, 0, r.JudgeLimit, -1)
	}
	switch {
	case r.bot == nil:
		r.judge.feed(r.Input)
		r.judge.c.CloseInput()
		r.deadline = r.start + r.JudgeLimit + judgeWall
	case r.judge == nil && r.Answer != nil:
		r.answer(nil)
	case r.judge == nil:
		r.bot.feed(r.Input)
		r.bot.c.CloseInput()
	default:
		r.bot.to, r.judge.to = r.judge, r.bot
	}
	for next := r.start + tick; r.bot.runs() || r.judge.runs(); {
		if ctx.Err() != nil {
			r.bot.abandon()
			r.judge.abandon()
			return context.Cause(ctx)
		}
		r.await(next - clock())
		if err := r.carry(); err != nil {
			return err
		}
		if clock() >= next {
			if err := r.look(); err != nil {
				return err
			}
			next = clock() + tick
		}
	}
	return nil
}

func (s *side) runs() bool { return s != nil && !s.ended }

// abandon ends a side whose doings no longer count.
func (s *side) abandon() {
	if s.runs() {
		s.c.kill()
		s.ended, s.ignored = true, true
	}
}

// feed hands bytes to a side, which keeps what its pipe does not take.
func (s *side) feed(b []byte) {
	if s.c.in >= 0 && !s.c.closed && !s.ended {
		s.c.unsent = append(s.c.unsent, b...)
		s.c.flush()
	}
}

// await waits until either side does something that concerns the relay.
func (r *Relay) await(patience time.Duration) {
	var fds [8]pollFD
	var done [8]*bool
	n := 0
	add := func(fd int, events int16, to *bool) {
		if fd >= 0 {
			fds[n], done[n] = pollFD{Fd: int32(fd), Events: events}, to
			n++
		}
	}
	for _, s := range [...]*side{r.judge, r.bot} {
		if !s.runs() {
			continue
		}
		s.ready = ready{}
		if !s.c.eof {
			add(s.c.out, toRead, &s.ready.wrote)
		}
		if s.c.stderr.total() <= referee.MaxStderr {
			add(s.c.err, toRead, &s.ready.complained)
		}
		add(s.c.proc.Exited(), toRead, &s.ready.exited)
		if len(s.c.unsent) > 0 {
			add(s.c.in, toWrite, &s.ready.reads)
		}
	}
	pollFor(fds[:n], max(patience, 0)+time.Microsecond)
	for i := range n {
		*done[i] = fds[i].Revents != 0
	}
}

// carry takes what either side has done. That of the judge comes first: what a contestant
// does since the judge has ended counts for less.
func (r *Relay) carry() error {
	for _, s := range [...]*side{r.judge, r.bot} {
		if !s.runs() {
			continue
		}
		if s.ready.complained {
			s.c.readStderr()
		}
		if s.ready.reads {
			s.c.flush()
		}
		if s.ready.wrote {
			r.take(s)
		}
		if s.ready.exited {
			if err := r.end(s); err != nil {
				return err
			}
		} else if s.c.eof && !s.told && !exiting(s.c.proc.Pid()) {
			s.told = true
			r.see(referee.Exchange{Seat: s.seat, EOF: true})
			if s == r.judge && r.bot.runs() {
				r.bot.c.CloseInput()
			}
		}
		if why := s.excess(r); why != nil {
			if err := r.fail(s, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostReads is how often the output of one side is read before the other's.
const mostReads = 16

// take carries what a side has written.
func (r *Relay) take(s *side) {
	for range mostReads {
		if !s.c.read() {
			return
		}
		all := len(s.c.buf) < cap(s.c.buf)
		if r.pass(s); all {
			return
		}
	}
}

// pass hands over what was read.
func (r *Relay) pass(s *side) {
	text := s.c.buf[s.c.from:]
	s.c.from = len(s.c.buf)
	if s.ignored {
		return
	}
	s.total += int64(len(text))
	r.see(referee.Exchange{Seat: s.seat, Text: string(text)})
	if s.to != nil {
		s.to.feed(text)
	}
	if r.Answer != nil {
		r.answer(text)
	}
}

// answer has the contestant read what Answer says to a text.
func (r *Relay) answer(text []byte) {
	say, over := r.Answer(text)
	r.bot.feed(say)
	if over {
		r.bot.c.CloseInput()
	}
}

func (r *Relay) see(e referee.Exchange) {
	if r.See != nil {
		r.See(e)
	}
}

// excess returns why a side has written too much.
func (s *side) excess(r *Relay) *protocols.Failure {
	switch {
	case s.c.stderr.total() > referee.MaxStderr:
		return fail(protocols.KindOutput, "wrote more than %s to standard error", referee.Size(referee.MaxStderr))
	case s.seat == 1 && s.total > r.Output:
		return fail(protocols.KindOutput, "wrote more than %s", referee.Size(r.Output))
	case s.seat == 0 && s.to != nil && len(s.to.c.unsent) > maxUnread:
		return fail(protocols.KindOutput, "wrote %s that the submission has not read", referee.Size(maxUnread))
	}
	return nil
}

// end takes the end of a side that has ended by itself.
func (r *Relay) end(s *side) error {
	r.reap(s)
	if s.c.exit.Err != nil {
		r.bot.abandon()
		r.judge.abandon()
		return void(s.seat, s.c.exit.Err)
	}
	s.wait.measure(true)
	f := &s.wait.facts
	f.end(s.c.exit)
	why := f.excess()
	if why == nil && s == r.bot {
		s.wait.noticeStall()
		if why = s.late(); why == nil {
			if void := f.untimely(); void != nil {
				r.judge.abandon()
				return void
			}
		}
	}
	if why != nil {
		r.see(referee.Exchange{Seat: s.seat, Fail: why})
	}
	e := referee.Exchange{Seat: s.seat, Ended: true, Exit: s.c.exit.Status.ExitStatus()}
	if e.Signal = endSignal(s.c.exit.Status); e.Signal != "" {
		e.Exit = 0
	}
	r.see(e)
	r.after(s, why == nil && e.Signal == "" && e.Exit == 0, e.Signal == "" && !r.Rejects(e.Exit) && why == nil)
	return nil
}

// after goes on when a side has ended: well, as a contestant may, or with a judge's
// consent.
func (r *Relay) after(s *side, well, accepted bool) {
	switch {
	case s == r.judge && !accepted:
		r.bot.abandon()
	case s == r.judge && r.bot.runs():
		r.bot.c.CloseInput()
	case s == r.bot && r.judge.runs():
		r.judge.c.CloseInput()
		r.harmless = !well
		if r.deadline = clock() + r.JudgeLimit + judgeWall; !well {
			r.deadline = clock() + patience
		}
	}
}

// reap kills what is left of a side, and carries all that it has written.
func (r *Relay) reap(s *side) {
	for s.c.read() {
		r.pass(s)
	}
	s.c.kill()
	for s.c.read() {
		r.pass(s)
	}
	s.ended = true
}

// fail ends a side for a reason.
func (r *Relay) fail(s *side, why *protocols.Failure) error {
	if s.ended {
		return nil
	}
	r.reap(s)
	if s.c.exit.Err != nil {
		r.bot.abandon()
		r.judge.abandon()
		return void(s.seat, s.c.exit.Err)
	}
	r.see(referee.Exchange{Seat: s.seat, Fail: why})
	r.after(s, false, false)
	return nil
}

// look looks at clocks and memory, and whether anything can still happen.
func (r *Relay) look() error {
	for _, s := range [...]*side{r.judge, r.bot} {
		if !s.runs() {
			continue
		}
		if s.c.isUnreported() {
			if err := r.end(s); err != nil {
				return err
			}
			continue
		}
		s.c.look()
		f := &s.wait.facts
		f.memory, f.oom = s.c.peak, s.c.over
		s.wait.measure(true)
		s.wait.noticeStall()
		s.wait.waits.look(s.c, true)
		why := f.excess()
		if why == nil {
			why = s.late()
		}
		if s == r.judge && why != nil && why.Kind == protocols.KindTime {
			why = fail(protocols.KindTime, "it used more than %s of CPU time", referee.Seconds(r.JudgeLimit))
		}
		if why == nil && s == r.judge && r.deadline > 0 && clock() > r.deadline {
			if r.harmless {
				s.abandon()
				continue
			}
			why = fail(protocols.KindTime, "it has not ended %s after the submission", referee.Seconds(r.JudgeLimit+judgeWall))
		}
		if why != nil {
			if err := r.fail(s, why); err != nil {
				return err
			}
		}
	}
	return r.lookIdle()
}

// late returns how a side has passed its limit of time; nil if it has not.
func (s *side) late() *protocols.Failure {
	w, f := &s.wait, &s.wait.facts
	if f.late() != nil {
		w.noticeStall()
		f.wait = w.machinesPart()
	}
	switch {
	case f.late() == nil:
		return nil
	case f.cpu > f.limit:
		return fail(protocols.KindTime, "used more than %s of CPU time", referee.Seconds(f.limit))
	}
	return fail(protocols.KindTime, "was still running after %s; it used only %s of CPU time: did it end, and was its output flushed?",
		referee.Seconds(f.wallLimit), referee.Seconds(f.cpu))
}

// lookIdle ends a contestant that can't go on: it is stopped, or both sides read and
// nothing is under way to either.
func (r *Relay) lookIdle() error {
	b, j := r.bot, r.judge
	if !b.runs() {
		return nil
	}
	in := b.c.in
	if b.c.closed || len(b.c.unsent) > 0 {
		in = -1
	}
	parked, stopped := b.idle.look(b.c, in, b.c.out)
	if stopped {
		return r.fail(b, fail(protocols.KindIdle, "stopped by a signal"))
	}
	waits := r.Answer != nil
	if !waits {
		if !j.runs() || len(j.c.unsent) > 0 {
			return nil
		}
		waits, _ = j.idle.look(j.c, j.c.in, j.c.out)
	}
	if !parked || !waits || b.c.read() || j != nil && j.c.read() {
		if b.c.from < len(b.c.buf) {
			r.pass(b)
		}
		if j != nil && j.c.from < len(j.c.buf) {
			r.pass(j)
		}
		return nil
	}
	return r.fail(b, fail(protocols.KindIdle, "blocked reading while the judge waits for it to write; is the output flushed?"))
}
