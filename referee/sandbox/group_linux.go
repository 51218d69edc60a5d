package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// cgroup is the control group of one contestant; nil is none.
type cgroup struct {
	v2    bool
	dirs  []string // as cgroups.parents
	procs []int    // open descriptors by which a process joins
	usage int      // open descriptor of the CPU time

	memory int64 // limit, bytes; 0: none
}

// make makes a group with its limits.
func (c *cgroups) make(l Limits) (*cgroup, error) {
	c.removeLeft()
	name := c.prefix + strconv.FormatUint(groupNumber.Add(1), 10)
	g := &cgroup{v2: c.v2, usage: -1, memory: l.Memory}
	for _, parent := range c.parents {
		dir := filepath.Join(parent, name)
		if err := unix.Mkdir(dir, 0o755); err != nil {
			_ = g.remove()
			return nil, fmt.Errorf("create control group %s: %w", dir, err)
		}
		g.dirs = append(g.dirs, dir)
	}
	if err := errors.Join(g.limit(l), g.open()); err != nil {
		_ = g.remove()
		return nil, err
	}
	return g, nil
}

// Where v1 keeps what; the order of controllers1.
func (g *cgroup) memoryDir() string { return g.dirs[0] }
func (g *cgroup) pidsDir() string {
	if g.v2 {
		return g.dirs[0]
	}
	return g.dirs[1]
}

func (g *cgroup) limit(l Limits) error {
	if err := write(g.pidsDir()+"/pids.max", strconv.Itoa(l.Processes)); err != nil {
		return err
	}
	if l.Memory <= 0 {
		return nil
	}
	bytes := strconv.FormatInt(l.Memory, 10)
	if g.v2 {
		// Absent without swap.
		_ = write(g.memoryDir()+"/memory.swap.max", "0")
		_ = write(g.memoryDir()+"/memory.oom.group", "1")
		return write(g.memoryDir()+"/memory.max", bytes)
	}
	if err := write(g.memoryDir()+"/memory.limit_in_bytes", bytes); err != nil {
		return err
	}
	_ = write(g.memoryDir()+"/memory.memsw.limit_in_bytes", bytes)
	return nil
}

func (g *cgroup) open() error {
	for _, dir := range g.dirs {
		fd, err := unix.Open(dir+"/cgroup.procs", unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", dir, err)
		}
		g.procs = append(g.procs, fd)
	}
	path := g.dirs[0] + "/cpu.stat"
	if !g.v2 {
		path = g.dirs[2] + "/cpuacct.usage"
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	g.usage = fd
	return nil
}

// join adds the calls by which a process enters the group.
func (s childSetup) join(g *cgroup) {
	zero := s.add([]byte{'0'})
	for i, fd := range g.procs {
		s.do("join control group "+g.dirs[i], unix.SYS_WRITE, s.file(fd), zero, num(1))
	}
}

// joined closes what was only needed to join.
func (g *cgroup) joined() {
	if g != nil {
		closeAll(g.procs)
		g.procs = nil
	}
}

// cpu is the CPU time of all that was ever in the group.
func (g *cgroup) cpu() time.Duration {
	var buf [256]byte
	n, err := unix.Pread(g.usage, buf[:], 0)
	if err != nil {
		return 0
	}
	if !g.v2 {
		return time.Duration(procfs.Number(buf[:n]))
	}
	_, rest, _ := bytes.Cut(buf[:n], []byte("usage_usec "))
	return time.Duration(procfs.Number(rest)) * time.Microsecond
}

// peak is the most memory the group has had: what its processes had in memory,
// with the files they were the first to read, and what lies in their tmpfs. It
// is never more than the limit, which the kernel exceeds a little for itself.
func (g *cgroup) peak() int64 {
	if g.memory > 0 {
		return min(g.memory, g.rawPeak())
	}
	return g.rawPeak()
}

func (g *cgroup) rawPeak() int64 {
	names := []string{"/memory.max_usage_in_bytes"}
	if g.v2 {
		names = []string{"/memory.peak", "/memory.current"} // the former since Linux 5.19
	}
	for _, name := range names {
		var buf [32]byte
		if text := procfs.Read(g.memoryDir()+name, buf[:]); len(text) > 0 {
			return procfs.Number(text)
		}
	}
	return 0
}

// exhausted reports whether the kernel has killed for the group's own memory
// limit, and starved whether it has killed here though that was not reached:
// because the machine, or a group around this one, had no memory left.
func (g *cgroup) exhausted() (exhausted, starved bool) {
	path := g.memoryDir() + "/memory.oom_control"
	if g.v2 {
		path = g.memoryDir() + "/memory.events"
	}
	var buf [512]byte
	events := procfs.Read(path, buf[:])
	if procfs.Field(events, "oom_kill ") == 0 {
		return false, false
	}
	own := procfs.Field(events, "oom ") > 0 // the limit left no way out
	if !g.v2 {
		own = g.memory > 0 && g.rawPeak() > g.memory-oomMargin
	}
	return own, !own
}

// oomMargin is how much a v1 group may lack to its limit when the kernel finds
// no room for one more piece.
const oomMargin = 256 << 10

func (g *cgroup) freeze(on bool) {
	switch {
	case g == nil:
	case g.v2:
		_ = write(g.dirs[0]+"/cgroup.freeze", map[bool]string{true: "1", false: "0"}[on])
	default:
		_ = write(g.dirs[3]+"/freezer.state", map[bool]string{true: "FROZEN", false: "THAWED"}[on])
	}
}

// kill helps what was killed to die: in v1 nothing frozen does.
func (g *cgroup) kill() {
	switch {
	case g == nil:
	case g.v2:
		_ = write(g.dirs[0]+"/cgroup.kill", "1")
	default:
		g.freeze(false)
	}
}

// remove removes the group, in which nothing is left, and returns the folders
// that the kernel does not let go yet: a process that has been reaped may still
// be on its way out.
func (g *cgroup) remove() (left []string) {
	closeAll(g.procs)
	if g.usage >= 0 {
		unix.Close(g.usage)
	}
	return removeFolders(g.dirs)
}

func removeFolders(dirs []string) (left []string) {
	for _, dir := range dirs {
		if err := unix.Rmdir(dir); err != nil && err != unix.ENOENT {
			left = append(left, dir)
		}
	}
	return left
}

// remove removes a group of a contestant that has ended. What is left of it is
// removed before the next is made, or by the fork server in the end.
func (c *cgroups) remove(g *cgroup) {
	if left := g.remove(); len(left) > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.left = append(c.left, left...)
	}
}

func (c *cgroups) removeLeft() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.left) > 0 {
		c.left = removeFolders(c.left)
	}
}
