package seccomp

import (
	"slices"

	"golang.org/x/sys/unix"
)

// A call that is in none of these lists gives ENOSYS, as on a kernel that does not have
// it. What no honest runtime calls kills the program with SIGSYS; what some try and can
// do without is refused with an error.
//
// For other types of machine: GOARCH=arm64 CGO_ENABLED=0 go test -exec qemu-aarch64-static .

// allowList holds calls that are allowed, unless a rule looks at their arguments: those
// of glibc and musl, and of programs in the languages that umpire knows. The sandbox's
// README says why for each group.
var allowList = slices.Concat(files, memory, threads, signals, clocks, waiting, channels, itself, allowListHere)

// The groups of allowed calls.
var (
	files = []uintptr{
		unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3,
		unix.SYS_READ, unix.SYS_READV, unix.SYS_PREAD64, unix.SYS_PREADV, unix.SYS_PREADV2,
		unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PWRITE64, unix.SYS_PWRITEV, unix.SYS_PWRITEV2,
		unix.SYS_LSEEK, unix.SYS_COPY_FILE_RANGE, unix.SYS_FADVISE64, unix.SYS_FALLOCATE,
		unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
		unix.SYS_FSTAT, sysFstatat, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
		unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64,
		unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
		unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_UMASK,
		unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT2,
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
		unix.SYS_FCNTL, unix.SYS_FLOCK, unix.SYS_IOCTL,
		unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_ADD_WATCH, unix.SYS_INOTIFY_RM_WATCH,
	}
	memory = []uintptr{
		unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE,
		unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_MPROTECT, unix.SYS_PKEY_FREE,
		unix.SYS_MSYNC, unix.SYS_MINCORE, unix.SYS_MSEAL, unix.SYS_MAP_SHADOW_STACK,
		unix.SYS_MLOCK, unix.SYS_MLOCK2, unix.SYS_MUNLOCK, unix.SYS_MLOCKALL, unix.SYS_MUNLOCKALL,
	}
	threads = []uintptr{
		unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
		unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_PIDFD_OPEN,
		unix.SYS_FUTEX, unix.SYS_SET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
		unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID,
		unix.SYS_SETPGID, unix.SYS_GETPGID, unix.SYS_SETSID, unix.SYS_GETSID,
		unix.SYS_SCHED_YIELD, unix.SYS_GETCPU, unix.SYS_SCHED_GETAFFINITY,
		unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_GETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_GETPARAM,
		unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_GETATTR, unix.SYS_SCHED_RR_GET_INTERVAL,
		unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_SETPRIORITY, unix.SYS_GETPRIORITY,
	}
	signals = []uintptr{
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING,
		unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
		unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
		unix.SYS_PIDFD_SEND_SIGNAL,
	}
	clocks = []uintptr{
		unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP,
		unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETITIMER, unix.SYS_SETITIMER,
		unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE,
		unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
	}
	waiting = []uintptr{
		unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2,
		unix.SYS_EVENTFD2, unix.SYS_SIGNALFD4,
	}
	channels = []uintptr{
		unix.SYS_PIPE2, unix.SYS_SOCKET, unix.SYS_SOCKETPAIR,
		unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SHUTDOWN,
		unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_SETSOCKOPT, unix.SYS_GETSOCKOPT,
		unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	}
	itself = []uintptr{
		unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETRUSAGE, unix.SYS_GETRANDOM,
		unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_PRLIMIT64, unix.SYS_PRCTL, unix.SYS_SECCOMP, unix.SYS_PERSONALITY,
		unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETRESUID, unix.SYS_SETUID, unix.SYS_SETREUID, unix.SYS_SETRESUID,
		unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESGID, unix.SYS_SETGID, unix.SYS_SETREGID, unix.SYS_SETRESGID,
		unix.SYS_GETGROUPS, unix.SYS_CAPGET,
	}
)

// killList holds calls that kill the program: they reach for other processes, the
// kernel or the machine.
var killList = []uintptr{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP,
	unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_ADD_KEY, unix.SYS_KEYCTL, unix.SYS_REQUEST_KEY,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL,
}

// epermList holds calls that give EPERM.
var epermList = []uintptr{
	unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT, unix.SYS_LISTNS, unix.SYS_LSM_SET_SELF_ATTR, unix.SYS_CACHESTAT,
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

// enosysList holds calls that give ENOSYS, as those do that are in no list, but that
// runtimes are known to try: they use what came before them.
var enosysList = []uintptr{
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_CLONE3, // its flags can't be seen by a filter; libc falls back to clone
	// Files of memory alone: while nobody maps them they stand in no process's account.
	unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
	unix.SYS_IO_SETUP,      // its contexts are the whole machine's
	unix.SYS_GET_MEMPOLICY, // by which libnuma finds out whether there are nodes to place memory on
}

// einvalList holds calls that give EINVAL, as for descriptors that they can't serve,
// upon which a program reads and writes. One byte of a large page in a pipe keeps
// all of the page, which stands in no process's account.
var einvalList = []uintptr{unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE, unix.SYS_SENDFILE}

// prctlOptions are the options of prctl that a program may use, unless a rule refuses them.
var prctlOptions = []uint32{
	unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_GET_AUXV,
	unix.PR_SET_PDEATHSIG, unix.PR_GET_PDEATHSIG, unix.PR_SET_CHILD_SUBREAPER, unix.PR_GET_CHILD_SUBREAPER,
	unix.PR_SET_DUMPABLE, unix.PR_GET_DUMPABLE, unix.PR_GET_TID_ADDRESS,
	unix.PR_SET_TIMERSLACK, unix.PR_GET_TIMERSLACK, unix.PR_SET_TIMING, unix.PR_GET_TIMING, unix.PR_SET_TSC, unix.PR_GET_TSC,
	// Its memory: names of mappings, large pages, none that can be written and executed.
	unix.PR_SET_VMA, unix.PR_SET_THP_DISABLE, unix.PR_GET_THP_DISABLE, unix.PR_SET_MDWE, unix.PR_GET_MDWE,
	// Its rights, of which it has none to give away.
	unix.PR_SET_NO_NEW_PRIVS, unix.PR_GET_NO_NEW_PRIVS, unix.PR_GET_SECCOMP, unix.PR_SET_KEEPCAPS, unix.PR_GET_KEEPCAPS,
	unix.PR_CAPBSET_READ, unix.PR_CAPBSET_DROP, unix.PR_CAP_AMBIENT, unix.PR_SET_SECUREBITS, unix.PR_GET_SECUREBITS,
	// The processor: speculation, vectors, protection of pointers and stacks.
	unix.PR_SET_SPECULATION_CTRL, unix.PR_GET_SPECULATION_CTRL,
	unix.PR_SVE_SET_VL, unix.PR_SVE_GET_VL, unix.PR_SME_SET_VL, unix.PR_SME_GET_VL,
	unix.PR_PAC_RESET_KEYS, unix.PR_PAC_SET_ENABLED_KEYS, unix.PR_PAC_GET_ENABLED_KEYS,
	unix.PR_SET_TAGGED_ADDR_CTRL, unix.PR_GET_TAGGED_ADDR_CTRL,
	unix.PR_RISCV_V_SET_CONTROL, unix.PR_RISCV_V_GET_CONTROL, unix.PR_RISCV_SET_ICACHE_FLUSH_CTX,
	unix.PR_SET_SHADOW_STACK_STATUS, unix.PR_GET_SHADOW_STACK_STATUS, unix.PR_LOCK_SHADOW_STACK_STATUS,
}
