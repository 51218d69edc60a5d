package sandbox

func checks() []Check {
	return []Check{{
		Name: "kernel", Found: "macOS",
		Means: "isolation above none needs Linux", Get: "run umpire on Linux, or in a Linux virtual machine",
	}, {
		Name: "looks", Found: "none at a contestant that plays",
		Means: "not run here, only built: the kernel limits CPU time and core files; memory is not limited, CPU time is known only at the end, a missing flush ends as time, and what umpire has started outlives a kill -9",
		Get:   "run umpire on Linux, or in a Linux virtual machine",
	}}
}
