package contestant

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// tick is how often a contestant that keeps us waiting is looked at, and
// firstLook is when the other contestants of its match are first looked at. A
// reply that took less than glance is not looked at closely.
const (
	tick      = 25 * time.Millisecond
	firstLook = 2 * time.Millisecond
	glance    = 200 * time.Microsecond
)

// A reply is first waited for by a read alone, until soon. A contestant that wrote
// more than chatter bytes to standard error for its last reply is not: that pipe
// may fill up before the next one.
const (
	soon    = firstLook
	chatter = 1 << 10
)

// Indices into Contestant.poll.
const (
	pollOut = iota
	pollErr
	pollExit
	pollIn
)

// Receive waits for the requested reply. An error of type *protocols.Failure is
// the contestant's fault, and the contestant has then been killed; any other is
// umpire's, or that of ctx. The times are set even with an error.
func (c *Contestant) Receive(ctx context.Context, ask referee.Ask) (referee.Reply, error) {
	w := c.newWait(ask, c.handed)
	if c.thaw() || !ask.Told {
		w.start = clock()
	}
	w.due = w.start
	reply, err := w.run(ctx)
	c.cpuAt, c.childAt = w.cpu0+w.own, w.child0+w.children
	if err == errFull {
		return w.reply(""), void(c.seat, sandbox.ErrMachineMemory)
	}
	if err != nil {
		c.kill()
		if c.exit.Err != nil {
			err = void(c.seat, c.exit.Err)
		}
		return w.reply(""), err
	}
	c.chatty = c.stderr.total()-w.stderr0 > chatter
	// A match may end without warning: samples at the 1st, 2nd, 4th, 8th …
	// reply cost next to nothing.
	if c.replies++; c.replies&(c.replies-1) == 0 {
		c.sample()
	}
	return reply, nil
}

// errFull ends a match whose contestants are to be weighed.
var errFull = errors.New("the scale is full")

// clock is the time since the program's start. It takes one reading where time.Now
// takes two, of the time of day as well.
func clock() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// wait is one wait for a reply.
type wait struct {
	c       *Contestant
	ask     referee.Ask
	start   time.Duration // by clock
	cpu0    time.Duration // CPU clock at the start
	child0  time.Duration // CPU clock of its children at the start
	lookAt  time.Duration // when to look closer next, from the start
	seeAt   time.Duration // when to look at others next
	due     time.Duration // when umpire meant to be back from its last wait, by clock
	stderr0 int64         // length of standard error at the start
	// CPU time since the start, of its own process and, as of the last close
	// look, of its children.
	own, children time.Duration
	idle          idleWatch
	waits         *waits // nil: it was quick so far; a relay's sides share them
	facts         facts
	// Umpire's stalls so far, and the clocks as of the last round.
	stalls, roundWall, roundCPU time.Duration
	// The clocks as of the last look, and when it was last seen computing.
	lookedWall, lookedCPU, busyAt time.Duration
}

// newWait returns the wait for a reply that counts from start, by clock.
func (c *Contestant) newWait(ask referee.Ask, start time.Duration) wait {
	c.batch = ask.UntilEOF
	w := wait{c: c, ask: ask, start: start, cpu0: c.cpuAt, child0: c.childAt, stderr0: c.stderr.total(), stalls: ask.Stalled, facts: c.facts()}
	f := &w.facts
	f.whole, f.limit, f.cpuClock, f.wallLimit = ask.UntilEOF, ask.Limit, ask.CPU, ask.Wall
	f.doubtful, f.waited = ask.Doubt, ask.Waited
	return w
}

