//go:build !linux

package sandbox

import "runtime"

func checks() []Check {
	return []Check{{
		Name: "kernel", Found: runtime.GOOS,
		Means: "isolation above none needs Linux", Get: "run umpire on Linux, or in a Linux virtual machine",
	}}
}
