package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"umpire/referee/sandbox/cgroup"
	"umpire/referee/testlevel"
)

// The limits of a match as a user meets them: contestants that go beyond them,
// in matches that umpire plays by its command line, at each level of isolation,
// as root and as an ordinary user.

const memoryLimit = 64 // MiB

// outcome holds the fields of a record that the tests look at.
type outcome struct {
	Isolation string
	Error     string
	Seats     []struct {
		Verdict, Detail, Stderr string
		Score, Replies          int
		Peak                    int64 `json:"peak_bytes"`
	}
}

// limitsTest runs umpire in a folder that everybody may read.
type limitsTest struct {
	dir   string
	uid   int
	group string // the cgroup.procs of a control group to run in; "" is the test's own
}

func newLimitsTest(t *testing.T) limitsTest {
	t.Helper()
	testlevel.Needs(t, testlevel.Default)
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp("", "umpire-limits-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	link(t, filepath.Join(installed(t), "umpire"), filepath.Join(dir, "umpire"))
	copyProgram(t, "testdata/limits/hog.py", filepath.Join(dir, "hog.py"))
	must(t, os.CopyFS(filepath.Join(dir, "cases", "vmukni"), os.DirFS("../../testdata/cases/vmukni")))
	return limitsTest{dir: dir, uid: os.Getuid()}
}

// installed is a folder with an umpire that everybody may run, and a cache for each user:
// in it umpire remembers the levels that it has tried, which takes longer than a match.
// It is in the folder of the state, which goes when all tests have ended.
func installed(t *testing.T) string {
	t.Helper()
	state := os.Getenv("XDG_STATE_HOME")
	dir := filepath.Join(state, "installed")
	install.Do(func() {
		install.err = errors.Join(os.Chmod(state, 0o711), os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755))
		for _, uid := range []int{os.Getuid(), ordinaryUser} {
			cache := filepath.Join(dir, fmt.Sprint("cache-", uid))
			install.err = errors.Join(install.err, os.MkdirAll(cache, 0o700))
			if os.Getuid() == 0 {
				install.err = errors.Join(install.err, os.Chown(cache, uid, uid))
			}
		}
		copyProgram(t, os.Args[0], filepath.Join(dir, "umpire"))
	})
	if install.err != nil {
		t.Fatal(install.err)
	}
	return dir
}

var install struct {
	sync.Once
	err error
}

// copyProgram copies a program. No other test may start a process meanwhile: it
// would have the copy open for writing, which then can't be run.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		syscall.ForkLock.RLock()
		err = os.WriteFile(to, content, 0o755)
		syscall.ForkLock.RUnlock()
	}
	must(t, err)
}

// places are the users that can run umpire here, each with each level that the
// machine has for it, from none upwards: "root-none", "user-box".
func (m limitsTest) places(t *testing.T) (list testlevel.Dimension) {
	t.Helper()
	foundPlaces.Do(func() {
		users := []int{os.Getuid()}
		if os.Getuid() == 0 {
			users = append(users, ordinaryUser)
		}
		for _, m.uid = range users {
			for _, level := range []string{"none", "basic", "box", "strict"} {
				if o, code, _ := m.match(t, level, "@greedy"); code != 2 && o.Isolation == level {
					foundPlaces.list = append(foundPlaces.list, userName(m.uid)+"-"+level)
				}
			}
		}
	})
	return foundPlaces.list
}

// onePerLevel returns the places that tests take which are long: of each level the
// one with the fewest rights; for a release all.
func onePerLevel(places testlevel.Dimension) (list testlevel.Dimension) {
	if testlevel.Current() == testlevel.Release {
		return places
	}
	for i, place := range places {
		_, level, _ := strings.Cut(place, "-")
		if !slices.ContainsFunc(places[i+1:], func(p string) bool { return strings.HasSuffix(p, "-"+level) }) {
			list = append(list, place)
		}
	}
	return list
}

// foundPlaces are those of this machine.
var foundPlaces struct {
	sync.Once
	list testlevel.Dimension
}

// ordinaryUser is the user as whom root tests what has no privileges.
const ordinaryUser = 65534

func userName(uid int) string {
	if uid == 0 {
		return "root"
	}
	return "user"
}

