package sandbox

import (
	"os"

	"golang.org/x/sys/unix"

	"umpire/referee/sandbox/launch"
)

// Main must be the first call of a main function, and of TestMain: it turns a
// process that umpire started as a helper into that helper, and does not
// return then. In umpire itself it keeps the descriptors that umpire was started
// with from contestants.
func Main() {
	if len(os.Args) > 0 {
		switch os.Args[0] {
		case probeName:
			probeMain()
		case launch.ServerName:
			launch.ServerMain()
		}
	}
	_ = unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC)
}
