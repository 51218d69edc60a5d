package sandbox

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
	"umpire/referee/sandbox/launch"
	"umpire/referee/sandbox/seccomp"
)

// machine is what a process of umpire has once, and all its launchers share: what it
// has found out of the machine and of itself, and what it hands out to contestants.
type machine struct {
	privileges  privileges
	landlock    int      // the version of Landlock that the kernel offers; 0: none
	dataSlack   uint64   // bytes, see limits
	objectLists []string // of the kernel, for cells
	reusesPIDs  bool     // a process number can be given twice, as cells do

	// Found when first asked for.
	systemPaths  func() systemPaths
	systemGrants func() []grant
	processShare func() int
	oomEvents    func() int // descriptor of the file that counts what the kernel killed

	temp    tempFolder
	users   userPool
	mounts  launch.MountTable
	filters seccomp.Filters

	mu     sync.Mutex // guards what follows
	server *launch.Server
	groups *cgroup.Groups
	scope  userScope
}

// thisMachine returns the one of this process.
var thisMachine = sync.OnceValue(newMachine)

func newMachine() *machine {
	m := &machine{
		privileges: ownPrivileges(), landlock: landlockVersion(), dataSlack: findDataSlack(), objectLists: findObjectLists(), reusesPIDs: findsPIDReuse(),
		oomEvents: sync.OnceValue(openOOMEvents), systemPaths: sync.OnceValue(findSystemPaths),
	}
	m.systemGrants = sync.OnceValue(func() []grant { return findSystemGrants(m.systemPaths()) })
	m.processShare = sync.OnceValue(func() int { return findProcessShare(m.groupProcesses(), m.privileges.ownUIDs) })
	m.scope.made = make(chan struct{})
	return m
}

// forkServer returns umpire's fork server. If somebody has killed it there will be
// another.
func (m *machine) forkServer() (*launch.Server, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.server == nil || m.server.HasEnded() {
		temp, err := m.temp.path()
		if err != nil {
			return nil, err
		}
		w, err := launch.StartServer(temp)
		if err != nil {
			return nil, err
		}
		m.server = w // the socket of the old one stays open for those who ask
	}
	return m.server, nil
}

// controlGroups finds where control groups can be made: where umpire is or, for an
// ordinary user, in a scope.
func (m *machine) controlGroups() (*cgroup.Groups, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.groups == nil {
		temp, err := m.temp.path()
		if err != nil {
			return nil, err
		}
		groups, err := cgroup.Find(os.Getpid())
		if errors.Is(err, cgroup.ErrNameless) {
			return nil, &ownError{err}
		}
		if err != nil {
			groups, err = m.scope.groups(temp, err)
		}
		if err != nil {
			return nil, err
		}
		m.groups = groups
	}
	return m.groups, nil
}

// groupMounts are the hierarchies of control groups, with those in which contestants are
// or, at strict, beside which they are.
func (m *machine) groupMounts() (map[string]cgroup.Mount, error) {
	if s := m.scope.forkServer.Load(); s != nil {
		return cgroup.MountsOf(s.PID())
	}
	return cgroup.Mounts()
}

// groupProcesses is how many processes the control groups around contestants may have.
func (m *machine) groupProcesses() uint64 {
	least := uint64(math.MaxUint64)
	for _, most := range m.processLimits {
		least = min(least, uint64(most))
	}
	return least
}

// processLimits yields those of the control groups around contestants, by their folders,
// that limit processes, and how many each may have.
func (m *machine) processLimits(yield func(dir string, most int) bool) {
	for dir := range m.groupsWith("pids") {
		most, err := strconv.Atoi(procfs.FirstLine(dir + "/pids.max"))
		if err == nil && !yield(dir, most) { // else it is "max", or no such controller is here
			return
		}
	}
}

// groupsWith yields the folders of the control groups around contestants that may have a
// controller, and whether they are of version 2.
func (m *machine) groupsWith(controller string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		mounts, _ := m.groupMounts() // where they can't be found there are none
		for _, name := range []string{"", controller} {
			mount, ok := mounts[name]
			if !ok {
				continue
			}
			for dir := range mount.Above() {
				if !yield(dir, name == "") {
					return
				}
			}
		}
	}
}

// cpuQuota is the CPU time per time that the control groups around contestants may use,
// which is 2 for that of two CPUs; 0: as much as there is.
func (m *machine) cpuQuota() (least float64) {
	for dir, isV2 := range m.groupsWith("cpu") {
		text := procfs.FirstLine(dir + "/cpu.max") // with "max" in place of a quota that is none
		if !isV2 {
			text = procfs.FirstLine(dir+"/cpu.cfs_quota_us") + " " + procfs.FirstLine(dir+"/cpu.cfs_period_us")
		}
		var quota, period float64
		if _, err := fmt.Sscan(text, &quota, &period); err == nil && quota > 0 && period > 0 && (least == 0 || quota/period < least) {
			least = quota / period
		}
	}
	return least
}

// findDataSlack is the memory a program may map beyond its memory limit without using
// it: a JVM maps a share of the machine's memory at its start. It only bounds
// how much can be taken between two looks.
func findDataSlack() uint64 {
	var info unix.Sysinfo_t
	_ = unix.Sysinfo(&info)
	return 1<<30 + uint64(info.Totalram)*uint64(info.Unit)/32
}

// findObjectLists are the kernel's lists of what can outlive processes in a cell's
// namespaces: sockets, and System V objects if the kernel has any.
func findObjectLists() []string {
	list := []string{"/proc/net/unix"}
	for _, path := range []string{"/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg"} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			list = append(list, path)
		}
	}
	return list
}

// lastPIDFile has the last process number that was given, in the pid namespace.
const lastPIDFile = "/proc/sys/kernel/ns_last_pid"

// findsPIDReuse reports whether a process number can be given twice, and seen that
// nothing was left.
func findsPIDReuse() bool {
	for _, path := range []string{lastPIDFile, "/proc/net/unix"} {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	return true
}
