package sandbox

func checks() []Check {
	return []Check{{
		Name: "kernel", Found: "Windows",
		Means: "isolation above none needs Linux", Get: "run umpire in WSL, which is Linux, or in a Linux virtual machine",
	}, {
		Name: "job", OK: true, Found: "one for each contestant",
		Means: "committed memory, processes, processors and CPU time are of all that it has started, and all ends with its match and with umpire; " +
			"run under Wine alone: limits of memory and processes, processors and CPU time are not run",
	}, {
		Name: "idle", Found: "a contestant is known to wait for input if it has one thread",
		Means: "a missing flush of a runtime with several threads ends as time, when the budget is used up; not run: Wine's pipes tell nothing",
		Get:   "run umpire in WSL, which is Linux",
	}}
}
