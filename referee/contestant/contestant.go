// Package contestant is a bot as a running program: it resolves what the user
// named, starts the process with its pipes, carries lines to and from it, keeps
// its clocks, and says why it failed. It knows nothing of games, matches or
// other contestants.
package contestant

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/referee/contestant/sandbox"
)

// Bounds on what a contestant may write.
const (
	MaxLine   = 64 << 10 // bytes of one reply, blank lines before it included
	MaxOutput = 16 << 20 // bytes of a batch task's whole output
	MaxStderr = 16 << 20 // bytes of standard error
	StderrEnd = 4 << 10  // bytes of standard error's end that are kept
)

// Pondering says what becomes of a contestant that thinks while it owes no
// reply.
type Pondering string

const (
	Allow  Pondering = "allow"  // it may, at no cost
	Charge Pondering = "charge" // the CPU time it uses is taken off the other's time and put on its own
	Freeze Pondering = "freeze" // so it is, and it is stopped when it is seen computing
)

// Options are how a contestant is started.
type Options struct {
	Launcher sandbox.Launcher
	Limits   sandbox.Limits
	Seat     int // for messages, 1-based
	Env      []string
}

// Ask is one request for a reply.
type Ask struct {
	// Told says that lines were sent for this reply: the clock runs from the
	// moment the last of them was handed over, and from now otherwise.
	Told bool
	// Limit is how long the reply may take; negative: as long as it likes.
	Limit time.Duration
	CPU   bool // Limit is CPU time
	// Wall is how long the reply may take in wall time where Limit is CPU time;
	// negative: as long as it likes.
	Wall  time.Duration
	Whole bool // the reply is all the output, up to a successful end
	// Meanwhile, if not nil, is called now and then while the reply takes long.
	Meanwhile func()
	// Others, if not nil, gives the CPU time that contestants who owe no reply
	// have used since this one was asked. Missing is how much of the time since
	// then this one has not used itself; waiting says that it has not replied
	// yet. It is called when there is a reply, and now and then before.
	Others func(missing time.Duration, waiting bool) time.Duration
}

// Reply is what a contestant answered.
type Reply struct {
	Text    string        // a line without its end, or the whole output
	Wall    time.Duration // from the hand-over of the step to the reply's newline
	CPU     time.Duration // used in that time, or since the reply before unless it was asked for Pondered
	Wait    time.Duration // of that time, ready to run but without a CPU; only for slow replies
	Excused time.Duration // of that time, taken by contestants who owed no reply
}

// Usage is what a contestant has used in all.
type Usage struct {
	CPU    time.Duration
	Memory int64  // peak, bytes
	Stderr []byte // the last StderrEnd bytes of standard error
	// Failure is what came to light only in the end, after the last reply; nil
	// if nothing did.
	Failure *protocols.Failure
}

// Contestant is one running bot. It is for one goroutine at a time. The one that
// starts it must stay locked to its thread until Stop (sandbox.Launcher).
type Contestant struct {
	opts Options
	proc sandbox.Process

	in, out, err int // our ends of the pipes; -1 when closed

	unsent []byte    // input that the pipe has not taken
	closed bool      // the input ends after unsent
	handed time.Time // when input was last handed over

	buf  []byte // output read; buf[from:] is not yet taken
	from int
	seen int // bytes of buf[from:] already searched for a newline
	eof  bool

	stderr   tail
	replies  int
	cpuAt    time.Duration // CPU clock up to which its time is accounted for: by a reply, or as pondered
	childAt  time.Duration // and that of its children, as of the last close look
	lookedAt bool          // there was a close look
	delayAt  time.Duration // run delay at the end of the last slow reply
	interned map[string]string
	poll     [4]unix.PollFd

	peak     int64     // of memory, bytes, as of the last look
	over     bool      // it has passed a limit, as of the last look
	memoryAt time.Time // when the next look at its memory is due

	exit   *sandbox.Exit // once reaped
	frozen bool
}

// Start starts b. The error is umpire's; a program that ends at once is not an
// error but a contestant that fails when it is asked.
func Start(b Bot, opts Options) (*Contestant, error) {
	// Otherwise it would be the interpreter that fails, or another player.
	if err := b.Check(context.Background()); err != nil {
		return nil, err
	}
	c := &Contestant{opts: opts, in: -1, out: -1, err: -1, buf: make([]byte, 0, 4<<10)}
	var theirs [3]int
	pipes := [...]struct {
		ours *int
		end  int // index of our end: 1 writes, 0 reads
	}{{&c.in, 1}, {&c.out, 0}, {&c.err, 0}}
	for i, p := range pipes {
		fds, err := pipe()
		if err == nil {
			*p.ours, theirs[i] = fds[p.end], fds[1-p.end]
			err = unix.SetNonblock(*p.ours, true)
		}
		if err != nil {
			c.closePipes()
			closeAll(theirs[:i])
			return nil, fmt.Errorf("create pipe: %w", err)
		}
	}
	proc, err := opts.Launcher.Start(sandbox.Command{
		Path: b.Path, Args: b.args(opts.Limits.Memory), Env: append(b.env(opts.Launcher.Level()), opts.Env...), Dir: b.Dir,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2],
		Read: b.Read, Limits: opts.Limits,
	})
	closeAll(theirs[:])
	if err != nil {
		c.closePipes()
		return nil, b.explain(err)
	}
	c.proc = proc
	return c, nil
}

