// Command typecheck reports what does not compile on other systems, tests included. It
// checks the types of this module and of the declarations that it imports, in seconds; a
// build would compile each system's standard library first. What only a linker finds, it
// does not.
//
//	go run ./scripts/typecheck SYSTEM/ARCHITECTURE,... PACKAGES...
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "typecheck: expected systems, as in windows/amd64,js/wasm, and packages")
		os.Exit(2)
	}
	problems := 0
	for platform := range strings.SplitSeq(os.Args[1], ",") {
		system, arch, _ := strings.Cut(platform, "/")
		loaded, err := packages.Load(&packages.Config{
			Mode:  packages.LoadAllSyntax,
			Tests: true,
			Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		}, os.Args[2:]...)
		if err != nil {
			fmt.Fprintf(os.Stderr, "typecheck: %s: %v\n", platform, err)
			os.Exit(1)
		}
		if n := packages.PrintErrors(loaded); n > 0 {
			fmt.Fprintf(os.Stderr, "typecheck: %s does not compile\n", platform)
			problems += n
		}
	}
	if problems > 0 {
		os.Exit(1)
	}
}
