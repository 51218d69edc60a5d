package cgroup

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

// Group is a control group with its limits; nil is none, which has nothing to
// freeze or to kill. What is wanted of it by several goroutines they agree on.
type Group struct {
	v2     bool
	dirs   []string // as Groups.parents
	joins  []Join
	usage  int // open descriptor of the CPU time
	folder int // open descriptor of the folder; -1: processes can't be forked into the group

	memory int64 // limit, bytes; 0: none
}

// Make makes a group that may have so many processes and threads, and so much
// memory in bytes; 0: as much as there is.
func (c *Groups) Make(processes int, memory int64) (*Group, error) {
	c.removeLeft()
	name := c.prefix + strconv.FormatUint(c.made.Add(1), 10)
	g := &Group{v2: c.v2, usage: -1, folder: -1, memory: memory}
	for _, parent := range c.parents {
		dir := filepath.Join(parent, name)
		if err := mkdir(dir); err != nil {
			_ = g.remove()
			return nil, fmt.Errorf("create control group %s: %w", dir, err)
		}
		g.dirs = append(g.dirs, dir)
	}
	if err := errors.Join(g.limit(processes), g.open()); err != nil {
		_ = g.remove()
		return nil, err
	}
	return g, nil
}

// mkdir makes the folder of a group, if there may be one more. Elsewhere EAGAIN is a shortage of
// processes.
func mkdir(dir string) error {
	if err := unix.Mkdir(dir, 0o755); err != unix.EAGAIN {
		return err
	}
	return errors.New("cgroup.max.descendants or cgroup.max.depth above it is reached")
}

// Where v1 keeps what; the order of controllers1.
func (g *Group) memoryDir() string { return g.dirs[0] }
func (g *Group) pidsDir() string {
	if g.v2 {
		return g.dirs[0]
	}
	return g.dirs[1]
}

func (g *Group) limit(processes int) error {
	if err := Write(g.pidsDir()+"/pids.max", strconv.Itoa(processes)); err != nil {
		return err
	}
	if g.memory <= 0 {
		return nil
	}
	bytes := strconv.FormatInt(g.memory, 10)
	if g.v2 {
		// Absent without swap.
		_ = Write(g.memoryDir()+"/memory.swap.max", "0")
		_ = Write(g.memoryDir()+"/memory.oom.group", "1")
		return Write(g.memoryDir()+"/memory.max", bytes)
	}
	if err := Write(g.memoryDir()+"/memory.limit_in_bytes", bytes); err != nil {
		return err
	}
	_ = Write(g.memoryDir()+"/memory.memsw.limit_in_bytes", bytes)
	return nil
}

func (g *Group) open() error {
	// A whole process joins only when all others of the machine have been kept from
	// forking: if none has joined of late, after up to 20 ms. In v1 a thread joins by
	// itself immediately, and a process that joins has one; a process forked into a v2 group need
	// not join.
	join := "/tasks"
	if g.v2 {
		join = "/cgroup.procs"
	}
	for _, dir := range g.dirs {
		fd, err := unix.Open(dir+join, unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", dir, err)
		}
		g.joins = append(g.joins, Join{dir, fd})
	}
	if g.v2 {
		fd, err := unix.Open(g.dirs[0], unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("open %s: %w", g.dirs[0], err)
		}
		g.folder = fd
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

// Join is how a process of one thread gets into one of the folders of a group: it
// writes "0" to a file.
type Join struct {
	Dir  string
	File int // open descriptor
}

// Joins are the ways into all folders of the group, until CloseJoins.
func (g *Group) Joins() []Join { return g.joins }

// Folder is an open descriptor that a process can be forked into the group by
// (CLONE_INTO_CGROUP), until CloseJoins; -1 in v1.
func (g *Group) Folder() int { return g.folder }

// CloseJoins closes what is only needed to get into the group.
func (g *Group) CloseJoins() {
	if g == nil {
		return
	}
	for _, j := range g.joins {
		unix.Close(j.File)
	}
	g.joins = nil
	if g.folder >= 0 {
		unix.Close(g.folder)
		g.folder = -1
	}
}

// CPU is the CPU time of all that was ever in the group.
func (g *Group) CPU() time.Duration {
	return cpuTime(g.usage)
}

// cpuTime reads the CPU time from a group's open file: cpu.stat of v2, cpuacct.usage of v1.
func cpuTime(file int) time.Duration {
	var buf [256]byte
	n, _ := unix.Pread(file, buf[:], 0)
	text := buf[:max(n, 0)]
	if _, rest, ok := bytes.Cut(text, []byte("usage_usec ")); ok {
		return time.Duration(procfs.Number(rest)) * time.Microsecond
	}
	return time.Duration(procfs.Number(text))
}

// Peak is the most memory the group has had: what its processes had in memory,
// with the files they were the first to read, and what lies in their tmpfs. It
// is never more than the limit, which the kernel exceeds a little for itself.
func (g *Group) Peak() int64 {
	if g.memory > 0 {
		return min(g.memory, g.rawPeak())
	}
	return g.rawPeak()
}

func (g *Group) rawPeak() int64 {
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

// Exhausted reports whether the kernel has killed for the group's own memory
// limit, and starved whether it has killed here though that was not reached:
// because the machine, or a group around this one, had no memory left.
func (g *Group) Exhausted() (exhausted, starved bool) {
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

// Freeze stops all that is in the group, or lets it go on.
func (g *Group) Freeze(on bool) {
	switch {
	case g == nil:
	case g.v2:
		_ = Write(g.dirs[0]+"/cgroup.freeze", map[bool]string{true: "1", false: "0"}[on])
	default:
		_ = Write(g.dirs[3]+"/freezer.state", map[bool]string{true: "FROZEN", false: "THAWED"}[on])
	}
}

// Kill helps what was killed to die: in v1 nothing frozen does.
func (g *Group) Kill() {
	switch {
	case g == nil:
	case g.v2:
		_ = Write(g.dirs[0]+"/cgroup.kill", "1")
	default:
		g.Freeze(false)
	}
}

// remove removes the group, in which nothing is left, and returns the folders
// that the kernel does not let go yet: a process that has been reaped may still
// be on its way out.
func (g *Group) remove() (left []string) {
	g.CloseJoins()
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

// Remove removes a group in which nothing is left. What the kernel does not let
// go yet is removed before the next group is made; what is left in the end is for
// RemoveAll.
func (c *Groups) Remove(g *Group) {
	if left := g.remove(); len(left) > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.left = append(c.left, left...)
	}
}

func (c *Groups) removeLeft() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.left) > 0 {
		c.left = removeFolders(c.left)
	}
}
