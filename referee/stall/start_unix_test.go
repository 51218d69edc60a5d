//go:build unix

package stall

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
)

// TestContinuedEarly: a process that is continued before it has stopped itself does
// not stop, as nothing would continue it.
func TestContinuedEarly(t *testing.T) {
	for _, early := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var c Clock
			var now reading
			c.read = func() reading { return now }
			continued := make(chan os.Signal, 1)
			stopped := false
			go c.pauseUnless(continued, func(stop bool) { stopped = stop })
			synctest.Wait() // contestants are being stopped
			if !c.Held() {
				t.Fatal("no contestant is stopped")
			}
			if early {
				continued <- syscall.SIGCONT
			}
			c.AwaitRelease()
			if stopped == early || c.Held() {
				t.Errorf("continued early: %v, stopped: %v, contestants held: %v", early, stopped, c.Held())
			}
		})
	}
}
