package sandbox

import (
	"time"

	"golang.org/x/sys/windows"
)

// AwaitExit waits until a program has ended, but not longer than patience, and reports
// whether it has.
func AwaitExit(p Process, patience time.Duration) bool {
	event, err := windows.WaitForSingleObject(windows.Handle(p.Exited()), uint32(patience/time.Millisecond))
	return err == nil && event == windows.WAIT_OBJECT_0
}
