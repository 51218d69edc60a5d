package contestant

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/sandbox"
)

// TestAwaited: a reader is certain to wait where it wants more than can lie unread.
func TestAwaited(t *testing.T) {
	for _, test := range []struct {
		free    uint32
		written int
		want    bool
	}{{65536, 0, false}, {61440, 5, true}, {61440, 4096, false}, {65531, 5, false}, {65535, 0, true}, {0, 65535, true}, {0, 65536, false}} {
		if got := (quota{65536, test.free}).awaited(test.written); got != test.want {
			t.Errorf("%d of 65536 bytes free, %d written: found %v", test.free, test.written, got)
		}
	}
	if (quota{}).awaited(0) || (quota{}).empty() {
		t.Error("a pipe that does not tell is known to be awaited or empty")
	}
}

// TestIdle: the system's sort, which waits for the end of its input, is found idle.
func TestIdle(t *testing.T) {
	sort := filepath.Join(os.Getenv("SYSTEMROOT"), "System32", "sort.exe")
	launcher, err := sandbox.NewNone()
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := Start(launcher, sandbox.Command{Path: sort, Args: []string{sort}, Env: os.Environ()}, 1)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	if e, ok := endOf(c.std.in); !ok || !e.tells {
		t.Skip("this system does not tell how much a pipe holds")
	}
	c.Send("line")
	_, err = c.Receive(t.Context(), referee.Ask{Told: true, Limit: 10 * time.Second})
	var failure *protocols.Failure
	if !errors.As(err, &failure) || failure.Kind != protocols.KindIdle {
		t.Errorf("found %v, expected idle", err)
	}
}
