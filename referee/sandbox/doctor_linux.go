package sandbox

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// checks looks at what the levels need, and at what disturbs measuring.
func checks() []Check {
	m := thisMachine()
	list := []Check{
		checkKernel(), checkSeccomp(), m.checkLandlock(), checkUserNamespaces(), m.checkCgroups(), m.checkUsers(),
		checkCPUs(), m.checkQuota(), checkFrequency(), checkSwap(), m.checkLimits(), m.checkCores(), checkIdle(), checkScratch(),
	}
	for i := range list {
		if list[i].OK {
			list[i].Get = ""
		}
	}
	return list
}

func checkKernel() Check {
	var u unix.Utsname
	_ = unix.Uname(&u)
	var major, minor int
	release := unix.ByteSliceToString(u.Release[:])
	_, _ = fmt.Sscanf(release, "%d.%d", &major, &minor)
	return Check{
		Name: "kernel", OK: major > 5 || major == 5 && minor >= 13, Found: "Linux " + release,
		Means: "basic needs Linux 5.13, box and strict 5.12", Get: "upgrade the kernel",
	}
}

func checkSeccomp() Check {
	// Asking with no filter fails in another way if there are filters.
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0)
	return Check{
		Name: "seccomp", OK: e == unix.EFAULT, Found: yes(e == unix.EFAULT, "filters", "no filters"),
		Means: "basic, box and strict filter system calls", Get: "a kernel with CONFIG_SECCOMP_FILTER",
	}
}

func (m *machine) checkLandlock() Check {
	abi := m.landlock
	return Check{
		Name: "landlock", OK: abi >= 1, Found: fmt.Sprintf("version %d", abi),
		Means: "basic guards files by it; with a version below 6 programs of umpire's own user can't signal their children there",
		Get:   "Linux 5.13 or newer, with landlock among the modules of the boot parameter lsm=",
	}
}

