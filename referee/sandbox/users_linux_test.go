package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// userRole prints this process's number and a contestant's user, and waits for
// the end of its input.
func userRole([]string) {
	if err := mountProc(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	uid, ok := thisMachine().users.acquire()
	fmt.Println(os.Getpid(), uid, ok)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// TestUsersOfContainers looks at the users of two umpires that are process 1,
// each in its container: the same user's processes would be counted together.
func TestUsersOfContainers(t *testing.T) {
	if !thisMachine().privileges.ownUIDs {
		t.Skip("users are root's to give")
	}
	seen := make(map[string]bool)
	for range 2 {
		cmd := roleOf(&syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS}, "sandbox-test-user")
		in, inErr := cmd.StdinPipe()
		out, outErr := cmd.StdoutPipe()
		must(t, inErr, outErr)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() {
			in.Close()
			_ = cmd.Wait()
		})
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "1 ") || !strings.HasSuffix(line, " true\n") {
			t.Fatalf("it says %q, %v", line, err)
		}
		seen[line] = true
	}
	if len(seen) != 2 {
		t.Errorf("both say %v", seen)
	}
}

// TestUsers gives 256 contestants a user each, and the next none until one ends.
func TestUsers(t *testing.T) {
	var pool userPool
	seen := make(map[int]bool)
	for range 256 {
		uid, ok := pool.acquire()
		if !ok || seen[uid] || uid < firstUID || uid>>31 != 0 {
			t.Fatalf("user %d, %v", uid, ok)
		}
		seen[uid] = true
	}
	if uid, ok := pool.acquire(); ok {
		t.Errorf("user %d is one too many", uid)
	}
	for uid := range seen {
		pool.release(uid)
		if again, ok := pool.acquire(); !ok || again != uid {
			t.Errorf("user %d, %v, expected %d", again, ok, uid)
		}
		break
	}
}
