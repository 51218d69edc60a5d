package sandbox

import (
	"unsafe"

	"golang.org/x/sys/windows"

	"umpire/referee"
)

// RoomFor returns how many programs the level can run concurrently on this machine.
func RoomFor(referee.Level) Room { return unlimited }

// CPUQuota is 0: there are no control groups here.
func CPUQuota() float64 { return 0 }

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                                                                                             uint32
	totalPhysical, freePhysical, totalPageFile, freePageFile, totalVirtual, freeVirtual, freeExtendedVirtual uint64
}

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// MemoryInUse returns how much memory the machine has in use, and how much it has, in
// bytes; 0 where that is unknown.
func MemoryInUse() (used, most int64) {
	s := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0, 0
	}
	return int64(s.totalPhysical - s.freePhysical), int64(s.totalPhysical)
}
