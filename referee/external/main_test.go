package external

import (
	"os"
	"testing"

	"umpire/referee/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
