package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestHostileSubmissionsAsOthers goes through what submissions try before they
// run (links to others' files, devices, sparse files, folders called bin, first
// lines, names that compilers take for options) as the other kinds of user whom
// umpire is run by. TestScripts does so as the user of the tests.
func TestHostileSubmissionsAsOthers(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip(err)
	}
	for kind, flags := range map[string][]string{
		"user":    {"--reuid=65534", "--regid=65534", "--clear-groups"},
		"bounded": {"--bounding-set=-sys_admin", "--inh-caps=-all"},
	} {
		t.Run(kind, func(t *testing.T) {
			top, err := os.MkdirTemp("", "umpire-hostile-") // t.TempDir is closed to others
			must(t, err)
			t.Cleanup(func() { os.RemoveAll(top) })
			here := filepath.Join(top, "referee", "cli")
			for _, dir := range []string{here, filepath.Join(top, "tmp")} {
				must(t, os.MkdirAll(dir, 0o755))
			}
			for from, to := range map[string]string{
				"testdata/script": filepath.Join(here, "testdata", "script"),
				"../../testdata":  filepath.Join(top, "testdata"),
				"../../bots":      filepath.Join(top, "bots"),
			} {
				must(t, os.CopyFS(to, os.DirFS(from)))
			}
			program, err := os.ReadFile(os.Args[0])
			if err == nil {
				err = os.WriteFile(filepath.Join(here, "cli.test"), program, 0o755)
			}
			if err == nil {
				err = exec.Command("chmod", "-R", "a+rX", top).Run()
			}
			if err == nil {
				err = os.Chmod(filepath.Join(top, "tmp"), 0o777)
			}
			must(t, err)
			cmd := exec.Command("setpriv", append(flags, "./cli.test", "-test.run=^TestScripts$/^hostile_submissions$", "-test.v")...)
			cmd.Dir = here
			cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(top, "tmp"), "HOME="+filepath.Join(top, "tmp"), "UMPIRE_TEST=")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "--- PASS: TestScripts/hostile_submissions") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
