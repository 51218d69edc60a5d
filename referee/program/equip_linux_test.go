package program

import (
	"fmt"
	"go/build"
	"os"
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
