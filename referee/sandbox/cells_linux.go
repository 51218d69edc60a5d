package sandbox

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What does not depend on a program is made once and kept: a cell is a supervisor,
// from box on with its namespaces and a root, which starts contestants one after
// the other. There, each has a mount namespace of its own, for what it is given and
// may write, and at strict a control group. After each the supervisor proves that
// the cell is as it was before (isEmpty); one of which it can't is thrown away.
// Below box a supervisor has nothing of its own but its memory, and a program confines
// itself; but to copy that memory, and to take it down, takes as much as to start a program.

// cell is umpire's end of one.
type cell struct {
	cellKey
	uid    int           // from box on, of its contestants; 0: umpire's
	report int           // socket of its supervisor
	names  []string      // of the calls that made it, for messages
	spent  time.Duration // CPU time of its contestants so far
	mounts uint64        // umpire's mounts when it was made
	empty  bool
	since  time.Time // when it was given back
}

// cellKey identifies the launches for which a cell can be used.
type cellKey struct {
	cpus unix.CPUSet // those its supervisor runs on
	tops string      // the outermost folders of what is given, each ending with a null byte
}

const (
	// maxIdleCells are kept, which is enough for as many matches of four seats as
	// most machines have CPUs.
	maxIdleCells = 128
	// A cell keeps file systems busy, so it is not kept without use.
	maxIdleTime = 10 * time.Second
)

// cells are those that no contestant is in.
type cells struct {
	mu     sync.Mutex
	idle   []*cell // longest idle first
	expiry *time.Timer
}

// take returns a cell made for a key, nil if there is none.
func (c *cells) take(key cellKey) *cell {
	mounts := ownMounts.state()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.idle) - 1; i >= 0; i-- {
		k := c.idle[i]
		if k.mounts == mounts && k.cellKey != key {
			continue
		}
		c.idle = append(c.idle[:i], c.idle[i+1:]...)
		if k.mounts == mounts && !ready(k.report) { // it is when the supervisor has ended
			k.empty = false
			return k
		}
		k.close()
	}
	return nil
}

// give takes a cell back when its contestant is gone.
func (c *cells) give(k *cell) {
	if !k.empty {
		k.close()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k.since = time.Now()
	if c.idle = append(c.idle, k); len(c.idle) > maxIdleCells {
		c.idle[0].close()
		c.idle = c.idle[1:]
	}
	if c.expiry == nil {
		c.expiry = time.AfterFunc(maxIdleTime, c.expire)
	}
}

// expire closes cells that nobody has used for long.
func (c *cells) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.idle) > 0 && time.Since(c.idle[0].since) >= maxIdleTime {
		c.idle[0].close()
		c.idle = c.idle[1:]
	}
	c.expiry = nil
	if len(c.idle) > 0 {
		c.expiry = time.AfterFunc(time.Until(c.idle[0].since.Add(maxIdleTime)), c.expire)
	}
}

// closeAll closes all idle cells.
func (c *cells) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.idle {
		k.close()
	}
	c.idle = nil
}

// close ends a cell in which no contestant is.
func (k *cell) close() {
	unix.Close(k.report) // its supervisor ends by that
	if k.uid > 0 {
		users.give(k.uid)
	}
}

// takeCell gives the launch a cell, if its command can have one.
func (s *launch) takeCell() error {
	if s.isLarge() {
		return nil
	}
	var key cellKey
	if s.isBoxed() {
		// A command that writes has copies made in its root.
		if len(s.command.Write) > 0 || !keepsCells() {
			return nil
		}
		var ok bool
		if key.tops, ok = tops(s.given, s.command.Dir); !ok {
			return nil
		}
	}
	if err := unix.SchedGetaffinity(0, &key.cpus); err != nil {
		return fmt.Errorf("find CPUs: %w", err)
	}
	k := s.cells.take(key)
	if k == nil {
		var err error
		if k, err = s.newCell(s.forkServer, key); err != nil {
			return err
		}
	}
	s.cell = k
	if s.isBoxed() {
		s.uid = k.uid
	}
	s.free = append(s.free, func() { s.cells.give(k) })
	return nil
}

// isLarge reports whether the launch script may be more than a cell takes.
func (s *launch) isLarge() bool {
	size := pathSize(s.command.Dir)
	for _, p := range s.given {
		size += pathSize(p.path)
	}
	for _, list := range [][]string{s.command.Args, s.command.Env} {
		for _, text := range list {
			size += len(text) + 16
		}
	}
	return size > maxCellScript/2
}

// pathSize is at least how much of a launch script one path takes: each folder on
// the way may have to be made, and what it leads to mounted.
func pathSize(path string) int {
	const mounting = 8
	return (strings.Count(path, "/") + mounting) * (len(path) + 2*int(unsafe.Sizeof(call{})))
}

// keepsCells reports whether there can be cells from box on. Root without CAP_SYS_ADMIN can
// take hold only of what a new supervisor, which is still root, may reach; and a
// kernel without CONFIG_CHECKPOINT_RESTORE can't have a process number given twice.
var keepsCells = sync.OnceValue(func() bool {
	for _, path := range []string{lastPIDFile, objectLists()[0]} {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	return !userNamespaced() || !ownUIDs()
})

// newCell lets the fork server make a cell, and does not wait for it.
func (l *launcher) newCell(w *forkServer, key cellKey) (*cell, error) {
	k := &cell{cellKey: key, report: -1, mounts: ownMounts.state()}
	if l.isBoxed() {
		uid, err := l.takeUser()
		if err != nil {
			return nil, err
		}
		k.uid = uid
	}
	report, theirs, err := newReport()
	if err != nil {
		k.close()
		return nil, err
	}
	k.report = report
	defer unix.Close(theirs)
	s := &launch{launcher: l, launchScript: newLaunchScript(theirs), forkServer: w, uid: k.uid}
	if l.isBoxed() {
		s.cellSetup(key.tops)
	} else {
		s.plainSetup()
	}
	k.names = s.names[0]
	if err := w.send(s.launchScript); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// send hands the launch script of a program to a cell.
func (k *cell) send(p *launchScript) error {
	files := p.files[1:] // the supervisor has the report
	if err := checkFiles(len(p.files)); err != nil {
		return err
	}
	script := p.encode()
	if len(script) > maxCellScript {
		return fmt.Errorf("the program's launch script has %d bytes, more than %d", len(script), maxCellScript)
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

// mountTable counts the changes of umpire's mounts, of which cells have a copy.
type mountTable struct {
	open    func() (fd int, err error)
	mu      sync.Mutex
	changes uint64
}

// Not an os.File: Go's poller would hear of the changes, and each is told once.
var ownMounts = mountTable{open: sync.OnceValues(func() (int, error) {
	return unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
})}

// state is another number after each change, and each time if that can't be seen.
func (m *mountTable) state() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	fd, err := m.open()
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLPRI}}
	if err == nil {
		_, err = unix.Poll(fds, 0)
	}
	if err != nil || fds[0].Revents&(unix.POLLPRI|unix.POLLERR) != 0 {
		m.changes++
	}
	return m.changes
}
