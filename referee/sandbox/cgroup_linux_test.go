package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestGroup2 checks what a v2 group can do without controllers, which is all
// but the limits, where there is a hierarchy that can be written.
func TestGroup2(t *testing.T) {
	mounts, err := cgroupMounts()
	if err != nil {
		t.Skip(err)
	}
	m, ok := mounts[""]
	if !ok {
		t.Skip("no cgroup v2")
	}
	dir := filepath.Join(m.own, groupPrefix(os.Getpid())+"test")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip(err)
	}
	g := &cgroup{v2: true, dirs: []string{dir}, usage: -1}
	defer g.remove()
	if err := g.open(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := write(dir+"/cgroup.procs", strconv.Itoa(cmd.Process.Pid)); err != nil {
		t.Fatal(err)
	}
	poll(t, 5*time.Second, func() bool { return g.cpu() > 5*time.Millisecond })
	frozen := func(want string) func() bool {
		return func() bool {
			events, _ := os.ReadFile(dir + "/cgroup.events")
			return string(events) == "populated 1\nfrozen "+want+"\n"
		}
	}
	g.freeze(true)
	poll(t, 5*time.Second, frozen("1"))
	g.freeze(false)
	poll(t, 5*time.Second, frozen("0"))
	g.freeze(true)
	g.kill()
	if err := cmd.Wait(); err == nil {
		t.Error("it was not killed")
	}
	g.joined()
}

// TestCgroupMounts checks how a group is found in what the kernel tells.
func TestCgroupMounts(t *testing.T) {
	const own = "4:memory:/a/b\n2:cpu,cpuacct:/c\n0::/user.slice/x.scope\n"
	for name, want := range map[string]string{
		"": "/user.slice/x.scope", "memory": "/a/b", "cpuacct": "/c", "pids": "/",
	} {
		if got := ownGroup(own, name); got != want {
			t.Errorf("%q is in %q, expected %q", name, got, want)
		}
	}
	for _, c := range []struct{ root, group, want string }{
		{"/", "/a/b", "/top/a/b"},
		{"/a", "/a/b", "/top/b"}, // mounted from within, as in a container
		{"/x", "/a/b", "/top"},
	} {
		if got := place(c.root, "/top", c.group).own; got != c.want {
			t.Errorf("%s of %s is at %s, expected %s", c.group, c.root, got, c.want)
		}
	}
}
