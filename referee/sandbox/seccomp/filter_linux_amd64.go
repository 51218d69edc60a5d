package seccomp

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var killListHere = []uintptr{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_USELIB, unix.SYS__SYSCTL}

var epermListHere = []uintptr{unix.SYS_MODIFY_LDT}

var metadataHere = []uintptr{
	unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
}

// allowListHere holds what later machines do not have, as other calls have replaced it,
// and where the pointer to a thread's variables is set.
var allowListHere = []uintptr{
	unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_DUP2, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK,
	unix.SYS_GETDENTS, unix.SYS_MKDIR, unix.SYS_MKNOD, unix.SYS_LINK, unix.SYS_SYMLINK, unix.SYS_UNLINK, unix.SYS_RMDIR,
	unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN,
	unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_INOTIFY_INIT,
	unix.SYS_ARCH_PRCTL, unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_GETPGRP, unix.SYS_PAUSE, unix.SYS_ALARM, unix.SYS_TIME,
	unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD, unix.SYS_SIGNALFD, unix.SYS_PIPE,
}

// x32 marks the calls of a second, hardly used interface of the kernel.
const x32 = 0x40000000

func (f *filter) foreign() {
	f.below(x32, 1)
	f.ret(actionKill)
}

// sysOpen is the call that openat has replaced.
const sysOpen = unix.SYS_OPEN

const sysFstatat = unix.SYS_NEWFSTATAT
