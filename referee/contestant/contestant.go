// Package contestant runs a program as a contestant of a match: it starts the
// process with its pipes, carries lines to and from it, keeps its clocks, and
// says why it failed. It knows nothing of games, matches or other contestants,
// nor where the program came from.
package contestant

import (
	"bytes"
	"fmt"
	"time"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox"
)

// Contestant is one running bot. It is for one goroutine at a time. The
// goroutine that starts it must stay locked to its thread until Stop
// (sandbox.Launcher).
type Contestant struct {
	seat   int // for messages
	level  referee.Level
	limits sandbox.Limits
	proc   sandbox.Process

	std    pipes         // of its standard input and output
	err    int           // our end of that of its standard error; -1 when closed
	handed time.Duration // when input was last handed over, by clock

	stderr   stderr
	replies  int
	batch    bool          // it was asked for its whole output
	chatty   bool          // it wrote much to standard error for its last reply
	early    int           // replies that were there before they were asked for
	cpuAt    time.Duration // CPU clock up to which its time has been accounted for, as a reply's or as pondered
	childAt  time.Duration // CPU clock of its children, as of the last close look
	lookedAt bool          // there was a close look
	cpus     int           // that it may use
	// The process that all its processes are below; 0: not yet looked up.
	supervisor int
	poll       [4]pollFD

	peak         int64         // of memory, bytes, as of the last look
	over         bool          // it has passed a limit, as of the last look
	memoryAt     time.Duration // when the next look at its memory is due, by clock
	lookedMemory time.Duration // when the last was, by clock

	scale *Scale // nil: its memory is measured by its own account alone
	held  int64  // bytes, by the scale

	exit    *sandbox.Exit // once reaped
	endedAt time.Duration // when it was found to have ended, or was killed, by clock
	frozen  bool
}

// Start starts a program with pipes for its standard streams, which command
// leaves open; seat, from 1, is for messages. The error is umpire's; a program
// that exits immediately is not an error but a contestant that fails when it is
// asked.
func Start(launcher sandbox.Launcher, command sandbox.Command, seat int) (*Contestant, error) {
	c := &Contestant{
		seat: seat, level: launcher.Level(), limits: command.Limits,
		std: pipes{in: -1, out: -1, buf: make([]byte, 0, 4<<10)}, err: -1,
	}
	var theirs [3]int
	pipes := [...]struct {
		ours *int
		end  int // index of our end: 1 writes, 0 reads
	}{{&c.std.in, 1}, {&c.std.out, 0}, {&c.err, 0}}
	for i, p := range pipes {
		fds, err := pipe(p.end)
		if err == nil {
			*p.ours, theirs[i] = fds[p.end], fds[1-p.end]
			err = setBlocking(*p.ours, false)
		}
		if err != nil {
			c.closePipes()
			closeAll(theirs[:i])
			return nil, fmt.Errorf("create pipe: %w", err)
		}
	}
	command.Stdin, command.Stdout, command.Stderr = theirs[0], theirs[1], theirs[2]
	proc, err := launcher.Start(command)
	closeAll(theirs[:])
	if err != nil {
		c.closePipes()
		return nil, err
	}
	c.proc, c.std.reader.fd, c.cpus = proc, c.std.out, affinity()
	return c, nil
}

// Send hands one or more lines, joined by newlines, without a trailing newline,
// to the contestant. It never waits: what the pipe does not accept is kept.
// Lines for a contestant that has failed or exited are dropped.
func (c *Contestant) Send(text string) {
	// Taken before the hand-over, since on a shared CPU the contestant may run,
	// and answer, before we do again.
	c.handed = clock()
	if c.std.in < 0 || c.std.closed {
		return
	}
	c.std.unsent = append(append(c.std.unsent, text...), '\n')
	c.std.flush()
}

// CloseInput closes the contestant's input after the lines already sent.
func (c *Contestant) CloseInput() {
	if !c.std.closed {
		c.sample()
	}
	c.std.closeIn()
}

// Stop ends the contestant and everything it started, and returns its usage. A
// contestant that is still running gets a moment to exit by itself at the end
// of its input.
func (c *Contestant) Stop() referee.Usage {
	unasked := c.unasked()
	if c.exit == nil {
		c.readStderr()
		c.stderr.stop()
		c.CloseInput()
		if c.scale.isFull() {
			c.scale.takeOff(c)
		} else {
			c.thaw()
			c.linger()
			c.kill()
		}
	}
	c.closePipes()
	f := c.facts()
	f.end(c.exit)
	c.stderr.close()
	u := referee.Usage{
		CPU:    max(c.exit.CPU, c.cpuAt+c.childAt), // that of children for which it does not wait is lost at the end
		Memory: c.exit.Memory, Stderr: c.stderr.before.bytes(), StderrAfter: c.stderr.after.bytes(),
		StderrBytes: c.stderr.cut(), Early: c.early, Unasked: unasked, Failure: f.excess(),
	}
	return u
}

