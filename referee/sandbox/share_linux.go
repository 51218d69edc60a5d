package sandbox

import (
	"math"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/cgroup"
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

// groupProcesses is how many processes control groups may have, with those above.
func groupProcesses(mounts map[string]cgroup.Mount) uint64 {
	most := uint64(math.MaxUint64)
	for _, name := range []string{"", "pids"} {
		m, ok := mounts[name]
		if !ok {
			continue
		}
		for dir := range m.Above() {
			if n, err := strconv.ParseUint(procfs.FirstLine(dir+"/pids.max"), 10, 64); err == nil {
				most = min(most, n)
			}
		}
	}
	return most
}
