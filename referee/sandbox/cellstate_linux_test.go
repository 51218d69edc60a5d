package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/sandbox/launch"
	"umpire/referee/testlevel"
)

// TestCellAsNew has each contestant of a cell leave one kind of thing behind, and
// compares all that the next one sees with what the first in a new cell has seen.
func TestCellAsNew(t *testing.T) {
	if os.Getenv(insideEnv) == "" {
		testlevel.Needs(t, testlevel.Default) // it runs as each kind of user
		inside(t, []string{"box", "strict"}, "ATTACKS="+buildAttack(t, "look_around")+":"+buildAttack(t, "leave_behind"))
		return
	}
	look, leave, _ := strings.Cut(os.Getenv("ATTACKS"), ":")
	list := slices.DeleteFunc(levels(), func(l referee.Level) bool { return l == referee.LevelNone || l == referee.LevelBasic })
	atEachLevel(t, list, func(t *testing.T, l Launcher) {
		if !thisMachine().keepsCells() {
			t.Skip("there are no cells here")
		}
		c := command(t, look)
		c.Env = nil
		first, cell := inCell(t, l, c, nothing)
		if first.exit.Status != 0 || !strings.Contains(first.out, "room for") {
			t.Fatalf("%+v", first)
		}
		for _, what := range []string{"signals", "processes", "forks", "files", "self", "descriptors", "memory"} {
			dirty := command(t, leave, what)
			if what == "memory" {
				dirty.Limits = Limits{Memory: 32 << 20, Processes: 8, Files: 16, FileSize: 1 << 20, Disk: 1 << 20, Stack: 1 << 20, CPU: 20 * time.Second}
			}
			if o := run(t, l, dirty, ""); o.exit.OutOfMemory != (what == "memory") {
				t.Errorf("%s has ended as %+v", what, o.exit)
			}
			next, same := inCell(t, l, c, nothing)
			if same != cell {
				t.Errorf("after %s the next is in %s, not %s", what, same, cell)
				cell = same
			}
			if got := changes(first.out, next.out); len(got) > 0 {
				t.Errorf("after %s the next sees\n%s", what, strings.Join(got, "\n"))
			}
			if e := next.exit; e.Memory > first.exit.Memory*3/2 || e.Status != 0 || e.OutOfMemory || e.OutOfDisk || e.OutOfProcesses || e.Err != nil {
				t.Errorf("after %s the next has ended as %+v, the first as %+v", what, e, first.exit)
			}
		}
	})
}

// keyUses is how often a keyring is in use, those of umpire's session by anybody in
// that session.
var keyUses = regexp.MustCompile(`(?m)^(/proc/keys: \S+ \S+) +\d+`)

// changes are the lines that are in one of two texts alone.
func changes(before, after string) (list []string) {
	b := strings.Split(keyUses.ReplaceAllString(before, "$1 n"), "\n")
	a := strings.Split(keyUses.ReplaceAllString(after, "$1 n"), "\n")
	for _, line := range b {
		if !slices.Contains(a, line) {
			list = append(list, "- "+line)
		}
	}
	for _, line := range a {
		if !slices.Contains(b, line) {
			list = append(list, "+ "+line)
		}
	}
	return list
}

// TestWaitedForIsGone uses a process that was waited for, while its supervisor has
// another program, and expects that nothing happens to that.
func TestWaitedForIsGone(t *testing.T) {
	atEachLevel(t, append(boxes(t), referee.LevelBasic), func(t *testing.T, l Launcher) {
		var first Process
		o, cell := inCell(t, l, command(t, "cat"), func(p Process) { first = p })
		hungry := command(t, "sh", "-c", "(x=$(head -c 16777216 /dev/zero | tr '\\0' x); echo ${#x}; read y); read y")
		next, e := begin(t, l, hungry)
		defer e.close()
		if here := namespaceOf(t, next); here != cell {
			t.Fatalf("the next is in %s, not %s", here, cell)
		}
		line := make([]byte, 64)
		if n, err := e.out.Read(line); err != nil || string(line[:n]) != "16777216\n" {
			t.Fatalf("it says %q: %v", line[:n], err)
		}
		first.Freeze()
		for _, pid := range next.(*supervised).tree.List() {
			if state := procfs.State(pid); state == 'T' {
				t.Errorf("process %d of the next was stopped", pid)
			}
		}
		if cpu, running := first.Children(); cpu > 0 || running {
			t.Errorf("its children have used %v, running: %v", cpu, running)
		}
		if memory, _ := first.Memory(); memory > o.exit.Memory {
			t.Errorf("its memory was %d, and is %d", o.exit.Memory, memory)
		}
		first.Thaw()
		first.Kill()
		_, _ = e.in.WriteString("\n\n")
		if exit := next.Wait(); exit.Status != 0 {
			t.Errorf("the next has ended as %+v", exit)
		}
	})
}

