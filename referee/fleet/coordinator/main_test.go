package coordinator

import (
	"os"
	"testing"

	"umpire/referee/sandbox"
)

// TestMain lets the test binary be the helper that launched programs need.
func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
