//go:build unix

package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShims: a version manager's shim is started once, to ask it for the interpreter behind it;
// what is no shim is not asked.
func TestShims(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	starts := filepath.Join(dir, "starts")
	for name, test := range map[string]struct {
		file   func(path string) error // what stands in PATH
		starts string
		real   string
	}{
		"script": {func(path string) error {
			return os.WriteFile(path, fmt.Appendf(nil, "#!%s\necho \"$1\" >> %s\nexec %[1]s \"$@\"\n", shell, starts), 0o755)
		}, "-c\n", shell},
		"link to the interpreter": {func(path string) error { return os.Symlink(shell, path) }, "", "itself"},
		"link to a manager":       {func(path string) error { return os.Symlink(manager(t, shell), path) }, "", shell},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(starts)
			bin := t.TempDir()
			path := filepath.Join(bin, "bash5")
			must(t, test.file(path))
			t.Setenv("PATH", bin)
			l := Language{Name: "Shell", Run: "bash5 {source}", Version: "bash5 --version", Real: "bash5 -c 'echo " + shell + "'"}
			found, err := lookTool(t.Context(), l)
			if err != nil || !strings.Contains(found.version, "GNU bash") {
				t.Fatalf("found %+v, %v", found, err)
			}
			if test.real == "itself" {
				test.real = path
			}
			if said, _ := os.ReadFile(starts); found.real != test.real || string(said) != test.starts {
				t.Errorf("found %s, started with %q, expected %s and %q", found.real, said, test.real, test.starts)
			}
		})
	}
}

// manager is a program under another name than the interpreter's.
func manager(t *testing.T, program string) string {
	data, err := os.ReadFile(program)
	path := filepath.Join(t.TempDir(), "manager")
	if err == nil {
		err = os.WriteFile(path, data, 0o755)
	}
	must(t, err)
	return path
}
