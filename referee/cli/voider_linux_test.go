package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// kinds of user that umpire may be run as, by how root becomes them.
var kinds = map[string][]string{
	"root":                       {"setpriv"},
	"an ordinary user":           {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"},
	"root without CAP_SYS_ADMIN": {"setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"},
}

// TestVoiderLoses plays a bot that sends its supervisor every signal there is,
// as each kind of user, who lets nobody else read new files: it loses its match,
// which is none of umpire's errors.
func TestVoiderLoses(t *testing.T) {
	t.Parallel()
	play := newAttackedMatch(t, "signal_supervisor", "20s")
	for user, become := range kinds {
		for _, level := range []string{"basic", "box"} {
			out, err := play(level, append([]string{"sh", "-c", `umask 077; exec "$@"`, "sh"}, become...)...)
			if err != nil || !strings.Contains(out, "signal_supervisor: crash: it ended (exit status 0) before answering") {
				t.Errorf("as %s, at %s: %v\n%s", user, level, err, out)
			}
		}
	}
}

// TestSupervisorStopped plays a bot that stops its supervisor at none and ends: umpire
// does not wait for ever, not even without a budget, and the bot loses. What it says
// if it has seen its supervisor stop is no reply of the game.
func TestSupervisorStopped(t *testing.T) {
	t.Parallel()
	out, err := newAttackedMatch(t, "stop_supervisor", "0")("none", "setpriv")
	lost := strings.Contains(out, "seat 1 stop_supervisor: crash: it ended (exit status 0) before answering") ||
		strings.Contains(out, `seat 1 stop_supervisor: foul: answered "GOT stopped"`)
	if err != nil || !lost {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestHiddenMemoryLoses plays a bot that keeps memory where its account does not show it,
// at none, until there is none left in the group around umpire: whomever the kernel kills
// first, the bot loses.
func TestHiddenMemoryLoses(t *testing.T) {
	attacks := []struct {
		name string
		left int // in the group
	}{{"memory_pipes", 240 << 20}, {"memory_memfd", 180 << 20}}
	large, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || strings.Contains(string(large), "[never]") { // then pipes hold little
		attacks = attacks[1:]
	}
	if testlevel.Current() < testlevel.Thorough {
		attacks = attacks[:1]
	}
	for _, attack := range attacks {
		play := newAttackedMatch(t, attack.name, "20s")
		var out string
		var err error
		for range 4 { // at none the kernel may also kill umpire, or the bot before umpire looks: nobody loses
			if out, err = play("none", "sh", "-c", `echo 0 >"$0"; exec "$@" --memory 64M`, smallGroup(t, attack.left)); err == nil {
				break
			}
		}
		if err != nil || !strings.Contains(out, "seat 1 "+attack.name+": memory: seat 1 held ") {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestBurstNeverWins plays a bot that fills memory, hidden, faster than umpire looks, in
// every play. Whomever the kernel kills, be it umpire, the opponent does not lose.
func TestBurstNeverWins(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	play := newAttackedMatch(t, "memory_burst", "20s")
	for _, size := range []int{160, 180, 200} { // with nothing left for others, and little
		out, _ := play("none", "sh", "-c", `echo 0 >"$0"; exec "$@" --memory 64M`, smallGroup(t, size<<20))
		if strings.Contains(out, "seat 2 @greedy: ") {
			t.Errorf("in %d MiB: %s", size, out)
		}
	}
}

// TestForkBombLeavesUmpireThreads plays a bot that takes all the processes it
// may, where umpire's user may have fewer than the default of one contestant.
func TestForkBombLeavesUmpireThreads(t *testing.T) {
	play := newAttackedMatch(t, "fork_bomb", "20s")
	for _, level := range []string{"basic", "box"} {
		// A user that nobody else here is.
		out, err := play(level, "prlimit", "--nproc=200", "setpriv", "--reuid=64321", "--regid=64321", "--clear-groups")
		// Umpire has some 25 threads, in three processes.
		var forks int
		if _, said, ok := strings.Cut(out, "  its standard error:\n"); ok {
			_, _ = fmt.Sscanf(said, "%d forks", &forks)
		}
		// Where umpire was faster the bot did not come to count.
		faster := strings.Contains(out, "fork_bomb: security: ")
		if err != nil || !faster && (forks == 0 || forks > 150) {
			t.Errorf("at %s: %d forks of 200: %v\n%s", level, forks, err, out)
		}
	}
}

// newAttackedMatch compiles an attack of the corpus, and returns what plays a
// match of it at a level, with so much time, started by a command that becomes a user. Umpire
// runs in a pid namespace of its own.
func newAttackedMatch(t *testing.T, attack, time string) func(level string, become ...string) (string, error) {
	testlevel.Needs(t, testlevel.Default)
	for _, tool := range []string{"gcc", "unshare", "setpriv", "prlimit"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be several kinds of user")
	}
	dir, err := os.MkdirTemp("", "umpire-attacked-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755)) // for the ordinary user
	must(t, os.CopyFS(filepath.Join(dir, "cases"), os.DirFS("../../testdata/cases")))
	bot, umpire := filepath.Join(dir, attack), filepath.Join(dir, "umpire")
	for _, args := range [][]string{
		{"gcc", "-O0", "-o", bot, "../sandbox/testdata/attacks/" + attack + ".c"},
		{"cp", os.Args[0], umpire}, // from a folder closed to others
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	return func(level string, become ...string) (string, error) {
		args := append([]string{"--pid", "--mount", "--mount-proc", "--fork", "--kill-child"}, become...)
		args = append(args, umpire, "match", "ioiwari", bot, "@greedy", "--isolation", level, "--time", time)
		cmd := exec.Command("unshare", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+dir+"/cases", "HOME="+dir, "XDG_CACHE_HOME="+dir+"/.cache")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}
