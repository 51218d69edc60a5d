// Package cgroup makes control groups, of version 2 or 1: it finds where that can
// be done, limits, freezes and measures a group, helps to kill what is in it, and
// removes groups, those that a killed umpire has left too. It starts no process.
package cgroup

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// Groups makes control groups beside umpire's own or, where that can't be, at the
// top. A group's name holds the number and the start time of the umpire process
// that made it, so that what a killed umpire has left can be told. Its methods
// may be called by several goroutines. A process has one for all its groups, or names
// would be given twice.
type Groups struct {
	v2      bool
	parents []string // the folders groups are made in: one of v2, several of v1
	prefix  string
	made    atomic.Uint64 // how many, for their names

	mu   sync.Mutex
	left []string // folders of groups that could not be removed yet
}

// Which controllers are needed. v2 accounts for CPU and freezes without one.
var (
	controllers1 = []string{"memory", "pids", "cpuacct", "freezer"}
	controllers2 = []string{"memory", "pids"}
)

// Find finds where groups can be made beside that of a process, umpire's own or one
// that it has started, and removes those of umpire processes that are no more. An error
// says what is missing.
func Find(pid int) (*Groups, error) {
	mounts, err := MountsOf(pid)
	if err != nil {
		return nil, err
	}
	c := &Groups{prefix: Prefix(os.Getpid())}
	if c.prefix == "" {
		return nil, ErrNameless
	}
	c.parents, err = parents2(mounts, c.prefix)
	if c.v2 = err == nil; !c.v2 {
		if _, mounted := mounts[controllers1[0]]; !mounted {
			return nil, fmt.Errorf("cgroup v2: %w", err)
		}
		var err1 error
		if c.parents, err1 = parents1(mounts); err1 != nil {
			return nil, fmt.Errorf("cgroup v2: %w; cgroup v1: %w", err, err1)
		}
	}
	RemoveStale(c.parents...)
	return c, nil
}

// Parents are the folders that groups are made in: one of v2, several of v1.
func (c *Groups) Parents() []string { return c.parents }

// String gives the version and the folders.
func (c *Groups) String() string {
	version := "v1"
	if c.v2 {
		version = "v2"
	}
	return version + ", " + strings.Join(c.parents, " ")
}

// Mount is a hierarchy of groups as it is mounted.
type Mount struct {
	Top string // the folder of its uppermost group to be seen
	Own string // the folder of the process's group
}

// Above yields the folders of the process's group and of all above it.
func (m Mount) Above() iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := m.Own; yield(dir) && dir != m.Top && dir != "/"; {
			dir = filepath.Dir(dir)
		}
	}
}

// Mounts finds the hierarchies by controller; that of v2 is "".
func Mounts() (map[string]Mount, error) { return MountsOf(os.Getpid()) }

// MountsOf is Mounts, with the groups of a process instead of umpire's own.
func MountsOf(pid int) (map[string]Mount, error) {
	own, err := os.ReadFile(procfs.Dir(pid) + "/cgroup")
	if err != nil {
		return nil, fmt.Errorf("find control group of process %d: %w", pid, err)
	}
	info, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("find control groups: %w", err)
	}
	mounts := map[string]Mount{}
	for line := range strings.Lines(string(info)) {
		before, after, ok := strings.Cut(line, " - ")
		f, g := strings.Fields(before), strings.Fields(after)
		if !ok || len(f) < 5 || len(g) < 3 {
			continue
		}
		switch g[0] {
		case "cgroup2":
			mounts[""] = place(f[3], f[4], ownGroup(string(own), ""))
		case "cgroup":
			for _, name := range strings.Split(g[2], ",") {
				mounts[name] = place(f[3], f[4], ownGroup(string(own), name))
			}
		}
	}
	return mounts, nil
}

// place is where a group is to be found, of a hierarchy mounted from root.
func place(root, top, group string) Mount {
	rel, err := filepath.Rel(root, group)
	if err != nil || strings.HasPrefix(rel, "..") {
		rel = "."
	}
	return Mount{Top: top, Own: filepath.Join(top, rel)}
}

// ownGroup finds a controller's line in /proc/self/cgroup.
func ownGroup(text, controller string) string {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) == 3 && slices.Contains(strings.Split(f[1], ","), controller) {
			return f[2]
		}
	}
	return "/"
}

func parents1(mounts map[string]Mount) ([]string, error) {
	var list []string
	for _, name := range controllers1 {
		m, ok := mounts[name]
		if !ok {
			return nil, fmt.Errorf("no %s controller", name)
		}
		if err := unix.Access(m.Own, unix.W_OK); err != nil {
			return nil, fmt.Errorf("write %s: %w", m.Own, err)
		}
		list = append(list, m.Own)
	}
	return list, nil
}

// parents2 finds a v2 group that can have children with controllers: umpire's
// own, from which umpire has to move into a child; or one above that has such
// children already, as where umpire is a child of another; or else the top.
func parents2(mounts map[string]Mount, prefix string) ([]string, error) {
	m, ok := mounts[""]
	if !ok {
		return nil, errors.New("not mounted")
	}
	if above := filepath.Dir(m.Own); isMain(m.Own) && enabled(above) == nil {
		return []string{above}, nil
	}
	err := enable(m.Own)
	if errors.Is(err, unix.EBUSY) {
		if err = moveSelf(m.Own, prefix); err == nil {
			err = enable(m.Own)
		}
	}
	if err == nil {
		return []string{m.Own}, nil
	}
	for dir := range m.Above() {
		if dir != m.Own && enabled(dir) == nil && unix.Access(dir, unix.W_OK) == nil && unix.Access(dir+"/cgroup.procs", unix.W_OK) == nil {
			return []string{dir}, nil
		}
	}
	if m.Top != m.Own && os.Geteuid() == 0 && enable(m.Top) == nil {
		return []string{m.Top}, nil
	}
	return nil, err
}

