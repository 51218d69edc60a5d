package sandbox

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	processAffinity     = kernel32.NewProc("GetProcessAffinityMask")
	threadGroupAffinity = kernel32.NewProc("GetThreadGroupAffinity")
)

// ThreadCPUs returns the processors that the calling thread, and those that umpire, may
// use, a bit each; 0 where that is unknown, or more than a group of processors.
func ThreadCPUs() (thread, all uintptr) {
	var system uintptr
	var group struct { // GROUP_AFFINITY
		mask     uintptr
		number   uint16
		reserved [3]uint16
	}
	known, _, _ := threadGroupAffinity.Call(uintptr(windows.CurrentThread()), uintptr(unsafe.Pointer(&group)))
	if ok, _, _ := processAffinity.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&all)), uintptr(unsafe.Pointer(&system))); known == 0 || ok == 0 || all == 0 {
		return 0, 0
	}
	return group.mask & all, all
}
