package arena

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"umpire/referee/sandbox"
)

// TestMain lets the test binary be the helper that launched programs need, and
// an umpire that is stopped.
func TestMain(m *testing.M) {
	sandbox.Main()
	if n, err := strconv.Atoi(os.Getenv(stopsVariable)); err == nil {
		if err := playStopped(n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
