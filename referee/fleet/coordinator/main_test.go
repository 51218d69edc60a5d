package coordinator

import (
	"os"
	"testing"

	"umpire/referee/sandbox"
	"umpire/referee/testlevel"
)

// TestMain lets the test binary be the helper that launched programs need.
func TestMain(m *testing.M) {
	sandbox.Main()
	testlevel.Patient(12)
	os.Exit(m.Run())
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
