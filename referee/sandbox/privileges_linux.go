package sandbox

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
)

// privileges are what umpire's own user may do.
type privileges struct {
	permitted  uint64     // umpire's capabilities, a bit each; root of a container has not all
	lastCap    int        // the kernel's last capability
	ownUIDs    bool       // contestants can be given users of their own
	kernelRoot bool       // umpire is the kernel's own user 0, and not that of a user namespace
	hardLimits [16]uint64 // the limits umpire was started with
}

// ownPrivileges finds out the privileges of this process.
func ownPrivileges() privileges {
	p := privileges{permitted: permittedCapabilities(), lastCap: lastCapability(), kernelRoot: isKernelRoot(), hardLimits: ownHardLimits()}
	p.ownUIDs = p.mayGiveUsers()
	return p
}

func permittedCapabilities() uint64 {
	bits, _ := strconv.ParseUint(procfs.Value("/proc/self/status", "CapPrm"), 16, 64)
	return bits
}

func (p privileges) hasCapability(c int) bool { return p.permitted>>c&1 != 0 }

// rootFiles are the capabilities umpire has to read and write root's files.
func (p privileges) rootFiles() []int {
	return slices.DeleteFunc([]int{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH}, func(c int) bool { return !p.hasCapability(c) })
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
func (p privileges) raisesLimits() bool {
	return p.kernelRoot && p.hasCapability(unix.CAP_SYS_RESOURCE)
}

// mayGiveUsers reports whether contestants can be given users of their own.
func (p privileges) mayGiveUsers() bool {
	for _, c := range []int{unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_CHOWN} {
		if os.Geteuid() != 0 || !p.hasCapability(c) {
			return false
		}
	}
	b, err := os.ReadFile("/proc/self/uid_map")
	f := strings.Fields(string(b))
	if err != nil || len(f) != 3 {
		return false
	}
	count, _ := strconv.ParseInt(f[2], 10, 64)
	return f[0] == "0" && count >= 1<<31
}

// isKernelRoot reports whether umpire is the kernel's own user 0, and not that of a
// user namespace. To it files of /proc/sys are open even without capabilities,
// so no contestant may be that user.
func isKernelRoot() bool {
	const file = "/proc/sys/kernel/core_pattern"
	var st unix.Stat_t
	// In a namespace without the kernel's user 0 its files seem to be of an
	// ordinary user, which umpire could be.
	return unix.Stat(file, &st) == nil && int(st.Uid) == os.Geteuid() && unix.Access(file, unix.W_OK) != unix.EACCES
}

// checkUser says why contestants can't be isolated from umpire's user.
func (p privileges) checkUser() error {
	if p.kernelRoot && !p.ownUIDs {
		return errors.New("contestants would be the kernel's user 0: as root, umpire needs CAP_SETUID, CAP_SETGID and CAP_CHOWN, and a container with all users")
	}
	return nil
}

// userNamespaced reports whether box and strict take a user namespace. Root needs
// none, unless it lacks the capability for the other namespaces.
func (p privileges) userNamespaced() bool { return !p.ownUIDs || !p.hasCapability(unix.CAP_SYS_ADMIN) }