// at returns the test for the user of one of places, and its level.
func (m limitsTest) at(place string) (_ limitsTest, level string) {
	user, level, _ := strings.Cut(place, "-")
	if user == "user" && m.uid == 0 {
		m.uid = ordinaryUser
	}
	return m, level
}

func (m limitsTest) hog(kind string, mib int) string {
	return fmt.Sprintf("%s=/usr/bin/python3 -S %s/hog.py %s %d", kind, m.dir, kind, mib)
}

// match plays a match of a hog against another bot, by default one that comes
// with umpire, under the limit unless flags say otherwise.
func (m limitsTest) match(t *testing.T, level, hog string, more ...string) (o outcome, code int, stderr string) {
	t.Helper()
	args := []string{
		"match", "vmukni", hog, "--isolation", level, "--json", "--quiet", "--case", "small#1.1",
		"--time", "60s",
	}
	if !slices.Contains(more, "--memory") {
		args = append(args, "--memory", strconv.Itoa(memoryLimit)+"M")
	}
	if len(more) == 0 || strings.HasPrefix(more[0], "-") {
		args = append(args, "@greedy")
	}
	out, code, stderr := m.umpire(t, append(args, more...)...)
	if code == 0 || len(out) > 0 {
		if err := json.Unmarshal(out, &o); err != nil {
			t.Fatalf("%v: %s%s", err, out, stderr)
		}
	}
	return o, code, stderr
}

func (m limitsTest) umpire(t *testing.T, args ...string) (out []byte, code int, stderr string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(m.dir, "umpire"), args...)
	if m.group != "" {
		cmd = exec.Command("/bin/sh", append([]string{"-c", `echo 0 >"$0" && exec "$@"`, m.group, cmd.Path}, args...)...)
	}
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+m.dir+"/cases", "HOME="+m.dir,
		"XDG_CACHE_HOME="+filepath.Join(installed(t), fmt.Sprint("cache-", m.uid)))
	if m.uid != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(m.uid), Gid: uint32(m.uid)}}
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, cmd.ProcessState.ExitCode(), errs.String()
}

// TestMemoryHogs plays bots that take more memory before each reply, in quick
// turns: no reply is accepted that comes after the limit was passed.
func TestMemoryHogs(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	kinds, sizes := testlevel.Dimension{"heap", "memfd", "shm", "shared", "child"}, testlevel.Dimension{"30", "15", "200"}
	testlevel.Combine(t, []testlevel.Dimension{m.places(t), kinds, sizes}, func(t *testing.T, values []string) {
		m, level := m.at(values[0])
		mib, err := strconv.Atoi(values[2])
		must(t, err)
		m.hogs(t, level, values[1], mib)
	})
}

func (m limitsTest) hogs(t *testing.T, level, kind string, mib int) {
	t.Helper()
	if level == "none" && (kind == "memfd" || kind == "shm") {
		t.Skip("counted by nobody at none, and left behind")
	}
	o, _, stderr := m.match(t, level, m.hog(kind, mib))
	if o.Error != "" || len(o.Seats) == 0 {
		t.Errorf("%s %d: %s%s", kind, mib, o.Error, stderr)
		return
	}
	s := o.Seats[0]
	t.Logf("%-6s %-6s %3d MiB: %-6s peak %5.1f MiB, %d replies %s", level, kind, mib, s.Verdict, float64(s.Peak)/(1<<20), s.Replies, s.Stderr)
	refused := strings.HasPrefix(s.Stderr, kind)
	switch {
	case kind == "memfd", level == "basic" && kind == "shm", (level == "basic" || level == "box") && kind == "shared":
		if !refused || s.Verdict != "ok" {
			t.Errorf("%s %d: %s (%s), expected it to be refused", kind, mib, s.Verdict, s.Stderr)
		}
	case s.Verdict != "memory":
		t.Errorf("%s %d: %s (%s), expected memory", kind, mib, s.Verdict, s.Detail)
	case s.Replies*mib >= memoryLimit:
		t.Errorf("%s %d: %d replies were accepted", kind, mib, s.Replies)
	case level == "strict" && s.Peak > memoryLimit<<20:
		t.Errorf("%s %d: a peak of %d bytes at strict", kind, mib, s.Peak)
	}
}

