package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// cgroups makes a control group for each contestant, beside umpire's own or,
// where that can't be, at the top. A group's name holds the number and the
// start time of the umpire process that made it, so that what a killed umpire
// has left can be told.
type cgroups struct {
	v2      bool
	parents []string // the folders groups are made in: one of v2, several of v1
	prefix  string

	mu   sync.Mutex
	left []string // folders of groups that could not be removed yet
}

// groupNumber counts the groups this process has made, of all its launchers.
var groupNumber atomic.Uint64

// Which controllers are needed. v2 accounts for CPU and freezes without one.
var (
	controllers1 = []string{"memory", "pids", "cpuacct", "freezer"}
	controllers2 = []string{"memory", "pids"}
)

// newCgroups finds where groups can be made, and removes those of umpire
// processes that are no more.
func newCgroups() (*cgroups, error) {
	mounts, err := cgroupMounts()
	if err != nil {
		return nil, err
	}
	c := &cgroups{prefix: groupPrefix(os.Getpid())}
	c.parents, err = parents2(mounts, c.prefix)
	c.v2 = err == nil
	if err != nil {
		err = fmt.Errorf("cgroup v2: %w", err)
		if _, v1 := mounts[controllers1[0]]; v1 {
			var err1 error
			if c.parents, err1 = parents1(mounts); err1 != nil {
				err = fmt.Errorf("%w; cgroup v1: %w", err, err1)
			} else {
				err = nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	for _, dir := range c.parents {
		removeStale(dir)
	}
	return c, nil
}

// cgroupMount is a hierarchy and umpire's own place in it.
type cgroupMount struct {
	top, own string
}

// cgroupMounts finds the hierarchies by controller; v2 is "".
func cgroupMounts() (map[string]cgroupMount, error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("find own control group: %w", err)
	}
	info, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("find control groups: %w", err)
	}
	mounts := map[string]cgroupMount{}
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
func place(root, top, group string) cgroupMount {
	rel, err := filepath.Rel(root, group)
	if err != nil || strings.HasPrefix(rel, "..") {
		rel = "."
	}
	return cgroupMount{top: top, own: filepath.Join(top, rel)}
}

// ownGroup finds a controller's line in /proc/self/cgroup.
func ownGroup(text, controller string) string {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for _, name := range strings.Split(f[1], ",") {
			if name == controller {
				return f[2]
			}
		}
	}
	return "/"
}

func parents1(mounts map[string]cgroupMount) ([]string, error) {
	var list []string
	for _, name := range controllers1 {
		m, ok := mounts[name]
		if !ok {
			return nil, fmt.Errorf("no %s controller", name)
		}
		if err := unix.Access(m.own, unix.W_OK); err != nil {
			return nil, fmt.Errorf("write %s: %w", m.own, err)
		}
		list = append(list, m.own)
	}
	return list, nil
}

// parents2 finds a v2 group that can have children with controllers: umpire's
// own, from which umpire has to move into a child; or one above that has such
// children already, as where umpire is a child of another; or else the top.
func parents2(mounts map[string]cgroupMount, prefix string) ([]string, error) {
	m, ok := mounts[""]
	if !ok {
		return nil, errors.New("not mounted")
	}
	if above := filepath.Dir(m.own); isMain(m.own) && enabled(above) == nil {
		return []string{above}, nil
	}
	err := enable(m.own)
	if errors.Is(err, unix.EBUSY) {
		if err = moveSelf(m.own, prefix); err == nil {
			err = enable(m.own)
		}
	}
	if err == nil {
		return []string{m.own}, nil
	}
	for dir := m.own; dir != m.top && dir != "/"; {
		dir = filepath.Dir(dir)
		if enabled(dir) == nil && unix.Access(dir, unix.W_OK) == nil && unix.Access(dir+"/cgroup.procs", unix.W_OK) == nil {
			return []string{dir}, nil
		}
	}
	if m.top != m.own && os.Geteuid() == 0 {
		if enable(m.top) == nil {
			return []string{m.top}, nil
		}
	}
	return nil, err
}

// enable gives the children of a v2 group their controllers.
func enable(dir string) error {
	if err := lists(dir + "/cgroup.controllers"); err != nil {
		return err
	}
	return write(dir+"/cgroup.subtree_control", "+"+strings.Join(controllers2, " +"))
}

// enabled says whether the children of a v2 group have their controllers.
func enabled(dir string) error {
	return lists(dir + "/cgroup.subtree_control")
}

// lists says whether a file of a v2 group names all controllers.
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

// isMain says whether a group is one that an umpire has moved into.
func isMain(dir string) bool {
	name := filepath.Base(dir)
	return strings.HasPrefix(name, "umpire.") && strings.HasSuffix(name, mainGroup)
}

const mainGroup = ".main"

// moveSelf moves umpire, if it is alone in its group, into a child of it.
func moveSelf(dir, prefix string) error {
	child := filepath.Join(dir, strings.TrimSuffix(prefix, ".")+mainGroup)
	if err := os.Mkdir(child, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	pids, err := os.ReadFile(dir + "/cgroup.procs")
	if err != nil {
		return err
	}
	for _, pid := range strings.Fields(string(pids)) {
		if n, _ := strconv.Atoi(pid); n != os.Getpid() && parentOf(n) != os.Getpid() {
			_ = os.Remove(child)
			return fmt.Errorf("share %s with process %s: %w", dir, pid, unix.EBUSY)
		}
	}
	for _, pid := range strings.Fields(string(pids)) {
		if err := write(child+"/cgroup.procs", pid); err != nil {
			return err
		}
	}
	return nil
}

// groupPrefix names an umpire process for all time; "" if there is none of
// that number.
func groupPrefix(pid int) string {
	f := statFields(pid)
	if len(f) < 20 {
		return ""
	}
	return fmt.Sprintf("umpire.%s.%d.%s.", pidNamespace(), pid, f[19])
}

// pidNamespace tells whose process numbers are meant: an umpire in another
// container may share the control groups.
var pidNamespace = sync.OnceValue(func() string {
	link, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Trim(link, "pid:[]")
})

// statFields are the fields of /proc/PID/stat from the third on.
func statFields(pid int) []string { return statFieldsAt("/proc/" + strconv.Itoa(pid)) }

// statFieldsAt is statFields of a process or thread, a folder of /proc.
func statFieldsAt(base string) []string {
	var buf [1024]byte
	text := string(readSome(base+"/stat", buf[:]))
	return strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
}

func parentOf(pid int) int {
	f := statFields(pid)
	if len(f) < 2 {
		return 0
	}
	ppid, _ := strconv.Atoi(f[1])
	return ppid
}

// removeStale removes the groups of umpire processes that are no more, and
// kills what is in them.
func removeStale(parent string) {
	dirs, _ := filepath.Glob(parent + "/umpire." + pidNamespace() + ".*.*.*")
	for _, dir := range dirs {
		name := filepath.Base(dir)
		pid, err := strconv.Atoi(strings.Split(name, ".")[2])
		if prefix := groupPrefix(pid); err != nil || prefix != "" && strings.HasPrefix(name, prefix) {
			continue
		}
		removeGroup(dir)
	}
}

// removeGroups removes the groups whose names begin so, where umpire could have
// made them: in its own or above.
func removeGroups(prefix string) {
	mounts, err := cgroupMounts()
	if err != nil {
		return
	}
	for _, m := range mounts {
		for dir := m.own; within(dir, m.top); dir = filepath.Dir(dir) {
			groups, _ := filepath.Glob(dir + "/" + prefix + "[0-9]*")
			for _, group := range groups {
				removeGroup(group)
			}
		}
	}
}

// removeGroup kills what is in a group, and removes it when that is gone.
func removeGroup(dir string) {
	for range 8 { // what is killed may just have started another
		pids, _ := os.ReadFile(dir + "/cgroup.procs")
		for _, p := range strings.Fields(string(pids)) {
			killAndWait(p)
		}
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

func killAndWait(pid string) {
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
	_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(time.Second/time.Millisecond))
}

// write writes a file of a control group, in one call as the kernel wants it.
func write(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(text)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
