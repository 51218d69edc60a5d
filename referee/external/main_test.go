package external

import (
	"os"
	"testing"

	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	sandboxtest.FastPython()
	os.Exit(m.Run())
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
