package contestant

import (
	"os"
	"testing"

	"umpire/referee/contestant/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