// Stderr returns what the contestant has written to standard error so far: its beginning
// and its end, if that is much.
func (c *Contestant) Stderr() []byte {
	c.readStderr()
	return append(c.stderr.before.bytes(), c.stderr.line...)
}

// unasked returns how many lines the contestant has written that nobody asked
// for so far.
func (c *Contestant) unasked() int {
	if c.batch {
		return 0
	}
	for n := 0; n < mostUnasked && c.std.read(); n++ {
	}
	return countLines(c.std.buf[c.std.from:])
}

// mostUnasked is how many reads of a contestant's output are made to count the
// lines that it has written too many.
const mostUnasked = 64

// countLines returns the number of whole lines that are not blank.
func countLines(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if line, whole := bytes.CutSuffix(line, []byte("\n")); whole && !isBlank(line) {
			n++
		}
	}
	return n
}

// linger waits until the contestant has exited, but not longer than
// referee.Grace.
func (c *Contestant) linger() {
	// Most exit immediately. To hear first that they close their output would cost as
	// much as all else here.
	if len(c.std.unsent) == 0 && c.exitsSoon() {
		return
	}
	for end := time.Now().Add(referee.Grace); ; {
		left := time.Until(end)
		if left <= 0 || c.stderr.total() > referee.MaxStderr {
			return
		}
		c.wait(left)
		if c.readable(pollExit) {
			return
		}
		if c.std.out >= 0 { // make room: it may be blocked writing
			c.std.buf, c.std.from, c.std.seen = c.std.buf[:0], 0, 0
			if !c.std.read() && c.readable(pollOut) {
				c.std.closeOut()
			}
		}
		if c.std.closed {
			c.std.flush()
		}
	}
}

// exitsSoon reports whether the contestant exits soon, and waits for that alone.
func (c *Contestant) exitsSoon() bool {
	fds := [...]pollFD{{Fd: int32(c.proc.Exited()), Events: toRead}}
	return pollFor(fds[:], soon) > 0
}

// sample reads the peak memory while it can still be seen: at level none that of several
// processes is lost when the program exits.
func (c *Contestant) sample() {
	if c.exit == nil && c.level == referee.LevelNone && clock()-c.lookedMemory >= minLook {
		c.look()
	}
}

// kill kills and reaps the contestant. Contestants are ended nowhere else.
func (c *Contestant) kill() {
	if c.exit != nil {
		return
	}
	c.endedAt = clock() // to clean up after it takes no time of its own
	c.proc.Kill()
	exit := c.proc.Wait()
	c.exit = &exit
	c.readStderr()
}

// Wrote reports whether it may have left files behind: see sandbox.Process.
func (c *Contestant) Wrote() bool { return c.proc.Wrote() }

// IsQuiet reports whether it runs, has written nothing that was not asked for, and has no
// other process left that could, as far as the system tells.
func (c *Contestant) IsQuiet() bool {
	if c.exit != nil || c.std.read() || c.std.eof || c.std.from < len(c.std.buf) {
		return false
	}
	ended := [...]pollFD{{Fd: int32(c.proc.Exited()), Events: toRead}}
	return pollFor(ended[:], 0) == 0 && len(procfs.Descendants(c.proc.Pid(), nil, 1)) == 0
}

// Kill ends the contestant without the moment that Stop grants. It replaces
// Stop.
func (c *Contestant) Kill() {
	c.kill()
	c.closePipes()
	c.stderr.close()
}

func (c *Contestant) closePipes() {
	c.std.close()
	closeFD(&c.err)
}

func closeFD(fd *int) {
	if *fd >= 0 {
		closePipe(*fd)
		*fd = -1
	}
}

func closeAll(fds []int) {
	for _, fd := range fds {
		closePipe(fd)
	}
}

// Pondered returns the CPU time used since the last reply, or since Pondered
// was last called. A close look also counts the contestant's descendants, and
// reports whether any of its processes is computing now, and how long it took.
func (c *Contestant) Pondered(closely bool) (cpu time.Duration, computes bool, took time.Duration) {
	if c.exit != nil {
		return 0, false, 0
	}
	own, children := c.proc.CPU(), c.childAt
	if closely {
		start := clock()
		children, computes = c.children()
		took = clock() - start
	}
	cpu = max(0, own-c.cpuAt) + max(0, children-c.childAt)
	c.cpuAt, c.childAt = max(c.cpuAt, own), max(c.childAt, children)
	return cpu, computes, took
}

// children looks closely at the contestant's children. CPU time that they used
// before the first look may have been used in the contestant's own turns, and
// is not held against it; before its first reply there were no such turns.
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

// FreezeHolds reports whether a frozen contestant certainly executes nothing:
// below box its own timers may wake it, and its children may be out of reach.
func (c *Contestant) FreezeHolds() bool {
	return c.level != referee.LevelNone && c.level != referee.LevelBasic
}

// Thaw lets the contestant go on.
func (c *Contestant) Thaw() { c.thaw() }

// thaw reports whether the contestant was frozen.
func (c *Contestant) thaw() bool {
	if !c.frozen {
		return false
	}
	c.frozen = false
	c.proc.Thaw()
	return true
}
