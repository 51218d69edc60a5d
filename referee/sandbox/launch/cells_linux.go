package launch

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// What does not depend on a program is made once and kept: a cell is a supervisor,
// with the namespaces and the root that its caller's setup gives it, which starts
// contestants one after the other. After each the supervisor checks that the cell is
// as it was before the first (isEmpty); a cell that fails the check is discarded.
// Even a supervisor with nothing of its own but its memory is worth keeping: to copy
// that memory, and to take it down, takes as much as to start a program.

// Cell is umpire's end of one.
type Cell struct {
	Key   Key
	UID   int           // the user that its contestants have to themselves; 0: none
	Spent time.Duration // CPU time of its contestants so far

	report int       // socket of its supervisor
	names  []string  // of the calls that made it, for messages
	mounts uint64    // umpire's mounts when it was made
	empty  bool      // the last contestant has left it as it was
	since  time.Time // when it was given back
}

// Key identifies the launches for which a cell can be used.
type Key struct {
	CPUs unix.CPUSet // those that its supervisor runs on
	Tops string      // the outermost folders of what programs are given, each ending with a null byte
}

// maxIdleCells are kept, which is enough for as many matches of four seats as most
// machines have CPUs.
const maxIdleCells = 128

// Cells are those that no contestant is in. Their methods may be called by several
// goroutines.
type Cells struct {
	MaxIdle  time.Duration // how long one is kept without use, as it keeps file systems busy
	Mounts   *MountTable   // of which cells have a copy
	FreeUser func(uid int) // takes back the user of a cell that is closed

	mu     sync.Mutex
	idle   []*Cell // longest idle first
	expiry *time.Timer
}

// Take returns a cell made for a key, nil if there is none.
func (c *Cells) Take(key Key) *Cell {
	mounts := c.Mounts.state()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.idle) - 1; i >= 0; i-- {
		k := c.idle[i]
		if k.mounts == mounts && k.Key != key {
			continue
		}
		c.idle = append(c.idle[:i], c.idle[i+1:]...)
		if k.mounts == mounts && !IsReadable(k.report) { // it is when the supervisor has ended
			k.empty = false
			return k
		}
		c.close(k)
	}
	return nil
}

// Give takes a cell back when its contestant is gone.
func (c *Cells) Give(k *Cell) {
	if !k.empty {
		c.close(k)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k.since = time.Now()
	if c.idle = append(c.idle, k); len(c.idle) > maxIdleCells {
		c.close(c.idle[0])
		c.idle = c.idle[1:]
	}
	if c.expiry == nil {
		c.expiry = time.AfterFunc(c.MaxIdle, c.expire)
	}
}

// expire closes cells that nobody has used for long.
func (c *Cells) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.idle) > 0 && time.Since(c.idle[0].since) >= c.MaxIdle {
		c.close(c.idle[0])
		c.idle = c.idle[1:]
	}
	c.expiry = nil
	if len(c.idle) > 0 {
		c.expiry = time.AfterFunc(time.Until(c.idle[0].since.Add(c.MaxIdle)), c.expire)
	}
}

// CloseAll closes all idle cells.
func (c *Cells) CloseAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.idle {
		c.close(k)
	}
	c.idle = nil
}

// close ends a cell in which no contestant is.
func (c *Cells) close(k *Cell) {
	unix.Close(k.report) // its supervisor ends by that
	if k.UID > 0 {
		c.FreeUser(k.UID)
	}
}

// NewCell lets the fork server make a cell, and does not wait for it. The user, if
// not 0, is the cell's from now on, also if there is an error.
func (c *Cells) NewCell(w *Server, key Key, uid int, setup func(*Script)) (*Cell, error) {
	k := &Cell{Key: key, UID: uid, report: -1, mounts: c.Mounts.state()}
	p, report, err := w.NewScript(nil)
	if err != nil {
		c.close(k)
		return nil, err
	}
	defer p.closeReport() // and not released: its names stay in use
	k.report = report
	p.Many = true
	setup(p)
	k.names = p.names[partSetup]
	if err := w.send(p); err != nil {
		c.close(k)
		return nil, err
	}
	return k, nil
}

// Ended takes note of an end that the cell's supervisor has reported.
func (k *Cell) Ended(end End) {
	if end.IsLast {
		k.empty = end.clean
		k.Spent += end.CPU
	}
}

// send hands the launch script of a program to a cell.
func (k *Cell) send(p *Script) error {
	files := p.files[1:] // the supervisor has the report
	if err := checkFiles(len(p.files)); err != nil {
		return err
	}
	script := p.encode()
	if len(script) > MaxCellScript {
		return fmt.Errorf("the program's launch script has %d bytes, more than %d", len(script), MaxCellScript)
	}
	for {
		_, err := unix.SendmsgN(k.report, script, unix.UnixRights(files...), nil, unix.MSG_NOSIGNAL)
		switch err {
		case unix.EINTR:
		case unix.EPIPE, unix.ECONNRESET: // what has ended the supervisor is its last message
			return nil
		default:
			return err
		}
	}
}

// MountTable counts the changes of umpire's mounts.
type MountTable struct {
	mu      sync.Mutex
	fd      int // of the table; 0: not yet opened, -1: can't be
	changes uint64
}

// state is another number after each change, and each time if that can't be seen.
func (m *MountTable) state() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fd == 0 {
		// Not an os.File: the kernel tells of a change once, and Go's poller would hear it.
		m.fd, _ = unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	fds := []unix.PollFd{{Fd: int32(m.fd), Events: unix.POLLPRI}}
	if _, err := unix.Poll(fds, 0); m.fd < 0 || err != nil || fds[0].Revents&(unix.POLLPRI|unix.POLLERR) != 0 {
		m.changes++
	}
	return m.changes
}
