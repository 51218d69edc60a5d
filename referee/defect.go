package referee

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// Guard calls f and turns a panic into an error that names the place. Anything
// that starts a goroutine or plays a match does its work through Guard, so that
// a defect, in a game's rules or in umpire, costs that match and not the run.
func Guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("defect of umpire: %v\n%s", r, panicStack())
		}
	}()
	return f()
}

// panicStack lists the calls that led to the panic being recovered, innermost
// first, without those of the Go runtime. A record holds it, so it is short
// and names no folder of the machine umpire was built on.
func panicStack() string {
	const most = 8
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	var lines []string
	for more := true; more && len(lines) < most; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			lines = append(lines, fmt.Sprintf("  at %s (%s:%d)", f.Function, filepath.Base(f.File), f.Line))
		}
	}
	return strings.Join(lines, "\n")
}
