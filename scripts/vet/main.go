// Command vet reports what does not compile on other systems, tests included, and what go
// vet would find there. It reads everything from source, in seconds; go vet compiles each
// system's standard library first. What only a linker finds, it does not.
//
//	go run ./scripts/vet SYSTEM/ARCHITECTURE,... PACKAGES...
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "vet: expected systems, as in windows/amd64,js/wasm, and packages")
		os.Exit(2)
	}
	failed := false
	for platform := range strings.SplitSeq(os.Args[1], ",") {
		if err := check(platform, os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "vet: %s: %v\n", platform, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check prints what is wrong with packages on a platform; the error sums that up.
func check(platform string, patterns []string) error {
	system, arch, _ := strings.Cut(platform, "/")
	loaded, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Tests: true,
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
	}, patterns...)
	switch {
	case err != nil:
		return err
	case len(loaded) == 0:
		return fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	case packages.PrintErrors(loaded) > 0:
		return errors.New("it does not compile")
	}
	graph, err := checker.Analyze(vet.Suite, loaded, nil)
	if err != nil {
		return err
	}
	if err := graph.PrintText(os.Stderr, -1); err != nil {
		return err
	}
	for _, action := range graph.Roots {
		if action.Err != nil || len(action.Diagnostics) > 0 {
			return errors.New("vet has found something")
		}
	}
	return nil
}
