package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A launch script with more descriptors than a message takes is refused before
// the fork server gets a part of it; a descriptor that is used often is sent
// once.
func TestTooManyFiles(t *testing.T) {
	p := newScript(0)
	for range 1000 {
		p.File(7)
	}
	if len(p.files) != 2 {
		t.Errorf("a descriptor goes along %d times", len(p.files)-1)
	}
	for fd := range 300 {
		p.File(10 + fd)
	}
	w := &Server{socket: -1}
	if err := w.send(p); err == nil || !strings.Contains(err.Error(), "needs 302 descriptors") {
		t.Errorf("found %v", err)
	}
}

// TestRemoveTemp removes the folder of an umpire, and no other.
func TestRemoveTemp(t *testing.T) {
	for name, removed := range map[string]bool{"umpire.1.2.3": true, "umpire.1.2": false, "other": false, "": false} {
		base := t.TempDir()
		dir := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Join(dir, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
		err := RemoveTemp(dir)
		if _, left := os.Stat(filepath.Join(dir, "inner")); (left != nil) != removed || (err == nil) != removed {
			t.Errorf("%q: error %v, and of what is in it %v", name, err, left)
		}
	}
}

// TestMainForgotten checks that a program which does not begin with Main starts
// itself as a helper once, and not without end.
func TestMainForgotten(t *testing.T) {
	defer func(name string) { os.Args[0] = name }(os.Args[0])
	os.Args[0] = ServerName
	if w, err := StartServer(t.TempDir()); err == nil || !strings.Contains(err.Error(), "sandbox.Main") {
		t.Errorf("%v, %v", w, err)
	}
}

// TestCellsExpire checks that cells without use are closed, those longest without
// it first.
func TestCellsExpire(t *testing.T) {
	mounts := new(MountTable)
	c := Cells{MaxIdle: 10 * time.Second, Mounts: mounts}
	pair := func() *Cell {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(fds[1]) })
		return &Cell{report: fds[0], empty: true, mounts: mounts.state()}
	}
	old, young := pair(), pair()
	c.Give(old)
	c.Give(young)
	defer c.CloseAll()
	old.since = old.since.Add(-c.MaxIdle)
	c.expire()
	if len(c.idle) != 1 || c.idle[0] != young {
		t.Errorf("left are %v, not the younger", c.idle)
	}
	if got := c.Take(Key{Tops: "/home\x00"}); got != nil {
		t.Error("one made for another key was taken")
	}
	mounts.mu.Lock()
	mounts.changes++
	mounts.mu.Unlock()
	if got := c.Take(Key{}); got != nil || len(c.idle) != 0 {
		t.Error("one from before a change of mounts was taken, or kept")
	}
}

// TestScriptIsReused checks that nothing of a script that was released is in the next.
func TestScriptIsReused(t *testing.T) {
	w := &Server{socket: -1}
	first := newScript(-1)
	first.Flags, first.OwnPIDs, first.Many, first.Lists = 1, true, true, 2
	first.Program().Do("exec", unix.SYS_EXECVE, first.Str("/bin/true"), first.Strs([]string{"true"}), first.File(7))
	first.Joining().Do("join", unix.SYS_WRITE)
	first.ForkInto(8)
	w.Release(first)
	second, report, err := w.NewScript(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(report)
	defer second.closeReport()
	if got, want := string(second.encode()), string(newScript(second.files[0]).encode()); got != want {
		t.Errorf("it begins with %q, expected %q", got, want)
	}
}
