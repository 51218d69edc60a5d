package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"umpire/referee/arena"
)

// TestUmpiresTakeDifferentCPUs plays two matches at the same time, by two umpires
// of which neither knows the other. They are in a network namespace of their own,
// where no umpire of another test has claimed a CPU.
func TestUmpiresTakeDifferentCPUs(t *testing.T) {
	if len(arena.CPUs()) < 2 {
		t.Skip("there is one CPU")
	}
	unshare := []string{"unshare", "--net"}
	if os.Getuid() != 0 {
		unshare = append(unshare, "--user", "--map-root-user")
	}
	if err := exec.Command(unshare[0], append(unshare[1:], "true")...).Run(); err != nil {
		t.Skipf("no network namespace can be made: %v", err)
	}
	dir := t.TempDir()
	link(t, os.Args[0], filepath.Join(dir, "umpire"))
	for name, text := range map[string]string{
		"hold.sh": "#!/bin/sh\nread line\ngrep Cpus_allowed_list /proc/self/status >said\nread line <go\n",
		"tell.sh": "#!/bin/sh\nread line\ngrep Cpus_allowed_list /proc/self/status >second\n",
		"both.sh": `mkfifo said go
play() { ./umpire test ioiwari "$1" -n 1 --jobs 1 --isolation none --time 0 --quiet >/dev/null; }
{ play ./hold.sh; [ $? = 1 ] || echo "not played" >said; } &
cat said >first
play ./tell.sh
echo >go
wait
`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	cmd := exec.Command(unshare[0], append(unshare[1:], "sh", "both.sh")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "UMPIRE_CACHE="+filepath.Join(dir, "cache"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cpu := func(name string) int {
		text, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(string(text), "Cpus_allowed_list:")))
		if err != nil {
			t.Fatalf("a bot may run on other than one CPU: %s", text)
		}
		return n
	}
	if first, second := cpu("first"), cpu("second"); first == second {
		t.Errorf("both matches are played on CPU %d", first)
	}
}
