package protocoltest

import (
	"os"
	"path/filepath"
	"testing"
)

// Golden compares a picture with testdata/svg/NAME.svg, or with update writes
// that file, to be looked at in a browser before it is kept.
func Golden(t *testing.T, name, picture string, update bool) {
	t.Helper()
	file := filepath.Join("testdata", "svg", name+".svg")
	if update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(picture+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if picture+"\n" != string(want) {
		t.Errorf("the picture differs from %s; if it should, run the test with -update and look at it. Found:\n%s", file, picture)
	}
}
