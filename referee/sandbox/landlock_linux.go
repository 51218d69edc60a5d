package sandbox

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock is used by bare calls, as a library would restrict the process that
// calls it.

// landlockVersion is the version of Landlock the kernel offers; 0: none. From 1 it
// restricts files, from 3 cutting them off, from 4 TCP, from 6 signals and
// abstract sockets.
func landlockVersion() int {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
}

const (
	landReadFile  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	landRead      = landReadFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	landLook      = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	landWriteFile = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE
	// No device files, which matter to root alone, and no ioctl on any.
	landWrite = landRead | landWriteFile |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
)

// landlockHandled is every right that the kernel's version knows.
func landlockHandled(abi int) (fs, net, scope uint64, size uintptr) {
	fs, size = 1<<13-1, 8
	if abi >= 2 {
		fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 {
		net, size = unix.LANDLOCK_ACCESS_NET_BIND_TCP|unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, 16
	}
	if abi >= 5 {
		fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		scope, size = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET|unix.LANDLOCK_SCOPE_SIGNAL, 24
	}
	return fs, net, scope, size
}

// grant is a right to reach a path that exists.
type grant struct {
	systemPath
	rights uint64
}

// newRuleset makes a ruleset of grants for a version of Landlock; its descriptor is to
// be closed. It does not restrict umpire: programs put it into force for themselves.
func newRuleset(version int, grants []grant) (int, error) {
	fs, net, scope, size := landlockHandled(version)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: fs, Handled_access_net: net, Scoped: scope}
	ruleset, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if e != 0 {
		return -1, fmt.Errorf("create Landlock rules: %w", e)
	}
	for _, g := range grants {
		if err := g.allow(ruleset, fs); err != nil {
			unix.Close(int(ruleset))
			return -1, err
		}
	}
	return int(ruleset), nil
}

// allow adds the grant to a ruleset, as far as that handles its rights.
func (g grant) allow(ruleset uintptr, handled uint64) error {
	if !g.dir {
		g.rights &= landReadFile | landWriteFile
	}
	fd, err := unix.Open(g.path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", g.path, err)
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: g.rights & handled, Parent_fd: int32(fd)}
	_, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, ruleset, unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if e != 0 {
		return fmt.Errorf("allow %s: %w", g.path, e)
	}
	return nil
}

// rulesets remembers rulesets, as to make one takes a tenth of a millisecond
// and the same programs are started again and again.
type rulesets struct {
	version int            // of Landlock
	system  func() []grant // what every program may reach
	mu      sync.Mutex
	made    map[string]int // descriptors, by what is granted
}

const maxRulesets = 64

// get returns a descriptor of the ruleset for grants, to be closed. The system's
// own files and devices are granted as well.
func (r *rulesets) get(grants []grant) (int, error) {
	var key []byte
	for _, g := range grants {
		key = fmt.Appendf(key, "%q %d %d %x\n", g.path, g.device, g.inode, g.rights)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fd, ok := r.made[string(key)]
	if !ok {
		var err error
		if fd, err = newRuleset(r.version, slices.Concat(r.system(), grants)); err != nil {
			return -1, err
		}
		if len(r.made) >= maxRulesets {
			for _, old := range r.made {
				unix.Close(old)
			}
			clear(r.made)
		}
		r.made[string(key)] = fd
	}
	copied, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return -1, fmt.Errorf("copy Landlock rules: %w", err)
	}
	return copied, nil
}

// findSystemGrants lists the paths that every program may reach.
func findSystemGrants(system systemPaths) []grant {
	var list []grant
	for _, p := range system {
		list = append(list, grant{p, landRead})
	}
	for _, path := range devices {
		rights := uint64(landWriteFile)
		if path == zeroDevice {
			rights = landReadFile
		}
		list = append(list, grant{systemPath{path: path}, rights})
	}
	// Runtimes look at themselves, the CPUs and the memory. Landlock keeps
	// what /proc tells only to those who may trace a process.
	for _, path := range []string{"/proc", "/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"} {
		if p, ok := statPath(path); ok {
			list = append(list, grant{p, landLook})
		}
	}
	return list
}
