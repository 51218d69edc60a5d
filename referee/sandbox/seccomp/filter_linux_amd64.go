package seccomp

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

var killListHere = []uintptr{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_USELIB, unix.SYS__SYSCTL}

var epermListHere = []uintptr{unix.SYS_MODIFY_LDT}

var metadataHere = []uintptr{
	unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
}

// x32 marks the calls of a second, hardly used interface of the kernel.
const x32 = 0x40000000

func (f *filter) foreign() {
	f.below(x32, 1)
	f.ret(actionKill)
}

// sysOpen is the call that openat has replaced.
const sysOpen = unix.SYS_OPEN
