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
	File(t, filepath.Join("testdata", "svg", name+".svg"), picture+"\n", update)
}

// File compares a text with a file, such as that of a standard case, or with
// update writes it.
func File(t *testing.T, file, text string, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs; if it should, run the test with -update and look at it. Found:\n%s", file, text)
	}
}