// run reads until there is a reply or a reason why there will be none. A quick
// reply costs one read.
func (w *wait) run(ctx context.Context) (referee.Reply, error) {
	c := w.c
	w.lookAt, w.seeAt = tick, firstLook
	for round := 0; ; round++ {
		if text, complete := w.take(); complete {
			w.facts.rest = nil
			if round == 0 && !c.batch {
				c.early++
			}
			if w.facts.wall = clock() - w.start; w.ask.Last == nil || w.facts.wall > glance {
				w.measure(false)
			}
			if w.facts.wall > glance && (w.ask.CPU || c.childAt > 0) {
				w.measure(true)
			}
			w.noticeStall()
			w.excuse(false)
			w.weigh()
			if w.waits != nil && w.missing() >= w.facts.taken()/100 {
				w.seeWaits()
			}
			w.facts.wait = w.machinesPart()
			if failure := cmp.Or(w.facts.excess(), w.late()); failure != nil {
				return referee.Reply{}, failure
			}
			if void := w.facts.untimely(); void != nil {
				return referee.Reply{}, void
			}
			return w.reply(text), nil
		}
		if round > 0 || c.exit != nil {
			more := w.observe()
			if failure := w.facts.verdict(); failure != nil {
				if failure.Kind == protocols.KindIdle && w.facts.blank {
					return w.reply(""), nil // an empty answer: for the game to judge
				}
				return referee.Reply{}, failure
			}
			if c.scale.isFull() && c.exit == nil {
				return referee.Reply{}, errFull
			}
			if more || c.exit != nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return referee.Reply{}, err
			}
		}
		if round == 0 && w.onlyReplyCounts() {
			w.due = w.start + 2*soon
			c.std.took(c.std.reader.wait(c.std.room(), w.start))
			if c.stderr.total() > 0 { // it is likely to write more
				c.readStderr()
			}
			continue
		}
		w.measure(false) // umpire may have had no CPU while it looked
		w.noticeStall()
		patience := w.patience()
		w.due = clock() + patience
		found, at := c.wait(patience), clock()
		if found = c.std.read() || found; w.waits != nil {
			w.waits.polled(found, at)
		}
	}
}

// onlyReplyCounts reports whether there is nothing to watch soon but the
// contestant's output.
func (w *wait) onlyReplyCounts() bool {
	c := w.c
	return w.ask.Alone && !c.chatty && c.exit == nil && !c.std.eof && len(c.std.unsent) == 0 && w.patience() > soon
}

// take extracts a complete reply from the output read.
func (w *wait) take() (text string, complete bool) {
	c := w.c
	if w.ask.UntilEOF {
		if c.exit == nil || c.exit.Status.ExitStatus() != 0 {
			return "", false
		}
		return string(c.std.buf), true // a child may still hold the pipe; its output is lost
	}
	for {
		i := bytes.IndexByte(c.std.buf[c.std.from+c.std.seen:], '\n')
		if i < 0 {
			c.std.seen = len(c.std.buf) - c.std.from
			w.facts.line = w.facts.blankBytes + c.std.seen
			return "", false
		}
		line := c.std.buf[c.std.from : c.std.from+c.std.seen+i]
		c.std.from, c.std.seen = c.std.from+c.std.seen+i+1, 0
		if len(line) > referee.MaxLine {
			w.facts.line = len(line)
			return "", false
		}
		if last := w.ask.Last; last != nil {
			if last(bytes.TrimSuffix(line, []byte("\r"))) {
				return "", true
			}
			continue
		}
		if !isBlank(line) {
			return string(bytes.TrimSuffix(line, []byte("\r"))), true
		}
		w.facts.blank = true
		w.facts.blankBytes += len(line) + 1
	}
}

func isBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t\r")) == 0 }

// measure reads the clocks; closely, including those of the children.
func (w *wait) measure(closely bool) {
	c, f := w.c, &w.facts
	f.wall = clock() - w.start
	if c.exit != nil {
		f.wall = c.endedAt - w.start
		f.cpu = max(f.cpu, c.exit.CPU-w.cpu0-w.child0)
		return
	}
	w.own = max(w.own, c.proc.CPU()-w.cpu0)
	if closely {
		first := !c.lookedAt
		children, _ := c.children()
		if first && !w.ask.CPU {
			w.child0 = c.childAt
		}
		w.children = max(w.children, children-w.child0)
	}
	f.cpu = max(f.cpu, w.own+w.children)
}

