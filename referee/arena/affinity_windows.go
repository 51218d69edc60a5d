package arena

import (
	"math/bits"
	"runtime"

	"golang.org/x/sys/windows"

	"umpire/referee/sandbox"
)

var setThreadAffinity = windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadAffinityMask")

// setAffinity restricts the calling thread to some processors. The sandbox restricts
// what is started on it.
func setAffinity(cpus ...int) error {
	var mask uintptr
	for _, cpu := range cpus {
		mask |= 1 << cpu
	}
	if before, _, err := setThreadAffinity.Call(uintptr(windows.CurrentThread()), mask); before == 0 {
		return err
	}
	return nil
}

// CPUs are the processors that umpire may use, of the group that it runs in.
func CPUs() []int {
	_, all := sandbox.ThreadCPUs()
	var cpus []int
	for ; all != 0; all &= all - 1 {
		cpus = append(cpus, bits.TrailingZeros64(uint64(all)))
	}
	return cpus
}

// onlineCPUs is how many processors the machine has.
func onlineCPUs() int { return runtime.NumCPU() }
