package sandbox

import "os"

// Main must be the first call of a main function, and of TestMain: it turns a process
// that umpire started in place of a program into that program, and does not return then.
func Main() {
	if len(os.Args) > 0 && os.Args[0] == limiterName {
		limiterMain(os.Args[1:])
	}
}
