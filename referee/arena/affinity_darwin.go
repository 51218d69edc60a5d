package arena

import (
	"errors"
	"runtime"
)

func setAffinity(...int) error { return errors.New("not on this system") }

// CPUs lists the processors that umpire may pin matches to: none on this
// system.
func CPUs() []int { return nil }

// onlineCPUs is how many processors the machine has.
func onlineCPUs() int { return runtime.NumCPU() }