// TestCellWithFewLists makes a cell as on a kernel without System V objects, and
// expects that no descriptor of anything else takes the place of their lists.
func TestCellWithFewLists(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root sees the supervisor's descriptors")
	}
	m := thisMachine()
	all := m.objectLists
	m.objectLists = all[:1]
	defer func() { m.objectLists = all }()
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		inCell(t, l, command(t, "cat"), func(p Process) {
			number := func(fd int) string {
				to, err := os.Readlink(procfs.Dir(p.(*supervised).supervisor.PID) + "/fd/" + strconv.Itoa(fd))
				if err != nil {
					t.Error(err)
				}
				return to
			}
			for fd := launch.CellLists + 1; fd < launch.CellFiles; fd++ {
				if to := number(fd); to != number(launch.CellReport) {
					t.Errorf("its supervisor holds %s", to)
				}
			}
		})
	})
}

// TestNoneAsNew compares what contestants at none have from the supervisor that they
// have one after the other.
func TestNoneAsNew(t *testing.T) {
	atEachLevel(t, []referee.Level{referee.LevelNone}, func(t *testing.T, l Launcher) {
		look := command(t, "sh", "-c", "cat /proc/self/limits; grep -E '^(Sig[BIC]|Cap|Cpus|Umask|NoNew)' /proc/self/status; read x")
		first, _ := inCell(t, l, look, nothing)
		next, _ := inCell(t, l, look, nothing)
		if !strings.Contains(first.out, "Max pending signals") {
			t.Fatalf("%+v", first)
		}
		if got := changes(first.out, next.out); len(got) > 0 {
			t.Errorf("the next sees\n%s", strings.Join(got, "\n"))
		}
	})
}

// TestCellSeesFilesAnew changes what a command is given between two contestants of
// a cell, in each way in which files change.
func TestCellSeesFilesAnew(t *testing.T) {
	atEachLevel(t, boxes(t), func(t *testing.T, l Launcher) {
		dir := publicDir(t) + "/bot"
		path := dir + "/run"
		write := func(to, text string) error {
			return errors.Join(os.WriteFile(to, []byte("#!/bin/sh\necho "+text+" *\n"), 0o755), os.Chmod(to, 0o755))
		}
		makeDir := func() error { return errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755)) }
		var cell string
		for _, change := range []struct {
			name, want string
			do         func() error
		}{
			{"new", "one run\n", func() error { return errors.Join(makeDir(), write(path, "one")) }},
			{"written again", "two run\n", func() error { return write(path, "two") }},
			{"replaced", "three run\n", func() error { return errors.Join(write(dir+"/new", "three"), os.Rename(dir+"/new", path)) }},
			{"with another", "three more run\n", func() error { return write(dir+"/more", "") }},
			{"made anew", "four run\n", func() error { return errors.Join(os.RemoveAll(dir), makeDir(), write(path, "four")) }},
			{"moved", "five run\n", func() error {
				return errors.Join(os.Rename(dir, dir+"-1"), makeDir(), write(path, "five"))
			}},
		} {
			must(t, change.do())
			c := Command{Path: path, Args: []string{"run"}, Env: []string{"PATH=/usr/bin:/bin"}, Dir: dir, Read: []string{dir}}
			p, e := begin(t, l, c)
			if here := p.(*supervised).cell; cell == "" && here != nil {
				cell = fmt.Sprintf("%p", here)
			} else if fmt.Sprintf("%p", here) != cell {
				t.Errorf("%s: it is in another cell", change.name)
			}
			out, _ := io.ReadAll(e.out)
			if exit := p.Wait(); string(out) != change.want || exit.Status != 0 {
				t.Errorf("%s: it has printed %q, and ended as %+v", change.name, out, exit)
			}
		}
		must(t, os.RemoveAll(dir))
		if _, err := try(l, Command{Path: "/bin/true", Args: []string{"true"}, Dir: dir, Read: []string{dir}}, ""); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("with a removed folder it was started: %v", err)
		}
		startAgain(t, l)
	})
}
