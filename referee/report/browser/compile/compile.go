// Package compile makes the page that shows results in a browser from umpire's sources,
// by the Go compiler.
package compile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"umpire/referee/report/browser"
)

// program is the package of the program that the page runs.
const program = "./referee/report/browser/wasm"

// Page makes the page from the sources in a folder, in the same bytes on every machine.
// The environment is that of the Go compiler; nil: that of this process.
func Page(ctx context.Context, dir string, env []string, version string) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "umpire-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	goTool := func(args ...string) (string, error) {
		c := exec.CommandContext(ctx, "go", args...)
		c.Dir, c.Env = dir, env
		c.Env = append(c.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		var said strings.Builder
		c.Stderr = &said
		out, err := c.Output()
		if err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, said.String())
		}
		return strings.TrimSpace(string(out)), nil
	}
	root, err := goTool("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	support, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	name := filepath.Join(scratch, "program.wasm")
	if _, err := goTool("build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", name, program); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return browser.Page(wasm, support, version)
}
