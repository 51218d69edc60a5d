package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"umpire/referee/sandbox/rmtree"
)

// must ends the test if there is an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// publicDir is a temporary folder that other users may look into.
func publicDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-test-")
	must(t, err)
	t.Cleanup(func() { _ = rmtree.Remove(dir) })
	must(t, os.Chmod(dir, 0o755))
	return dir
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	must(t, os.WriteFile(to, b, 0o644))
}
