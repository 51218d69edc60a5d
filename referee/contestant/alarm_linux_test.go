package contestant

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestAlarm reads from an empty pipe, which only the alarm can end: the test
// runs in a process of its own, where Go's scheduler sends no signals.
func TestAlarm(t *testing.T) {
	const alone = "UMPIRE_TEST_ALARM"
	if os.Getenv(alone) == "" {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAlarm$")
		child.Env = append(os.Environ(), alone+"=1", "GODEBUG=asyncpreemptoff=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("a read has not ended: %v (%v)\n%s", err, ctx.Err(), out)
		}
		return
	}
	runtime.LockOSThread()
	fds, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	var a alarm
	defer a.close()
	for range 20 {
		if !a.set() {
			t.Fatal("there is no alarm on this system")
		}
		if n, err := read(fds[0], make([]byte, 1)); err != unix.EINTR {
			t.Fatalf("read %d bytes, %v", n, err)
		}
	}
}
