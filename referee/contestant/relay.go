package contestant

import (
	"context"
	"slices"
	"time"

	"umpire/referee"
)

// Relay carries the output of a judge, a program, to a contestant, and the contestant's
// to the judge, until both have ended. It stands between them with a buffer each way, so
// that neither waits for the other to read, and neither gets SIGPIPE. The end of the
// judge's output reaches the contestant at once, that of the contestant's reaches the judge
// only when the contestant has been reaped: so who has failed first does not depend on how
// fast either ends. If either is nil, the other reads Input.
//
// A contestant may be several processes, which share its limit of CPU time. The judge talks
// with each of them, and all are ended when one fails.
//
// It is run by the goroutine that has started them, and leaves all ended; Stop returns
// what they have used.
type Relay struct {
	Judge *Contestant
	Bots  []*Contestant // the processes of the contestant; nil: none
	// ToJudge and ToBots are the FIFOs by which they talk, a pair for each process; nil: by
	// their standard streams. A judge that has FIFOs reads Input, and Said, if not nil, is
	// called with what it writes to its standard output.
	ToJudge, ToBots []*Channel
	Said            func(text []byte)
	Input           []byte
	// Heard holds the text that a judge with FIFOs, and no contestant, reads from each of them.
	Heard [][]byte
	// Answer, if not nil, stands for a judge: it returns what that says at first, and after
	// each thing that was seen of the contestant, whose processes fail independently then.
	Answer func() []Saying
	// Limit is the CPU time of the contestant; 0: no limit. Its wall time, without what it waits
	// for the judge, is bounded by referee.WallBound, where the system tells who waits.
	Limit      time.Duration
	Output     int64         // bytes that each process of the contestant may write
	JudgeLimit time.Duration // CPU time of the judge
	// JudgeOutput is how many bytes the judge may write, to standard error as well; 0: no limit.
	JudgeOutput int64
	// Rejects reports whether a judge that ended so has decided against the contestant,
	// or has failed: what the contestant still does counts for nothing.
	Rejects func(exit int) bool
	Stalls  referee.Stalls // of umpire; nil: unknown
	// See, if not nil, is called with each thing that was seen, in order and without its
	// time.
	See func(referee.Exchange)

	judge    *side
	bots     []*side
	all      []*side       // the judge first
	start    time.Duration // by clock
	waits    waits         // of all sides
	deadline time.Duration // of the judge, by clock; 0: none
	kept     time.Duration // how long the contestant has waited for the judge
	harmless bool          // that the judge passes its deadline is no failure
	polled   []pollFD
	done     []*bool
}

// Saying is something that is said to a process of a contestant.
type Saying struct {
	To   int // the process, from 1
	Text string
	Over bool // nothing more will be said to it
}

// Times of a judge.
const (
	// patience is how long a judge may go on once the contestant has failed.
	patience = 2 * time.Second
	// judgeWall is how much more wall time than CPU time a judge has while the contestant
	// waits for it, and once that has ended.
	judgeWall = 10 * time.Second
)

// maxUnread is how much of what a judge has written, and its contestant has not read,
// umpire holds.
const maxUnread = 64 << 20

// side is one of the programs.
type side struct {
	c       *Contestant
	seat    int // 0: the judge
	wait    wait
	idle    idleWatch
	ports   []*port // by which it talks with others
	aside   *pipes  // its standard streams, where it talks by others; nil: it does not
	total   int64
	ended   bool
	ignored bool // what it does counts for nothing
	// What it has done, as of the last await.
	complained, exited, muttered bool
}

// port is where a side talks with another.
type port struct {
	*pipes
	of          *side
	to          *port // where its output goes; nil: nowhere but to See
	seat        int   // of the contestant's process that it is about; 0: the only one, which has no FIFOs
	told        bool  // the end of its output
	wrote, took bool  // as of the last await
}

func (r *Relay) newSide(c *Contestant, seat int, limit, wall time.Duration, channels ...*Channel) *side {
	s := &side{c: c, seat: seat}
	if len(channels) > 0 {
		s.aside = &c.std
		for i, one := range channels {
			p := &port{pipes: &one.pipes, of: s}
			if seat == 0 && (len(channels) > 1 || len(r.ToBots) > 0) {
				p.seat = i + 1
			}
			s.ports = append(s.ports, p)
		}
	} else {
		s.ports = []*port{{pipes: &c.std, of: s}}
	}
	ask := referee.Ask{UntilEOF: true, Limit: limit, CPU: true, Wall: wall, Stalls: r.Stalls, Alone: true}
	if r.Stalls != nil {
		ask.Stalled = r.Stalls.Total()
	}
	s.wait = c.newWait(ask, r.start)
	s.wait.waits, s.idle.relay = &r.waits, true
	r.all = append(r.all, s)
	return s
}

