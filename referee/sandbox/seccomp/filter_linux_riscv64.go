package seccomp

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_RISCV64

var killListHere, epermListHere, metadataHere []uintptr

// allowListHere: a runtime that writes code empties the cache of it, and asks what
// the processor can do.
var allowListHere = []uintptr{unix.SYS_RISCV_FLUSH_ICACHE, unix.SYS_RISCV_HWPROBE}

func (f *filter) foreign() {}

const (
	sysOpen    = 0 // has never been there
	sysFstatat = unix.SYS_FSTATAT
)
