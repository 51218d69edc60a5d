package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/referee/procfs"
	"umpire/referee/sandbox/sandboxtest"
	"umpire/referee/testlevel"
)

// isolated runs umpire in a folder at a level, with a cache, and returns its exit code and
// what it printed. Meanwhile, if that is not nil, is called while it runs.
func isolated(t *testing.T, dir, level, cache string, meanwhile func(umpire int), args ...string) (code int, stderr string) {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	must(t, err)
	standard, err := filepath.Abs("../../testdata/cases")
	must(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0], cmd.Dir = "umpire", dir
	cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+standard, "UMPIRE_ISOLATION="+level, "XDG_CACHE_HOME="+cache)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	must(t, cmd.Start())
	if meanwhile != nil {
		meanwhile(cmd.Process.Pid)
	}
	if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), errs.String()
}

// TestFullDiskOfCache: where the disk of the cache has no room for a program, that is no
// fault of its source: its matches are errors, the others are played, and with more room
// the run is resumed. At none and basic the compiler itself finds no room.
func TestFullDiskOfCache(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	for _, level := range []string{"none", "basic", string(sandboxtest.StrongestLevel(t))} {
		t.Run(level, func(t *testing.T) { fullDiskOfCache(t, level) })
	}
}

func fullDiskOfCache(t *testing.T, level string) {
	disk, dir := smallDisk(t, "1m"), t.TempDir()
	write(t, filepath.Join(dir, "big.c"), "char big[2 << 20] = {1};\nint main(void) { return big[0]; }\n")
	said := `the cache can.t be used: copy back ` + disk + `/umpire/build/.*: no space left on device; UMPIRE_CACHE may name another folder`
	if level == "none" || level == "basic" {
		said = `the compiler found a disk full \(.*: No space left on device\); make room, or UMPIRE_CACHE and TMPDIR may name other folders`
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{`bot "big.c": not judged: ` + said, []string{"test", "ioiwari", "big.c", "--case", "official/01"}},
		{`bot "big.c": not judged: ` + said, []string{"match", "ioiwari", "big.c", "@greedy"}},
		{`could not judge 1 submission`, []string{"score", "ioiwari", "big.c", "@greedy", "--case", "official/01"}},
		{`bot "big.c": not judged here: ` + said, []string{"tournament", "ioiwari", "big.c", "@greedy", "@random", "--case", "official/01", "-o", "run"}},
	} {
		code, stderr := isolated(t, dir, level, disk, nil, c.args...)
		if code != 3 || !regexp.MustCompile(c.says).MatchString(stderr) {
			t.Errorf("%q ends with %d and %s, expected 3 and %s", c.args, code, stderr, c.says)
		}
	}
	verdicts := func() (list []string) {
		for _, r := range recordsIn(t, filepath.Join(dir, "run")) {
			what, _, _ := strings.Cut(r.Error, ":")
			for _, s := range r.Seats {
				if s.Bot == "big" {
					what += s.Verdict
				}
			}
			list = append(list, what)
		}
		slices.Sort(list)
		return list
	}
	if got, want := verdicts(), []string{"", "", "not judged", "not judged", "not judged", "not judged"}; !slices.Equal(got, want) {
		t.Errorf("on a full disk: %q, expected %q", got, want)
	}
	must(t, syscall.Mount("umpire", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"))
	if code, stderr := isolated(t, dir, level, disk, nil, "tournament", "--resume", "-o", "run", "--quiet"); code != 0 {
		t.Errorf("resumed: exit code %d, %s", code, stderr)
	}
	if got := verdicts(); slices.Contains(got, "compile") || !slices.Contains(got, "crash") {
		t.Errorf("with room: %q, expected that the bot plays, and fails", got)
	}
}

// TestCompilerWithoutRoom: a disk that has little room left is one of those as well, and as
// well if a compiler puts the words in quotes.
func TestCompilerWithoutRoom(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	disk, dir := smallDisk(t, "900k"), t.TempDir()
	write(t, filepath.Join(dir, "table.yaml"), `languages:
  - {name: Mute, suffixes: [.mute], compile: "false", run: '{out}'}
  - {name: Loud, suffixes: [.loud], compile: sh -c 'echo "a.s: can not write to a.o: \"No space left on device\""; exit 1', run: '{out}'}
`)
	for bot, says := range map[string]string{
		"bot.mute": `not judged: the compiler failed where ` + disk + `/.* has [0-9]+ KiB of free space; make room`,
		"bot.loud": `not judged: the compiler found a disk full \(a\.s: `,
	} {
		write(t, filepath.Join(dir, bot), "")
		code, stderr := isolated(t, dir, "none", disk, nil, "test", "ioiwari", bot, "--languages", "table.yaml", "--case", "official/01")
		if code != 3 || !regexp.MustCompile(says).MatchString(stderr) {
			t.Errorf("%s ends with %d and %s, expected 3 and %s", bot, code, stderr, says)
		}
	}
}

// TestCompilerHelperKilled: where somebody kills the helper process that a compiler runs
// under, umpire compiles once more, and then gives no verdict.
func TestCompilerHelperKilled(t *testing.T) {
	testlevel.Combine(t, []testlevel.Dimension{sandboxtest.Levels()}, func(t *testing.T, values []string) {
		t.Parallel()
		dir := t.TempDir()
		write(t, filepath.Join(dir, "bot.slow"), "")
		write(t, filepath.Join(dir, "table.yaml"), "languages:\n  - {name: Slow, suffixes: [.slow], compile: sleep 86397, run: '{out}'}\n")
		code, stderr := isolated(t, dir, values[0], filepath.Join(dir, "cache"), func(umpire int) {
			first := killHelper(t, umpire, 0)
			killHelper(t, umpire, first)
		}, "test", "ioiwari", "bot.slow", "--languages", "table.yaml")
		if want := `bot "bot.slow": not judged: a helper process of umpire was killed`; code != 3 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d and %s, expected 3 and %s", code, stderr, want)
		}
	})
}

// killHelper kills the helper process of the compiler that umpire runs, other than the
// one with a process number before, as soon as there is one, and returns its number.
func killHelper(t *testing.T, umpire, before int) (compiler int) {
	t.Helper()
	for end := time.Now().Add(hangTime); time.Now().Before(end) && procfs.State(umpire) != 'Z'; {
		for _, pid := range procfs.Descendants(umpire, nil, 1000) {
			line, _ := os.ReadFile(procfs.Dir(pid) + "/cmdline")
			if pid == before || !bytes.HasSuffix(line, []byte("sleep\x0086397\x00")) {
				continue
			}
			must(t, syscall.Kill(procfs.Parent(pid), syscall.SIGKILL))
			return pid
		}
	}
	t.Error("found no compiler that runs")
	return 0
}
