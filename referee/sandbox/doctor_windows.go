package sandbox

func checks() []Check {
	return []Check{{
		Name: "kernel", Found: "Windows",
		Means: "isolation above none needs Linux", Get: "run umpire in WSL, which is Linux, or in a Linux virtual machine",
	}, {
		Name: "job", OK: true, Found: "one for each contestant",
		Means: "committed memory, processes and CPU time are of all that it has started, and all ends with its match and with umpire; " +
			"tried under Wine alone, which neither limits a job's memory nor counts its CPU time",
	}, {
		Name: "idle", Found: "a contestant that waits for input can't be told from one that sleeps",
		Means: "a missing flush ends as time, when the budget is used up", Get: "run umpire in WSL, which is Linux",
	}}
}
