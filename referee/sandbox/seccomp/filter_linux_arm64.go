package seccomp

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

var killListHere, epermListHere, metadataHere []uintptr

// allowListHere: renameat2 has replaced the call on later machines.
var allowListHere = []uintptr{unix.SYS_RENAMEAT}

func (f *filter) foreign() {}

const (
	sysOpen    = 0 // has never been there
	sysFstatat = unix.SYS_FSTATAT
)