// excuse determines how much of the time others have taken, which is at most
// the time that the contestant has not used itself.
func (w *wait) excuse(waiting bool) {
	if w.ask.Others == nil {
		return
	}
	f := &w.facts
	missing := max(0, f.wall-f.cpu-(f.stall-f.doubt))
	f.excused = min(w.ask.Others(missing, waiting), missing)
}

// noticeStall finds out whether umpire did not run since the last round. That
// time is not the contestant's, except for what it has computed in it. Where umpire
// is late for another reason, it waited for the machine.
func (w *wait) noticeStall() {
	f := &w.facts
	if f.wall < tick && w.start+f.wall < w.due+soon {
		return
	}
	var gap time.Duration
	if w.ask.Stalls != nil {
		gap = w.stalled()
	}
	now := w.start + f.wall
	w.slow().late(w.due+gap, now)
	w.due = max(w.due, now)
}

// stalled returns for how long umpire did not run since the last round, and notes that.
func (w *wait) stalled() (gap time.Duration) {
	f := &w.facts
	if stalls := w.ask.Stalls.Look(); stalls > w.stalls {
		w.measure(true)
		gap = min(stalls-w.stalls, f.wall-w.roundWall) // others may have seen a stall of before this turn
		w.stalls = stalls
		f.stall += gap
		if !w.ask.Lenient {
			f.doubt += min(gap, f.cpu-w.roundCPU)
		}
		w.busyAt, w.idle = f.wall, idleWatch{} // others may have been stopped with it
	}
	w.roundWall, w.roundCPU = f.wall, f.cpu
	return gap
}

// observe updates the facts, and reports whether the contestant has exited and
// left output that is still to be read.
func (w *wait) observe() (more bool) {
	c, f := w.c, &w.facts
	if c.exit == nil && c.readable(pollExit) {
		if c.std.read() {
			more = true
		} else {
			c.kill()
		}
	}
	f.rest = w.unfinished()
	f.output, f.stderr, f.eof = len(c.std.buf), c.stderr.total(), c.std.eof
	if c.exit != nil {
		f.end(c.exit)
	} else if f.eof && !f.whole {
		f.leaving = exiting(c.proc.Pid())
	}
	// Once its children compute they are looked at as often as the contestant
	// itself.
	w.measure(w.ask.CPU && w.children > 0)
	first := w.waits == nil // it was not looked at for waits
	w.noticeStall()
	if f.wall >= w.seeAt || f.late() != nil {
		w.measure(w.ask.CPU || w.ask.Others != nil)
		w.excuse(true)
		w.seeAt = f.wall + tick
	}
	if c.exit == nil && (first || f.wall >= w.lookAt || f.late() != nil) {
		w.seeWaits()
	}
	if c.exit == nil && f.wall >= w.lookAt {
		more = w.look() || more
		w.lookAt = f.wall + tick
	}
	w.late() // before the verdict
	return more
}

// late returns facts.late after a look for what the last reading of the clock may include,
// having been taken after the last look for stalls: a stall, or a wait of umpire's.
func (w *wait) late() *protocols.Failure {
	if w.facts.wait > 0 || w.facts.late() != nil {
		w.noticeStall()
		w.facts.wait = w.machinesPart()
	}
	return w.facts.late()
}

// unfinished returns the beginning of the line that the contestant has not
// ended; nil if there is none, or the whole output is asked for.
func (w *wait) unfinished() []byte {
	if rest := w.c.std.buf[w.c.std.from:]; !w.ask.UntilEOF && !isBlank(rest) {
		return rest[:min(len(rest), mostShown)]
	}
	return nil
}

// mostShown is how much of an unfinished line is kept for a message.
const mostShown = 128

// seeWaits looks whether the contestant, or umpire, waits for a CPU. What umpire has waited
// before the first look it notices by the clock alone.
func (w *wait) seeWaits() {
	w.measure(true)
	w.noticeStall()
	if w.c.exit == nil {
		w.slow().look(w.ask.Alone, w.facts.cpu, w.c)
	}
}

// slow returns its waits, once it was not quick.
func (w *wait) slow() *waits {
	if w.waits == nil {
		w.waits = new(waits)
	}
	return w.waits
}