// TestOtherLimits plays bots that exceed the limits of a match other than
// memory.
func TestOtherLimits(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	play := func(t *testing.T, values []string) {
		m, level := m.at(values[0])
		kind := values[1]
		want := limitsBesideMemory[kind]
		switch {
		case kind == "disk" && level == "basic":
			want = ending{"output", ""} // found by looking, not refused
		case kind == "processes" && level == "basic" && m.uid != 0:
			t.Skip("the user's other processes count at basic")
		}
		o, _, stderr := m.match(t, level, m.hog(kind, 0), "--memory", "1G")
		if o.Error != "" || len(o.Seats) == 0 {
			t.Fatal(o.Error, stderr)
		}
		s := o.Seats[0]
		if s.Verdict != want.verdict || !strings.Contains(s.Stderr, want.stderr) || strings.Contains(s.Stderr, "-1 seconds") {
			t.Errorf("%s (%s), expected %s; %s", s.Verdict, s.Detail, want.verdict, s.Stderr)
		}
	}
	places := onePerLevel(m.places(t)) // umpire itself reads, whoever runs it
	testlevel.Combine(t, []testlevel.Dimension{places, {"line", "errors"}}, play)
	if testlevel.Current() >= testlevel.Thorough {
		places = m.places(t)
	}
	isolated := slices.DeleteFunc(slices.Clone(places), func(p string) bool { return strings.HasSuffix(p, "-none") })
	testlevel.Combine(t, []testlevel.Dimension{isolated, {"disk", "files", "processes", "cpu"}}, play)
}

// ending is how a match ends for a bot, and what its standard error holds.
type ending struct{ verdict, stderr string }

// limitsBesideMemory says how bots end that exceed them, by their kinds.
var limitsBesideMemory = map[string]ending{
	"line":      {"output", ""},
	"errors":    {"output", "1"},
	"disk":      {"ok", "No space left on device"},
	"files":     {"ok", " files\nfiles [Errno 24]"},
	"processes": {"ok", " processes\nprocesses [Errno 11]"},
	"cpu":       {"ok", " seconds"},
}

// TestMemoryOfOthersTurn plays a bot that takes its memory while its opponent
// thinks: it is stopped then.
func TestMemoryOfOthersTurn(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	m.mainPlaces(t, func(t *testing.T, m limitsTest, level string) {
		for seconds := 1; ; seconds *= 4 {
			o, _, stderr := m.match(t, level, m.hog("slow", seconds), m.hog("later", 0), "--pondering", "allow", "--affinity", "off")
			if o.Error != "" || len(o.Seats) != 2 {
				t.Fatal(o.Error, stderr)
			}
			s := o.Seats[1]
			if s.Verdict == "ok" && s.Peak < memoryLimit<<20 && seconds < 16 { // it did not get to take its memory
				continue
			}
			// It would have 1 GiB at its next turn.
			if s.Verdict != "memory" || s.Peak > 512<<20 {
				t.Errorf("%s, peak %d MiB, expected memory", s.Verdict, s.Peak>>20)
			}
			return
		}
	})
}

// mainPlaces runs a test at the strongest of places and the weakest, thoroughly
// at all of them, and in short at the weakest.
func (m limitsTest) mainPlaces(t *testing.T, f func(t *testing.T, m limitsTest, level string)) {
	t.Helper()
	places := m.places(t)
	own := slices.DeleteFunc(slices.Clone(places), func(p string) bool { return !strings.HasPrefix(p, userName(os.Getuid())) })
	switch testlevel.Current() {
	case testlevel.Short:
		places = own[:1]
	case testlevel.Default:
		places = slices.Compact(testlevel.Dimension{own[0], own[len(own)-1]})
	}
	for _, place := range places {
		t.Run(place, func(t *testing.T) {
			m, level := m.at(place)
			f(t, m, level)
		})
	}
}

// TestMemoryShared plays a bot whose children share its memory, which is its
// right: the memory counts once.
func TestMemoryShared(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	m.mainPlaces(t, func(t *testing.T, m limitsTest, level string) {
		o, _, stderr := m.match(t, level, m.hog("forks", 30))
		if o.Error != "" || len(o.Seats) == 0 {
			t.Fatal(o.Error, stderr)
		}
		if s := o.Seats[0]; s.Verdict != "ok" || s.Peak > memoryLimit<<20 {
			t.Errorf("%s (%s), peak %d MiB, expected ok; %s", s.Verdict, s.Detail, s.Peak>>20, s.Stderr)
		}
	})
}

