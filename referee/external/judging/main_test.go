package judging

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
