package cgroup

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/procfs"
)

// TestGroup2 checks what a v2 group can do without controllers, which is all
// but the limits, where there is a hierarchy that can be written.
func TestGroup2(t *testing.T) {
	mounts, err := Mounts()
	if err != nil {
		t.Skip(err)
	}
	m, ok := mounts[""]
	if !ok {
		t.Skip("no cgroup v2")
	}
	dir := filepath.Join(m.Own, Prefix(os.Getpid())+"test")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip(err)
	}
	g := &Group{v2: true, dirs: []string{dir}, usage: -1, folder: -1}
	defer g.remove()
	if err := g.open(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir+"/cgroup.procs", strconv.Itoa(cmd.Process.Pid)); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return g.CPU() > 5*time.Millisecond })
	frozen := func(want string) func() bool {
		return func() bool {
			events, _ := os.ReadFile(dir + "/cgroup.events")
			return string(events) == "populated 1\nfrozen "+want+"\n"
		}
	}
	g.Freeze(true)
	await(t, frozen("1"))
	g.Freeze(false)
	await(t, frozen("0"))
	g.Freeze(true)
	g.Kill()
	if err := cmd.Wait(); err == nil {
		t.Error("it was not killed")
	}
	g.CloseJoins()
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
		if got := place(c.root, "/top", c.group).Own; got != c.want {
			t.Errorf("%s of %s is at %s, expected %s", c.group, c.root, got, c.want)
		}
	}
}

// await waits for something to become true.
func await(t *testing.T, f func() bool) {
	t.Helper()
	const limit = time.Minute
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(limit); !f(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not so after %v", limit)
		}
	}
}

// TestAbove: from umpire's own group to the uppermost that can be seen.
func TestAbove(t *testing.T) {
	for _, c := range []struct {
		mount Mount
		want  []string
	}{
		{Mount{Top: "/top", Own: "/top/a/b"}, []string{"/top/a/b", "/top/a", "/top"}},
		{Mount{Top: "/top", Own: "/top"}, []string{"/top"}},
		{Mount{Top: "/", Own: "/a"}, []string{"/a", "/"}},
	} {
		if got := slices.Collect(c.mount.Above()); !slices.Equal(got, c.want) {
			t.Errorf("%+v is below %q, expected %q", c.mount, got, c.want)
		}
	}
}

// TestPrefix: no two processes have the same.
func TestPrefix(t *testing.T) {
	own, parents := Prefix(os.Getpid()), Prefix(os.Getppid())
	if own == "" || own == parents || Prefix(os.Getpid()) != own {
		t.Errorf("the prefixes are %q and of the parent %q", own, parents)
	}
	if got := Prefix(1<<31 - 1); got != "" {
		t.Errorf("a process that is not there has the prefix %q", got)
	}
}

// TestNames: which names are those of umpires, and of umpires that are no more.
func TestNames(t *testing.T) {
	own := strings.TrimSuffix(Prefix(os.Getpid()), ".")
	space, here, there := procfs.PIDNamespace(), strconv.Itoa(os.Getpid()), strconv.Itoa(1<<31-1)
	for name, want := range map[string]struct{ owner, stale bool }{
		own:                                     {true, false},
		own + ".7":                              {false, false},
		"umpire." + space + "." + here + ".1":   {true, true},
		"umpire." + space + "." + here + ".1.7": {false, true},
		"umpire." + space + "." + there + ".1":  {true, true},
		"umpire." + space + ".0.1":              {},
		"umpire.." + there + ".1":               {},
		"umpire." + space + "." + there:         {},
		"other." + space + "." + there + ".1":   {},
		"umpire." + space + ".mine.1":           {},
		"tmp":                                   {},
		"":                                      {},
	} {
		if got := IsOwner(name); got != want.owner {
			t.Errorf("%q names an umpire: %t, expected %t", name, got, want.owner)
		}
		if got := IsStale(name); got != want.stale {
			t.Errorf("%q is of one that is no more: %t, expected %t", name, got, want.stale)
		}
	}
	if got := named(""); got != nil {
		t.Errorf("groups of nobody: %q", got)
	}
}

// TestGroups makes a group, has a process in it, and removes both while they are
// frozen, where umpire may make groups.
func TestGroups(t *testing.T) {
	groups, err := Find(os.Getpid())
	if err != nil {
		t.Skip(err)
	}
	const memory = 64 << 20
	g, err := groups.Make(8, memory)
	if err != nil {
		t.Fatal(err)
	}
	defer groups.Remove(g)
	cmd := exec.Command("/bin/sh", "-c", "read x")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if len(g.Joins()) != len(groups.Parents()) {
		t.Errorf("the group has the folders %+v, expected one in each of %q", g.Joins(), groups.Parents())
	}
	for _, j := range g.Joins() {
		if err := Write(j.Dir+"/cgroup.procs", strconv.Itoa(cmd.Process.Pid)); err != nil {
			t.Fatal(err)
		}
	}
	g.CloseJoins()
	most, err := os.ReadFile(g.pidsDir() + "/pids.max")
	if err != nil || string(most) != "8\n" {
		t.Errorf("the group may have %q processes, %v, expected 8", most, err)
	}
	if exhausted, starved := g.Exhausted(); exhausted || starved || g.Peak() > memory {
		t.Errorf("exhausted %v, starved %v, peak %d", exhausted, starved, g.Peak())
	}
	g.Freeze(true)
	RemoveAll(Prefix(os.Getpid()))
	for _, dir := range g.dirs {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
	g.Freeze(false) // if it is left after all
	in.Close()      // it would end by this, had it not been killed
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("it was not killed: %v", cmd.ProcessState)
	}
}