func checkUserNamespaces() Check {
	found := "allowed"
	ok := os.Geteuid() == 0
	switch {
	case ok:
		found = "not needed by root"
	case procfs.FirstLine("/proc/sys/user/max_user_namespaces") == "0":
		found = "user.max_user_namespaces is 0"
	case procfs.FirstLine("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		found = "kernel.unprivileged_userns_clone is 0"
	case procfs.FirstLine("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		found = "restricted by AppArmor"
	default:
		ok = true
	}
	return Check{
		Name: "user_namespaces", OK: ok, Found: found, Means: "box and strict need them unless umpire is root",
		Get: "as root: sysctl user.max_user_namespaces=10000, kernel.unprivileged_userns_clone=1 or " +
			"kernel.apparmor_restrict_unprivileged_userns=0, whichever is in the way",
	}
}

func (m *machine) checkCgroups() Check {
	c := Check{
		Name: "cgroup", Means: "strict needs a control group in which umpire may make others",
		Get: "systemd's manager for your user, which a login or `loginctl enable-linger` starts; or run umpire as root",
	}
	if os.Geteuid() == 0 {
		c.Get = "systemd-run --scope -p Delegate=yes umpire ...; in a container: one that may write /sys/fs/cgroup"
	}
	groups, err := m.controlGroups()
	if err != nil {
		c.Found = err.Error()
		return c
	}
	c.OK, c.Found = true, groups.String()
	return c
}

func (m *machine) checkUsers() Check {
	c := Check{
		Name: "own_user", OK: m.privileges.ownUIDs, Found: fmt.Sprintf("user %d", os.Geteuid()),
		Means: "root gives each contestant a user of its own; otherwise contestants are umpire's user, " +
			"and at basic the limit of processes is approximate",
		Get: "run umpire as root",
	}
	if os.Geteuid() == 0 {
		c.Get = "a container that has all users of the machine, and CAP_SETUID, CAP_SETGID and CAP_CHOWN"
	}
	if err := m.privileges.checkUser(); err != nil {
		c.Found = err.Error()
		c.Means = "there is no isolation of programs that are the kernel's user 0, whatever capabilities they lack"
		c.Get = "run umpire as an ordinary user, or give it these capabilities"
	}
	return c
}

func checkCPUs() Check {
	var set unix.CPUSet
	_ = unix.SchedGetaffinity(0, &set)
	return Check{
		Name: "cpus", OK: set.Count() >= 2, Found: fmt.Sprintf("%d of %d usable", set.Count(), runtime.NumCPU()),
		Means: "on one CPU contestants and umpire take each other's wall time", Get: "use two CPUs, or --clock cpu",
	}
}

func (m *machine) checkQuota() Check {
	quota := m.cpuQuota()
	c := Check{
		Name: "cpu_quota", OK: quota == 0 || quota >= float64(runtime.NumCPU()), Found: "none",
		Means: "a control group that has used up its share of CPU time stops contestants and umpire, which makes matches void",
		Get:   "a group without a quota (cpu.max, cpu.cfs_quota_us), in Kubernetes CPUs of its own; otherwise --clock cpu, or a lower --jobs",
	}
	if quota > 0 {
		c.Found = fmt.Sprintf("%.2f of %d CPUs", quota, runtime.NumCPU())
	}
	return c
}

func checkFrequency() Check {
	governors, _ := filepath.Glob("/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor")
	found := map[string]bool{}
	for _, path := range governors {
		found[procfs.FirstLine(path)] = true
	}
	names := slices.Sorted(maps.Keys(found))
	if len(names) == 0 {
		names = []string{"not controlled here"}
	}
	return Check{
		Name: "frequency_scaling", OK: len(governors) == 0 || len(found) == 1 && found["performance"],
		Found: strings.Join(names, ", "), Means: "times vary with the frequency of the CPUs",
		Get: "cpupower frequency-set -g performance",
	}
}

func checkSwap() Check {
	var info unix.Sysinfo_t
	_ = unix.Sysinfo(&info)
	return Check{
		Name: "swap", OK: info.Totalswap == 0, Found: fmt.Sprintf("%d MiB", info.Totalswap*uint64(info.Unit)>>20),
		Means: "memory that is swapped out is not resident, and reading it back takes a contestant's time",
		Get:   "swapoff -a",
	}
}

func (m *machine) checkLimits() Check {
	var files, procs unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &files)
	_ = unix.Getrlimit(unix.RLIMIT_NPROC, &procs)
	share := m.processShare()
	return Check{
		Name: "rlimits", OK: files.Max >= 1024 && share >= DefaultProcesses,
		Found: fmt.Sprintf("%s descriptors, %s processes, %s in the control group: at most %d for a contestant",
			limitText(files.Max), limitText(procs.Max), limitText(m.groupProcesses()), share),
		Means: "concurrent matches need descriptors and processes", Get: "ulimit -n 4096; ulimit -u 4096; more pids.max or TasksMax",
	}
}

func (m *machine) checkCores() Check {
	pattern := procfs.FirstLine("/proc/sys/kernel/core_pattern")
	// To a program, or a socket, cores go whatever their limit, but for 1.
	outside := strings.HasPrefix(pattern, "|") || strings.HasPrefix(pattern, "@")
	hard := m.privileges.hardLimits[unix.RLIMIT_CORE]
	return Check{
		Name: "cores", OK: !outside || hard >= noCore || m.privileges.raisesLimits() && !m.privileges.userNamespaced(),
		Found: fmt.Sprintf("core_pattern %q, limit %s", pattern, limitText(hard)),
		Means: "a contestant that crashes leaves no core; where cores are passed to a program, a limit of 1 prevents that, and 0 does not",
		Get:   "ulimit -Hc unlimited, or LimitCORE=infinity, where umpire is started",
	}
}

func limitText(n uint64) string {
	if n == unix.RLIM_INFINITY {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

func checkIdle() Check {
	// 0: processes of one user, 1: descendants, 2: root, 3: nobody.
	scope := procfs.FirstLine("/proc/sys/kernel/yama/ptrace_scope")
	_, err := os.ReadFile("/proc/self/syscall")
	return Check{
		Name: "idle_detection", OK: err == nil && scope != "3" && (scope != "2" || os.Geteuid() == 0),
		Found: "ptrace_scope " + yes(scope != "", scope, "not set"),
		Means: "a contestant blocked in reading its input is found by /proc/PID/task/*/syscall",
		Get:   "sysctl kernel.yama.ptrace_scope=1, and a kernel with CONFIG_HAVE_ARCH_TRACEHOOK",
	}
}

func checkScratch() Check {
	var fs unix.Statfs_t
	dir := os.TempDir()
	err := unix.Statfs(dir, &fs)
	free := fs.Bavail * uint64(fs.Bsize)
	c := Check{
		Name: "temporary_space", OK: free >= 1<<30, Found: fmt.Sprintf("%d MiB in %s", free>>20, dir),
		Means: "at basic contestants write their temporary files there, with no limit in all", Get: "free space, or set TMPDIR",
	}
	if err != nil {
		c.Found, c.Get = fmt.Sprintf("%s: %v", dir, err), "set TMPDIR to a folder that umpire may write to"
	}
	return c
}

func yes(ok bool, then, otherwise string) string {
	if ok {
		return then
	}
	return otherwise
}
