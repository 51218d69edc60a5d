package sandbox

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Landlock is used by bare calls in the child, as a library would restrict the
// process that calls it.

// landlockABI is the version of Landlock the kernel offers; 0: none. From 1 it
// restricts files, from 3 cutting them off, from 4 TCP, from 6 signals and
// abstract sockets.
var landlockABI = sync.OnceValue(func() int {
	v, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return 0
	}
	return int(v)
})

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

// ruleset is a Landlock ruleset being written into a plan.
type ruleset struct {
	stage
	fd      arg
	handled uint64
}

func (s stage) landlock() ruleset {
	fs, net, scope, size := landlockHandled(landlockABI())
	attr := structure(s.plan, unix.LandlockRulesetAttr{
		Handled_access_fs: fs, Handled_access_net: net, Scoped: scope,
	})
	fd := s.get("create Landlock rules", unix.SYS_LANDLOCK_CREATE_RULESET, attr, num(size), num(0))
	return ruleset{s, fd, fs}
}

// allow grants rights on a path that exists.
func (r ruleset) allow(p systemPath, rights uint64) {
	if !p.dir {
		rights &= landReadFile | landWriteFile
	}
	rule := structure(r.plan, unix.LandlockPathBeneathAttr{Allowed_access: rights & r.handled})
	fdWord := rule.value/4 + 2 // Parent_fd
	r.put(fdWord, "open "+p.path, unix.SYS_OPENAT, atCwd, r.str(p.path), num(unix.O_PATH|unix.O_CLOEXEC), num(0))
	r.do("allow "+p.path, unix.SYS_LANDLOCK_ADD_RULE, r.fd, num(unix.LANDLOCK_RULE_PATH_BENEATH), rule, num(0))
	r.do("close "+p.path, unix.SYS_CLOSE, arg{fdWord, result})
}

// enforce puts rules into force for the process itself.
func (s stage) enforce(r ruleset) {
	s.do("enforce Landlock rules", unix.SYS_LANDLOCK_RESTRICT_SELF, r.fd, num(0))
}

var atCwd = arg{value: ^uintptr(99)} // AT_FDCWD
