package sandbox

import (
	"math"
	"runtime"

	"golang.org/x/sys/unix"
)

// leastShare is the number of processes and threads a contestant may have however few
// there are: a JVM takes some thirty.
const leastShare = 64

// findProcessShare is how many processes and threads a contestant may have at most,
// so that those of all CPUs' matches, with a match's worth for umpire, fit into
// what umpire's user and control group may have. Contestants that fill them
// would leave umpire, which can't do without, no thread.
func findProcessShare(most uint64, ownUIDs bool) int {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &l); err == nil && !ownUIDs {
		most = min(most, l.Cur)
	}
	share := most / uint64(2*runtime.NumCPU()+2)
	return int(max(leastShare, min(share, math.MaxInt32)))
}