// Environment is the variables that tell a contestant where it sits.
func Environment(game string, seat, seats int, budget time.Duration) []string {
	ms := ""
	if budget > 0 {
		ms = strconv.FormatInt(budget.Milliseconds(), 10)
	}
	return []string{
		"UMPIRE_GAME=" + game, "UMPIRE_SEAT=" + strconv.Itoa(seat),
		"UMPIRE_SEATS=" + strconv.Itoa(seats), "UMPIRE_TIME_MS=" + ms,
	}
}

// Send hands one or more lines, joined by newlines and without a last one, to
// the contestant. It never waits: what the pipe does not take is kept. What a
// contestant that has failed or left would get is dropped.
func (c *Contestant) Send(text string) {
	// Taken before the hand-over, since on a shared CPU the contestant may run,
	// and answer, before we do again.
	c.handed = time.Now()
	if c.in < 0 || c.closed {
		return
	}
	c.unsent = append(append(c.unsent, text...), '\n')
	c.flush()
}

// CloseInput ends the contestant's input, after what was sent.
func (c *Contestant) CloseInput() {
	if !c.closed {
		c.sample()
	}
	c.closed = true
	c.flush()
}

// flush hands over what the pipe takes now.
func (c *Contestant) flush() {
	if c.in < 0 {
		return
	}
	if len(c.unsent) > 0 {
		n, err := write(c.in, c.unsent)
		switch {
		case err == nil:
			c.unsent = c.unsent[:copy(c.unsent, c.unsent[n:])]
		case again(err):
		default: // it has closed its input: nobody will read this
			closeFD(&c.in)
			c.unsent = nil
			return
		}
	}
	if c.closed && len(c.unsent) == 0 {
		closeFD(&c.in)
	}
}

// Stop ends the contestant and everything it started, and says what it used.
// One that still runs gets a moment to end by itself at the end of its input.
func (c *Contestant) Stop() Usage {
	if c.exit == nil {
		c.CloseInput()
		c.thaw()
		c.linger()
		c.kill()
	}
	c.closePipes()
	f := c.facts()
	f.end(c.exit)
	return Usage{CPU: c.exit.CPU, Memory: c.exit.Memory, Stderr: c.stderr.bytes(), Failure: f.excess()}
}

// Grace is how long a contestant may take to end once its match is over.
const Grace = 100 * time.Millisecond

// linger waits until the contestant has ended, but not longer than Grace.
func (c *Contestant) linger() {
	for end := time.Now().Add(Grace); ; {
		left := time.Until(end)
		if left <= 0 || c.stderr.total > MaxStderr {
			return
		}
		c.wait(left)
		if c.readable(pollExit) {
			return
		}
		if c.out >= 0 { // make room: it may be blocked writing
			c.buf, c.from, c.seen = c.buf[:0], 0, 0
			if !c.read() && c.readable(pollOut) {
				closeFD(&c.out)
			}
		}
		if c.closed {
			c.flush()
		}
	}
}

// sample takes the peak of memory while it can still be seen: at level none a
// program that ends takes it along.
func (c *Contestant) sample() {
	if c.exit == nil && c.opts.Launcher.Level() == sandbox.None {
		_, _ = c.proc.Memory()
	}
}

// kill kills and reaps the contestant: the only place where one is ended.
func (c *Contestant) kill() {
	if c.exit != nil {
		return
	}
	c.proc.Kill()
	exit := c.proc.Wait()
	c.exit = &exit
	c.readStderr()
}

func (c *Contestant) closePipes() {
	closeFD(&c.in)
	closeFD(&c.out)
	closeFD(&c.err)
}

func closeFD(fd *int) {
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}

func closeAll(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}

// Pondered is the CPU time used since the last reply, or since Pondered was
// last called. A close look counts what the contestant has started, too, and
// finds out whether any of that computes now.
func (c *Contestant) Pondered(closely bool) (cpu time.Duration, computes bool) {
	if c.exit != nil {
		return 0, false
	}
	own, children := c.proc.CPU(), c.childAt
	if closely {
		children, computes = c.children()
	}
	cpu = max(0, own-c.cpuAt) + max(0, children-c.childAt)
	c.cpuAt, c.childAt = max(c.cpuAt, own), max(c.childAt, children)
	return cpu, computes
}

// children looks closely. What its children have used before the first look may
// have been in its own turns, and is not held against it; before its first reply
// there were none.
func (c *Contestant) children() (cpu time.Duration, running bool) {
	cpu, running = c.proc.Children()
	if !c.lookedAt && c.replies > 0 {
		c.childAt = cpu
	}
	c.lookedAt = true
	return cpu, running
}

// Freeze stops the contestant until it is asked for a reply.
func (c *Contestant) Freeze() {
	if c.exit == nil {
		c.proc.Freeze()
		c.frozen = true
	}
}

// thaw reports whether the contestant was frozen.
func (c *Contestant) thaw() bool {
	if !c.frozen {
		return false
	}
	c.frozen = false
	c.proc.Thaw()
	return true
}

// tail keeps the end of a stream and counts all of it.
type tail struct {
	data  []byte
	total int64
}

func (t *tail) write(b []byte) {
	t.total += int64(len(b))
	t.data = append(t.data, b...)
	if len(t.data) > 2*StderrEnd {
		t.data = append(t.data[:0], t.data[len(t.data)-StderrEnd:]...)
	}
}

func (t *tail) bytes() []byte { return t.data[max(0, len(t.data)-StderrEnd):] }
