package arena

import (
	"bytes"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// setAffinity restricts the calling thread to some processors.
func setAffinity(cpus ...int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(0, &set)
}

// CPUs are the processors that umpire may use.
func CPUs() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// onlineCPUs is how many processors the machine has; 0 if that is unknown.
var onlineCPUs = sync.OnceValue(func() int {
	text, _ := os.ReadFile("/proc/stat")
	return bytes.Count(text, []byte("\ncpu"))
})
