package program

import (
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestCommonFiles: no Go is made to compile a package that came after it.
func TestCommonFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range commonFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	since := map[string]int{"cmp": 21, "maps": 21, "slices": 21, "math/rand/v2": 22} // by Go's release notes
	for version := 19; version <= 22; version++ {
		old := build.Default
		old.ReleaseTags = nil
		for n := 1; n <= version; n++ {
			old.ReleaseTags = append(old.ReleaseTags, fmt.Sprint("go1.", n))
		}
		p, err := old.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, first := range since {
			if slices.Contains(p.Imports, name) != (version >= first) {
				t.Errorf("Go 1.%d compiles %q", version, p.Imports)
			}
		}
	}
}

// TestNoWorkspace: a go.work above the folder of a bot's sources has no part in compiling them.
func TestNoWorkspace(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("notice: no go")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.19\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "env", "GOWORK")
	cmd.Dir, cmd.Env = dir, append(compilerEnv(), "HOME="+dir)
	if out, err := cmd.Output(); err != nil || string(out) != "off\n" {
		t.Errorf("found the workspace %q, error %v", out, err)
	}
}