// begin makes the sides, and hands over what they read at first.
func (r *Relay) begin() {
	r.start = clock()
	if r.Judge != nil {
		r.judge = r.newSide(r.Judge, 0, r.JudgeLimit, -1, r.ToJudge...)
	}
	limit, wall := time.Duration(-1), time.Duration(-1)
	if r.Limit > 0 {
		limit, wall = r.Limit, referee.WallBound(r.Limit)
	}
	for i, c := range r.Bots {
		s := r.newSide(c, i+1, limit, wall, r.ToBots[min(i, len(r.ToBots)):min(i+1, len(r.ToBots))]...)
		r.bots = append(r.bots, s)
		if r.judge != nil {
			s.ports[0].to, r.judge.ports[i].to = r.judge.ports[i], s.ports[0]
		}
	}
	for _, b := range r.bots {
		if b.aside != nil {
			b.aside.closeIn()
		}
	}
	r.answer()
	switch j := r.judge; {
	case j == nil && r.Answer == nil:
		r.bots[0].ports[0].feed(r.Input)
		r.bots[0].ports[0].closeIn()
	case j != nil && (j.aside != nil || len(r.bots) == 0):
		in := &j.c.std
		in.feed(r.Input)
		in.closeIn()
	}
	if len(r.bots) > 0 {
		return
	}
	r.deadline = r.start + r.JudgeLimit + judgeWall
	for i, text := range r.Heard {
		r.judge.ports[i].feed(text)
		r.judge.ports[i].closeIn()
	}
}

// Run carries until all have ended. An error is umpire's, or that of ctx.
func (r *Relay) Run(ctx context.Context) error {
	r.begin()
	for next := r.start + tick; r.runs(); {
		if ctx.Err() != nil {
			r.abandon(r.all...)
			return context.Cause(ctx)
		}
		r.await(next)
		if err := r.carry(); err != nil {
			return err
		}
		if now := clock(); now >= next {
			if err := r.look(); err != nil {
				return err
			}
			next = now + tick // if umpire has no CPU while it looks, it is late
		}
	}
	return nil
}

// Wall returns, after Run, how long the contestant ran: until the last of its processes ended.
func (r *Relay) Wall() (longest time.Duration) {
	for _, b := range r.bots {
		b.wait.measure(false)
		longest = max(longest, b.wait.facts.wall)
	}
	return longest
}

// runs reports whether any side does.
func (r *Relay) runs() bool { return slices.ContainsFunc(r.all, (*side).runs) }

func (s *side) runs() bool { return s != nil && !s.ended }

// end notes that a side has ended: nobody will read what is written to it.
func (s *side) end() {
	s.ended = true
	for _, p := range s.ports {
		p.unsent, p.fifo = nil, ""
		p.closeIn()
	}
}

// abandon ends sides whose doings no longer count.
func (*Relay) abandon(sides ...*side) {
	for _, s := range sides {
		if s.runs() {
			s.c.kill()
			s.ignored = true
			s.end()
		}
	}
}

// opening is how long programs are expected to open their FIFOs, and glimpse how often it
// is tried meanwhile to open the other ends.
const (
	opening = time.Second
	glimpse = time.Millisecond
)

