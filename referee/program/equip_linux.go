package program

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"umpire/referee"
	"umpire/referee/sandbox"
)

// equip gives a compiler what it needs beyond the system: its installation, and
// an environment without any of the user's variables, since sources can read it
// (env! in Rust).
func equip(ctx context.Context, c *sandbox.Command) error {
	c.Env = compilerEnv()
	for _, path := range toolchain(c.Path) {
		// The rest of ~/.cargo is private to its user: tokens, other people's
		// sources.
		if filepath.Base(path) == ".cargo" {
			path = filepath.Join(path, "bin")
		}
		c.Read = append(c.Read, path)
	}
	if filepath.Base(c.Path) != "go" {
		return nil
	}
	cache, err := goCache(ctx, c.Path, c.Env)
	c.Read = append(c.Read, cache)
	c.Env = append(c.Env, "GOCACHE="+cache)
	return err
}

// toolchain returns the paths beyond the system that an installed program must
// read.
func toolchain(path string) []string { return sandbox.Toolchain(path) }

// inSystem reports whether a path leads to a file of the system, which every
// program may read.
func inSystem(path string) bool { return sandbox.InSystem(path) }

func compilerEnv() []string {
	env := append(environment(referee.LevelStrict), "GOTELEMETRY=off", "GOTOOLCHAIN=local", "GOPROXY=off", "GOWORK=off")
	// rustup looks for its toolchains in the home folder.
	home, _ := os.UserHomeDir()
	for name, dir := range map[string]string{"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"} {
		path := cmp.Or(os.Getenv(name), filepath.Join(home, dir))
		if Exists(path) {
			env = append(env, name+"="+path)
		}
	}
	return env
}

// commonFiles are a program that imports the packages that bots in Go use, as far as Go has
// them: Debian 12's is 1.19.
var commonFiles = map[string]string{
	"go.mod": "module common\n",
	"since21.go": `//go:build go1.21

package main

import (
	_ "cmp"
	_ "maps"
	_ "slices"
)
`,
	"since22.go": `//go:build go1.22

package main

import _ "math/rand/v2"
`,
	"common.go": `package main

import (
	_ "bufio"
	_ "bytes"
	_ "container/heap"
	_ "container/list"
	_ "context"
	_ "encoding/binary"
	_ "encoding/json"
	_ "errors"
	_ "flag"
	_ "fmt"
	_ "io"
	_ "log"
	_ "math"
	_ "math/big"
	_ "math/bits"
	_ "math/rand"
	_ "os"
	_ "regexp"
	_ "runtime"
	_ "sort"
	_ "strconv"
	_ "strings"
	_ "sync"
	_ "sync/atomic"
	_ "time"
	_ "unicode"
)

func main() {}
`,
}

// prepare does what umpire must do before a compiler runs.
func prepare(ctx context.Context, path string) error {
	if filepath.Base(path) != "go" {
		return nil
	}
	_, err := goCache(ctx, path, compilerEnv())
	return err
}

// goCaches are the Go caches that have been warmed, by the path of go.
var goCaches = struct {
	sync.Mutex
	dirs map[string]string
}{dirs: make(map[string]string)}

// goCache is the user's cache of Go's own packages, which would take go half a
// minute to compile each time. Compilers of untrusted sources may only read it:
// what one of them wrote, the next would run. So the packages that bots use
// must be in it; goCache compiles those that are missing, from umpire's own
// source.
func goCache(ctx context.Context, tool string, env []string) (string, error) {
	goCaches.Lock()
	defer goCaches.Unlock()
	if dir := goCaches.dirs[tool]; dir != "" {
		return dir, nil
	}
	out, err := exec.CommandContext(ctx, tool, "env", "GOCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("find the cache of go: %w", err)
	}
	cache := strings.TrimSpace(string(out))
	dir, err := sandbox.NewTempDir("go-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range commonFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, tool, "build", "-o", os.DevNull, ".")
	cmd.Dir = dir
	cmd.Env = append(slices.Clone(env), "HOME="+dir, "GOCACHE="+cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile Go's own packages: %w: %s", err, out)
	}
	goCaches.dirs[tool] = cache
	return cache, nil
}
