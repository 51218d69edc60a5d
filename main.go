// Command umpire is a judge and referee of programming games: it plays
// contestants' programs against each other and against the clock.
package main

import (
	"embed"
	"io/fs"
	"os"

	"umpire/referee/cli"
	"umpire/referee/sandbox"
)

//go:embed testdata/cases
var testdata embed.FS

//go:embed referee/*/README.md referee/cli/ci/README.md referee/program/build/README.md referee/external/kattis/README.md referee/external/polygon/README.md referee/external/cms/README.md referee/external/lone/README.md
var guides embed.FS

func main() {
	sandbox.Main()
	cases, err := fs.Sub(testdata, "testdata/cases")
	if err != nil {
		panic(err) // the folder is named in the directive above
	}
	os.Exit(cli.Main(os.Args[1:], cases, guides))
}
