package sandbox

import (
	"os"
	"slices"
	"strconv"
	"strings"
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
	permitted   uint64     // umpire's capabilities, a bit each; root of a container has not all
	lastCap     int        // the kernel's last capability
	ownUIDs     bool       // contestants can be given users of their own
	kernelRoot  bool       // umpire is the kernel's own user 0, and not that of a user namespace
	hardLimits  [16]uint64 // the limits umpire was started with
	landlock    int        // the version of Landlock that the kernel offers; 0: none
	dataSlack   uint64     // bytes, see limits
	objectLists []string   // of the kernel, for cells
	reusesPIDs  bool       // a process number can be given twice, as cells do

	// Found when first asked for.
	systemPaths  func() []systemPath
	systemGrants func() []grant
	processShare func() int
	oomEvents    func() int // descriptor of the file that counts what the kernel killed
	tempName     func() string
	tempDir      func() (string, error)

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
		permitted: permittedCapabilities(), lastCap: lastCapability(), kernelRoot: isKernelRoot(), landlock: landlockVersion(),
		hardLimits: ownHardLimits(), dataSlack: findDataSlack(), objectLists: findObjectLists(), reusesPIDs: findsPIDReuse(),
		oomEvents: sync.OnceValue(openOOMEvents), systemPaths: sync.OnceValue(findSystemPaths),
		tempName: sync.OnceValue(newTempName),
	}
	m.ownUIDs = m.mayGiveUsers()
	m.systemGrants = sync.OnceValue(m.findSystemGrants)
	m.processShare = sync.OnceValue(m.findProcessShare)
	m.tempDir = sync.OnceValues(m.makeTempDir)
	m.scope.made = make(chan struct{})
	return m
}

// forkServer returns umpire's fork server. If somebody has killed it there will be
// another.
func (m *machine) forkServer() (*launch.Server, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.server == nil || m.server.HasEnded() {
		w, err := launch.StartServer(m.tempName())
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
		groups, err := cgroup.Find(os.Getpid())
		if err != nil {
			groups, err = m.scope.groups(m.tempName(), err)
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

func permittedCapabilities() uint64 {
	var buf [4096]byte
	_, rest, _ := strings.Cut(string(procfs.Read("/proc/self/status", buf[:])), "\nCapPrm:\t")
	line, _, _ := strings.Cut(rest, "\n")
	bits, _ := strconv.ParseUint(line, 16, 64)
	return bits
}

func (m *machine) hasCapability(c int) bool { return m.permitted>>c&1 != 0 }

// rootFiles are the capabilities umpire has to read and write root's files.
func (m *machine) rootFiles() []int {
	return slices.DeleteFunc([]int{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH}, func(c int) bool { return !m.hasCapability(c) })
}

func lastCapability() int {
	if n, err := strconv.Atoi(procfs.FirstLine("/proc/sys/kernel/cap_last_cap")); err == nil {
		return n
	}
	return 63
}

func ownHardLimits() (hard [16]uint64) {
	for i := range hard {
		hard[i] = unix.RLIM_INFINITY
		var l unix.Rlimit
		if err := unix.Getrlimit(i, &l); err == nil {
			hard[i] = l.Max
		}
	}
	return hard
}

// raisesLimits reports whether umpire may go beyond its own limits, which takes the
// capability outside all user namespaces.
func (m *machine) raisesLimits() bool { return m.kernelRoot && m.hasCapability(unix.CAP_SYS_RESOURCE) }

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
