package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// The system call filter is a deny list, as the levels serve every language's
// runtime. What no honest runtime does kills the program with SIGSYS; what some
// try and can do without is refused with an error.

// deadly calls kill: they reach for other processes, the kernel or the machine.
var deadly = []uintptr{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP,
	unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_ADD_KEY, unix.SYS_KEYCTL, unix.SYS_REQUEST_KEY,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL,
}

// refused calls give EPERM.
var refused = []uintptr{
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_FANOTIFY_INIT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_PIDFD_GETFD, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
	unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES, unix.SYS_IOPRIO_SET,
	unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME,
	// A contestant stays on the CPUs it was given.
	unix.SYS_SCHED_SETAFFINITY,
	// Channels between processes that outlive them or need no common file.
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_MQ_OPEN,
}

// absent calls give ENOSYS, upon which a runtime uses what came before them.
var absent = []uintptr{
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_CLONE3, // its flags can't be seen by a filter; libc falls back to clone
}

// selfOnly calls take a process number first, by which processes of the same
// user, umpire among them, could be changed; 0, the caller itself, is allowed.
var selfOnly = []uintptr{
	unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
}

const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWNS |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

const (
	actionKill   = unix.SECCOMP_RET_KILL_PROCESS
	actionRefuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	actionAbsent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	actionLock   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOLCK)
	actionIgnore = uint32(unix.SECCOMP_RET_ERRNO) // error 0: says that it has been done
	actionAllow  = unix.SECCOMP_RET_ALLOW
)

// Where the kernel puts the facts of a call that a filter sees.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

// filter assembles a BPF program.
type filter []unix.SockFilter

func (f *filter) add(code uint16, jt, jf uint8, k uint32) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, offset) }
func (f *filter) ret(action uint32)  { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, action) }

// unless skips the next n instructions if what is loaded is not k.
func (f *filter) unless(k uint32, n uint8) { f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, n, k) }

// when skips the next n instructions if what is loaded is k.
func (f *filter) when(k uint32, n uint8) { f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, n, 0, k) }

// any skips the next n instructions if what is loaded has none of the bits.
func (f *filter) any(bits uint32, n uint8) { f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, 0, n, bits) }

func low(arg int) uint32 { return uint32(offArgs + 8*arg) } // the low half, on little endian machines

// each makes calls end in an action.
func (f *filter) each(calls []uintptr, action uint32) {
	for i, nr := range calls {
		f.when(uint32(nr), uint8(len(calls)-i))
	}
	f.add(unix.BPF_JMP|unix.BPF_JA, 0, 0, 1)
	f.ret(action)
}

// metadata is what Landlock does not guard: a program could close its owner's
// files to their owner.
var metadata = []uintptr{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	unix.SYS_FILE_SETATTR,
}

// newFilter makes the filter of a level. Only a program that was given a
// folder to write in, a compiler, may lock files, since two contestants could
// talk by locks on a file both may read; and change a file's mode at basic.
func newFilter(level Level, locks bool) []unix.SockFilter {
	var f filter
	f.load(offArch)
	f.when(auditArch, 1)
	f.ret(actionKill)
	f.load(offNumber)
	f.foreign()
	f.each(slices.Concat(deadly, deadlyHere), actionKill)
	f.each(slices.Concat(refused, refusedHere), actionRefuse)
	f.each(absent, actionAbsent)
	f.arguments()
	if !locks {
		f.locks()
	}
	if !locks && level == Basic {
		f.each(slices.Concat(metadata, metadataHere), actionRefuse)
	}
	f.ret(actionAllow)
	return f
}

// arguments adds the calls that depend on their arguments. Each block ends
// with an answer, so that what was loaded need not be loaded again.
func (f *filter) arguments() {
	f.unless(unix.SYS_CLONE, 4)
	f.load(low(0))
	f.any(newNamespaces, 1)
	f.ret(actionKill)
	f.ret(actionAllow)

	for _, nr := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
		f.unless(nr, 4)
		f.load(low(0))
		f.when(unix.AF_UNIX, 1)
		f.ret(actionRefuse)
		f.ret(actionAllow)
	}
	for _, nr := range selfOnly {
		f.unless(uint32(nr), 4)
		f.load(low(0))
		f.when(0, 1)
		f.ret(actionRefuse)
		f.ret(actionAllow)
	}
	// setpriority: of a thread of one's own, which 0 stands for.
	f.unless(unix.SYS_SETPRIORITY, 4)
	f.load(low(1))
	f.when(0, 1)
	f.ret(actionRefuse)
	f.ret(actionAllow)
	// Typing into, or driving, the terminal that umpire runs in.
	f.unless(unix.SYS_IOCTL, 5)
	f.load(low(1))
	f.when(unix.TIOCSTI, 2)
	f.when(tioclinux, 1)
	f.ret(actionAllow)
	f.ret(actionRefuse)
}

const tioclinux = 0x541C

// locks refuses file locks, and watching files, which tells of others' reads.
// A JVM locks a file of its own at its start and complains on standard output
// if it can't: flock does nothing, and says that it has.
func (f *filter) locks() {
	f.each([]uintptr{unix.SYS_FLOCK}, actionIgnore)
	f.each([]uintptr{unix.SYS_INOTIFY_ADD_WATCH}, actionRefuse)
	commands := []uint32{
		unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW,
		unix.F_SETLEASE, unix.F_GETLEASE, unix.F_NOTIFY,
	}
	n := uint8(len(commands))
	f.unless(unix.SYS_FCNTL, n+3)
	f.load(low(1))
	for i, c := range commands {
		f.when(c, n-uint8(i))
	}
	f.ret(actionAllow)
	f.ret(actionLock)
}