// enable gives the children of a v2 group their controllers.
func enable(dir string) error {
	if err := lists(dir + "/cgroup.controllers"); err != nil {
		return err
	}
	return Write(dir+"/cgroup.subtree_control", "+"+strings.Join(controllers2, " +"))
}

// enabled reports whether the children of a v2 group have their controllers.
func enabled(dir string) error {
	return lists(dir + "/cgroup.subtree_control")
}

// lists reports whether a file of a v2 group names all controllers.
func lists(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, name := range controllers2 {
		if !slices.Contains(strings.Fields(string(text)), name) {
			return fmt.Errorf("no %s controller in %s", name, path)
		}
	}
	return nil
}

// isMain reports whether a group is one that an umpire has moved into.
func isMain(dir string) bool {
	name := filepath.Base(dir)
	return strings.HasPrefix(name, "umpire.") && strings.HasSuffix(name, mainGroup)
}

const mainGroup = ".main"

// moveSelf moves umpire, if it is alone in its group, into a child of it.
func moveSelf(dir, prefix string) error {
	child := filepath.Join(dir, strings.TrimSuffix(prefix, ".")+mainGroup)
	if err := mkdir(child); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("create control group %s: %w", child, err)
	}
	pids, err := os.ReadFile(dir + "/cgroup.procs")
	if err != nil {
		return err
	}
	for _, pid := range strings.Fields(string(pids)) {
		if n, _ := strconv.Atoi(pid); n != os.Getpid() && procfs.Parent(n) != os.Getpid() {
			_ = os.Remove(child)
			return fmt.Errorf("share %s with process %s: %w", dir, pid, unix.EBUSY)
		}
	}
	for _, pid := range strings.Fields(string(pids)) {
		if err := Write(child+"/cgroup.procs", pid); err != nil {
			return err
		}
	}
	return nil
}

// RemoveStale removes the groups below folders whose umpire processes are no
// more, and kills what is in them.
func RemoveStale(parents ...string) {
	var stale []string
	for _, parent := range parents {
		dirs, _ := filepath.Glob(parent + "/umpire." + procfs.PIDNamespace() + ".*.*.*")
		stale = append(stale, slices.DeleteFunc(dirs, func(dir string) bool { return !IsStale(filepath.Base(dir)) })...)
	}
	removeGroups(stale)
}

// RemoveAll removes the groups whose names begin so, where umpire could have made
// them: in its own or above. What is in them it kills.
func RemoveAll(prefix string) { removeGroups(named(prefix)) }

// ThawAll lets all that is in the groups whose names begin so go on.
func ThawAll(prefix string) { thaw(named(prefix)) }

func named(prefix string) (dirs []string) {
	if name, ok := strings.CutSuffix(prefix, "."); !ok || !IsOwner(name) {
		return nil // others' groups begin so, too
	}
	mounts, _ := Mounts()
	for _, m := range mounts {
		for dir := range m.Above() {
			groups, _ := filepath.Glob(dir + "/" + prefix + "[0-9]*")
			dirs = append(dirs, groups...)
		}
	}
	return dirs
}

// removeGroups kills what is in groups, and removes them when that is gone. In v1
// nothing frozen dies, whichever of its groups it is killed by: all are thawed
// before any is waited for.
func removeGroups(dirs []string) {
	for _, dir := range dirs {
		kill(dir, 0)
	}
	thaw(dirs)
	for _, dir := range dirs {
		removeGroup(dir)
	}
}

// thaw lets all that is in v1 groups go on.
func thaw(dirs []string) {
	for _, dir := range dirs {
		if state := dir + "/freezer.state"; unix.Access(state, unix.W_OK) == nil {
			_ = Write(state, "THAWED")
		}
	}
}

// kill kills what is in a group, and waits so long for the end of each process.
func kill(dir string, wait time.Duration) {
	pids, _ := os.ReadFile(dir + "/cgroup.procs")
	for _, p := range strings.Fields(string(pids)) {
		killAndWait(p, wait)
	}
}

// removeGroup kills what is in a group, and removes it when that is gone.
func removeGroup(dir string) {
	for range 8 { // what is killed may just have started another
		kill(dir, time.Second)
		if err := unix.Rmdir(dir); err != unix.EBUSY {
			return
		}
		waitEmpty(dir)
	}
}

// waitEmpty waits, but not longer than a second, until the kernel says of a v2
// group that nothing is in it. v1 does not tell.
func waitEmpty(dir string) {
	events, err := unix.Open(dir+"/cgroup.events", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(events)
	var buf [256]byte
	n, _ := unix.Pread(events, buf[:], 0)
	if !strings.Contains(string(buf[:max(n, 0)]), "populated 0") {
		_, _ = unix.Poll([]unix.PollFd{{Fd: int32(events), Events: unix.POLLPRI}}, int(time.Second/time.Millisecond))
	}
}

func killAndWait(pid string, wait time.Duration) {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 1 {
		return
	}
	fd, err := unix.PidfdOpen(n, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(wait/time.Millisecond))
}

// Write writes a file of a control group, in one call as the kernel wants it.
func Write(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(fd)
	for {
		// A limit of memory is interrupted by the signals of Go's scheduler, too.
		if _, err := unix.Write(fd, []byte(text)); err == nil {
			return nil
		} else if err != unix.EINTR {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
}