// machinesPart returns how much of the time the contestant, those it talks with, or
// umpire waited for a CPU, at most as long as the contestant itself can't have computed.
func (w *wait) machinesPart() time.Duration {
	if w.waits == nil {
		return 0
	}
	return max(0, min(w.missing(), w.waits.total()))
}

// missing returns for how long the contestant can't have computed on all its CPUs.
func (w *wait) missing() time.Duration {
	return w.facts.taken() - w.facts.cpu/time.Duration(w.c.cpus)
}

// look looks more closely at a contestant that keeps us waiting, and reports
// whether it has written something after all.
func (w *wait) look() (more bool) {
	c, f := w.c, &w.facts
	if c.isUnreported() {
		c.kill()
		return false
	}
	c.look()
	f.memory, f.oom = c.peak, c.over
	if f.cpu-w.lookedCPU > (f.wall-w.lookedWall)/10 {
		w.busyAt = f.wall
	}
	w.lookedWall, w.lookedCPU, f.quiet = f.wall, f.cpu, f.wall-w.busyAt
	if w.ask.Meanwhile != nil {
		w.ask.Meanwhile()
	}
	var in []int
	if !c.std.eof && len(c.std.unsent) == 0 && c.std.in >= 0 {
		in = append(in, c.std.in)
	}
	f.parked, f.stopped = w.idle.look(c, in, []int{c.std.out})
	if f.parked {
		// An orphan that could have answered in its place is gone: it may have
		// answered just before.
		more = c.std.read()
		f.parked = !more && !c.std.eof
	}
	if f.parked || f.stopped {
		f.filled = c.proc.Filled() // before it went idle, which ends the looks
		c.look()
		f.memory, f.oom = c.peak, c.over
	}
	return more
}

// patience returns how long to wait before the next look at the contestant.
func (w *wait) patience() time.Duration {
	next := w.lookAt - w.facts.wall
	if w.ask.Others != nil || w.ask.CPU {
		next = min(next, w.seeAt-w.facts.wall)
	}
	if w.ask.Limit >= 0 {
		left := w.ask.Limit - w.facts.taken()
		if w.ask.CPU {
			// Several threads use up CPU time faster than time passes.
			left = (w.ask.Limit - w.facts.cpu) / time.Duration(runtime.NumCPU())
		}
		if left > 0 { // otherwise it waits for a CPU, or did
			next = min(next, left)
		}
	}
	return max(next, 0) + time.Microsecond
}

// reply makes a Reply with the measured times.
func (w *wait) reply(text string) referee.Reply {
	f := &w.facts
	return referee.Reply{Text: text, Wall: f.wall, CPU: f.cpu, Wait: f.wait, Free: f.free(), Excused: f.given(), Stall: f.stall, Doubt: f.doubt}
}

// wait waits until the contestant does something that concerns us: writes,
// exits, or reads what it was sent. It reports whether it has; what it writes to
// standard error counts if it may have waited until it was read.
func (c *Contestant) wait(patience time.Duration) bool {
	fds := &c.poll
	fds[pollOut] = pollFD{Fd: int32(c.std.out), Events: toRead}
	fds[pollErr] = pollFD{Fd: int32(c.err), Events: toRead}
	fds[pollExit] = pollFD{Fd: -1, Events: toRead}
	fds[pollIn] = pollFD{Fd: -1, Events: toWrite}
	if c.std.eof {
		fds[pollOut].Fd = -1
	}
	if c.exit == nil {
		fds[pollExit].Fd = int32(c.proc.Exited())
	}
	if len(c.std.unsent) > 0 {
		fds[pollIn].Fd = int32(c.std.in)
	}
	if pollFor(fds[:], patience) <= 0 {
		return false
	}
	full := c.readable(pollErr) && c.readStderr()
	if c.readable(pollIn) {
		c.std.flush()
	}
	return full || c.readable(pollOut) || c.readable(pollExit) || c.readable(pollIn)
}

func (c *Contestant) readable(i int) bool { return c.poll[i].Revents != 0 }
