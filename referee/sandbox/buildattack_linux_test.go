package sandbox

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// buildAttacks compiles the attacks that are wanted, and what the test itself runs.
func buildAttacks(t *testing.T, wanted func(attack) bool, list []attack) string {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip(err)
	}
	dir := publicDir(t)
	sources, _ := filepath.Glob(withHeader(t, cc) + "/*")
	var wg sync.WaitGroup
	for _, src := range sources {
		base := filepath.Base(src)
		if filepath.Ext(base) == ".gch" {
			continue
		}
		of := func(a attack) bool { return a.name == strings.TrimSuffix(base, ".c") }
		if slices.ContainsFunc(list, of) && !slices.ContainsFunc(list, func(a attack) bool { return of(a) && wanted(a) }) {
			continue
		}
		if name, ok := strings.CutSuffix(base, ".c"); ok {
			wg.Go(func() {
				// Unoptimised, so that no attack is optimised away.
				if out, err := exec.Command(cc, "-O0", "-o", filepath.Join(dir, name), src).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		} else {
			copyFile(t, src, filepath.Join(dir, base))
		}
	}
	wg.Wait()
	return dir
}

// withHeader copies the sources of the attacks to a folder with the precompiled header
// that they share: most of the time to compile one goes into that. Where the compiler
// can't use it, it reads the header itself.
func withHeader(t *testing.T, cc string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	sources, err := filepath.Glob("testdata/attacks/*")
	must(t, err)
	for _, src := range sources {
		copyFile(t, src, filepath.Join(dir, filepath.Base(src)))
	}
	header := filepath.Join(dir, "attack.h")
	if out, err := exec.Command(cc, "-O0", "-x", "c-header", "-o", header+".gch", header).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return dir
}
