package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVoiderLoses plays a bot that sends its supervisor every signal there is,
// as each kind of user that umpire may be: it loses its match, which is none of
// umpire's errors. Umpire runs in a pid namespace of its own.
func TestVoiderLoses(t *testing.T) {
	for _, tool := range []string{"gcc", "unshare", "setpriv"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be several kinds of user")
	}
	dir, err := os.MkdirTemp("", "umpire-voider-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // for the ordinary user
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "cases"), os.DirFS("../../testdata/cases")); err != nil {
		t.Fatal(err)
	}
	voider := filepath.Join(dir, "voider")
	source := "../contestant/sandbox/testdata/attacks/signal_supervisor.c"
	if out, err := exec.Command("gcc", "-O0", "-o", voider, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	umpire := filepath.Join(dir, "umpire")
	if out, err := exec.Command("cp", os.Args[0], umpire).CombinedOutput(); err != nil { // from a folder closed to others
		t.Fatalf("%v: %s", err, out)
	}

	for user, become := range map[string][]string{
		"root":                       {"setpriv"},
		"an ordinary user":           {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"},
		"root without CAP_SYS_ADMIN": {"setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"},
	} {
		for _, level := range []string{"basic", "box"} {
			args := append([]string{"--pid", "--mount", "--mount-proc", "--fork", "--kill-child"}, become...)
			args = append(args, umpire, "match", "ioiwari", voider, "@greedy", "--isolation", level, "--time", "20s")
			cmd := exec.Command("unshare", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "UMPIRE_TEST_CASES="+dir+"/cases", "HOME="+dir, "XDG_CACHE_HOME="+dir+"/.cache")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "voider: crash: exit status 0 while seat 1 owes a reply") {
				t.Errorf("as %s, at %s: %v\n%s", user, level, err, out)
			}
		}
	}
}
