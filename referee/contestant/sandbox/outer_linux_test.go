package sandbox

func outerRole([]string) {}