// await waits until any side does something that concerns the relay, or until next, by clock.
func (r *Relay) await(next time.Duration) {
	patience, found := next-clock(), false
	r.polled, r.done = r.polled[:0], r.done[:0]
	add := func(fd int, events int16, to *bool) {
		if *to = false; fd >= 0 {
			r.polled, r.done = append(r.polled, pollFD{Fd: int32(fd), Events: events}), append(r.done, to)
		}
	}
	for _, s := range r.all {
		s.complained, s.exited, s.muttered = false, false, false
		s.wait.due = max(s.wait.due, next)
		if !s.runs() {
			continue
		}
		for _, p := range s.ports {
			closed := p.fifo != ""
			if p.connect(); p.fifo != "" && clock()-r.start < opening {
				patience = min(patience, glimpse)
			}
			found = found || closed && p.fifo == ""
			if p.wrote, p.took = false, false; !p.eof {
				add(p.out, toRead, &p.wrote)
			}
			if len(p.unsent) > 0 || p.closed {
				add(p.in, toWrite, &p.took)
			}
		}
		if s.aside != nil && !s.aside.eof {
			add(s.aside.out, toRead, &s.muttered)
		}
		if s.aside != nil && len(s.aside.unsent) > 0 {
			add(s.aside.in, toWrite, &s.muttered)
		}
		add(s.c.proc.Exited(), toRead, &s.exited)
	}
	others := len(r.polled)
	for _, s := range r.all { // for which nobody waits, as long as there is room
		if s.runs() && s.c.stderr.total() <= referee.MaxStderr {
			add(s.c.err, toRead, &s.complained)
		}
	}
	find := func(patience time.Duration) {
		pollFor(r.polled, patience)
		found = found || slices.ContainsFunc(r.polled[:others], func(p pollFD) bool { return p.Revents != 0 })
	}
	find(max(patience, 0) + time.Microsecond)
	at := clock()
	if !found { // once more, as of a time that is known
		find(0)
	}
	r.waits.polled(found, at)
	for i, to := range r.done {
		*to = *to || r.polled[i].Revents != 0
	}
}

// carry takes what each side has done. That of the judge comes first: what a contestant
// does since the judge has ended counts for less.
func (r *Relay) carry() error {
	for _, s := range r.all {
		if !s.runs() {
			continue
		}
		if s.complained && s.c.readStderr() {
			r.waits.polled(true, clock())
		}
		if s.muttered {
			s.aside.flush()
			r.drain(s)
		}
		for _, p := range s.ports {
			if p.took {
				p.flush()
			}
			if p.wrote {
				r.take(p)
			}
		}
		if s.exited {
			if err := r.end(s); err != nil {
				return err
			}
		} else {
			r.noticeEOF(s)
		}
		if why := s.excess(r); why != nil {
			if err := r.fail(s, why); err != nil {
				return err
			}
		}
	}
	return nil
}

// noticeEOF says where a side that goes on has closed its output; that of the judge's
// reaches the contestant at once.
func (r *Relay) noticeEOF(s *side) {
	for _, p := range s.ports {
		if p.eof && !p.told && !exiting(s.c.proc.Pid()) {
			p.told = true
			r.see(referee.Exchange{Seat: s.seat, To: p.seat, EOF: true})
			if s == r.judge && p.to != nil {
				p.to.closeIn()
			}
		}
	}
}

// mostReads is how often output is read before anything else is looked at.
const mostReads = 16

// take carries what a side has written, and what the other has answered to it meanwhile: on
// the same CPU a short answer is there when the write that asks for it returns, and to read
// it costs less than to wait for it.
func (r *Relay) take(p *port) {
	for range mostReads {
		if !p.read() {
			break
		}
		all := len(p.buf) < cap(p.buf)
		r.pass(p.of, p)
		if !all {
			continue
		}
		if p.to == nil || p.of.exited || p.to.of.exited || !p.to.of.runs() {
			return
		}
		p = p.to
	}
	if !p.of.exited {
		r.noticeEOF(p.of)
	}
}

// pass hands over what was read.
func (r *Relay) pass(s *side, p *port) {
	text := p.buf[p.from:]
	p.from = len(p.buf)
	if s.ignored || len(text) == 0 {
		return
	}
	s.total += int64(len(text))
	s.wait.facts.keepLine(text)
	r.see(referee.Exchange{Seat: s.seat, To: p.seat, Text: string(text)})
	if p.to != nil {
		p.to.feed(text)
	}
}

// drain reads what a side that talks by FIFOs has written to its standard output, and
// reports whether there was anything.
func (r *Relay) drain(s *side) (some bool) {
	if s.aside == nil {
		return false
	}
	for range mostReads {
		if !s.aside.read() {
			return some
		}
		some = true
		text := s.aside.buf[s.aside.from:]
		s.aside.from = len(s.aside.buf)
		if s.total += int64(len(text)); s == r.judge && r.Said != nil {
			r.Said(text)
		}
	}
	return some
}

// answer has the processes of the contestant read what Answer says.
func (r *Relay) answer() {
	if r.Answer == nil {
		return
	}
	for _, say := range r.Answer() {
		in := r.bots[say.To-1].ports[0]
		if in.feed([]byte(say.Text)); say.Over {
			in.closeIn()
		}
	}
}

func (r *Relay) see(e referee.Exchange) {
	if r.See != nil {
		r.See(e)
	}
	r.answer()
}