// TestMemoryVerified checks that umpire's own records of such matches are valid,
// also where the excess came to light in the end, and that none is that calls
// a seat ok whose peak is over the limit.
func TestMemoryVerified(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	results := filepath.Join(m.dir, "out", "results.jsonl")
	for _, kind := range []string{"heap", "brief"} {
		o, _, stderr := m.match(t, "none", m.hog(kind, 300), "-o", filepath.Dir(results), "--append")
		if len(o.Seats) == 0 || o.Seats[0].Verdict != "memory" {
			t.Fatalf("%+v %s", o, stderr)
		}
	}
	if out, code, stderr := m.umpire(t, "verify", results); code != 0 {
		t.Errorf("umpire's own records: exit code %d: %s%s", code, out, stderr)
	}

	out, code, stderr := m.umpire(t, "match", "vmukni", "@greedy", "@greedy", "--json", "--quiet", "--isolation", "none",
		"--case", "small#1.1", "--memory", "64M", "--time", "60s")
	if code != 0 {
		t.Fatal(stderr)
	}
	peak := strings.Split(strings.SplitAfter(string(out), `"peak_bytes":`)[1], ",")[0]
	forged := strings.Replace(string(out), `"peak_bytes":`+peak, `"peak_bytes":67108865`, 1)
	write(t, results, forged)
	out, code, _ = m.umpire(t, "verify", "--json", results)
	if want := "seats[0].peak_bytes: found 67108865"; code != 1 || !strings.Contains(string(out), want) {
		t.Errorf("exit code %d, %s, expected %q", code, out, want)
	}
}

// TestMachineOutOfMemory runs umpire in a control group that has less memory
// than the match allows: who is killed for that has not failed, and who kills
// itself has.
func TestMachineOutOfMemory(t *testing.T) {
	t.Parallel()
	m := newLimitsTest(t)
	group := smallGroup(t, 256<<20)
	m.mainPlaces(t, func(t *testing.T, m limitsTest, level string) {
		if m.uid != os.Getuid() {
			t.Skip("the group is closed to others")
		}
		m.group = group
		o, code, stderr := m.match(t, level, m.hog("burst", 1024), "--memory", "2G")
		if code != 3 || !strings.Contains(o.Error+stderr, "ran out of memory") {
			t.Errorf("exit code %d, %+v, %s, expected an error of umpire's", code, o, stderr)
		}
		o, code, stderr = m.match(t, level, m.hog("suicide", 0), "--memory", "2G")
		if code != 0 || o.Seats[0].Verdict != "crash" {
			t.Errorf("exit code %d, %+v, %s, expected crash", code, o, stderr)
		}
	})
}

// smallGroup makes a control group with so much memory, and returns the file by
// which a process joins it.
func smallGroup(t *testing.T, bytes int) string {
	t.Helper()
	return limitedGroup(t, strconv.Itoa(bytes), map[string]string{"memory": "memory.limit_in_bytes", "": "memory.max"})
}

// limitedGroup makes a control group below the test's own with a limit, whose file depends
// on the controller, which is "" for version 2, and returns the file by which processes join it.
func limitedGroup(t *testing.T, limit string, files map[string]string) string {
	t.Helper()
	mounts, err := cgroup.Mounts()
	if err != nil {
		t.Skip(err)
	}
	for controller, file := range files {
		mount, ok := mounts[controller]
		if !ok {
			continue
		}
		dir, err := os.MkdirTemp(mount.Own, "umpire-test-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { removeGroup(t, dir) })
		if err := os.WriteFile(filepath.Join(dir, file), []byte(limit), 0); err == nil {
			return filepath.Join(dir, "cgroup.procs")
		}
	}
	t.Skip("no control group can be made")
	return ""
}

// removeGroup removes a control group, in which umpire's helpers may take a
// moment to end, and nobody tells when. Another umpire that starts removes what one that
// has ended left.
func removeGroup(t *testing.T, dir string) {
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(time.Minute); ; <-again.C {
		err := os.Remove(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		if time.Now().After(end) {
			t.Error(err)
			return
		}
	}
}
