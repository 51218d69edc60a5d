package contestant

import (
	"fmt"
	"os"
	"testing"

	"umpire/referee/sandbox"
)

// BuildCache is the folder of the programs that tests compile: each is compiled once for
// all of them.
var BuildCache string

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	var err error
	if BuildCache, err = os.MkdirTemp("", "contestant-test-"); err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(BuildCache)
	return m.Run()
}
