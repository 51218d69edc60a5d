// Release builds the archives that users download, from the commit that is checked
// out and in the same bytes on every machine: README.md beside this file.
//
//	go run ./scripts/release -o DIR
//	go run ./scripts/release -sizes
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"umpire/referee/cli"
)

// platforms are those that have an archive.
var platforms = []string{
	"linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64", "darwin/amd64", "darwin/arm64",
}

// maxBinary is the most bytes that a binary may have.
const maxBinary = 40e6

func main() {
	out := flag.String("o", "", "write the archives and their checksums to a new or empty folder")
	only := flag.String("platforms", strings.Join(platforms, ","), "build these alone")
	sizes := flag.Bool("sizes", false, "print the sizes of the binaries by platform, and of their parts")
	flag.Parse()
	err := errors.New("nothing to do: expected -o DIR or -sizes")
	if flag.NArg() > 0 {
		err = fmt.Errorf("found %q, expected no argument", flag.Arg(0))
	} else if *out != "" || *sizes {
		err = run(*out, strings.Split(*only, ","), *sizes)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(out string, platforms []string, sizes bool) error {
	for _, p := range platforms {
		if goos, arch, ok := strings.Cut(p, "/"); !ok || goos == "" || arch == "" {
			return fmt.Errorf("found the platform %q, expected one such as linux/amd64", p)
		}
	}
	s, err := checkOut()
	if err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	if out != "" {
		if err := s.release(out, platforms); err != nil {
			return err
		}
	}
	if sizes {
		return s.printSizes(platforms)
	}
	return nil
}

// source is a commit's files in a folder of their own, where nothing else lies that
// could get into a build.
type source struct {
	dir, version, commit string
	date                 time.Time
}

// checkOut copies the files of the commit that is checked out. Changes that are not
// committed are an error, as the release would lack them.
func checkOut() (s *source, err error) {
	top, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	changed, err := output(top, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		return nil, fmt.Errorf("commit these changes first, or stash them:\n%s", changed)
	}
	stamp, err := output(top, "git", "show", "--no-patch", "--format=%H %cI", "HEAD")
	if err != nil {
		return nil, err
	}
	hash, date, _ := strings.Cut(stamp, " ")
	s = &source{commit: hash, version: cli.Version} // the files are as they are here
	if s.date, err = time.Parse(time.RFC3339, date); err != nil {
		return nil, err
	}
	s.date = s.date.UTC()
	if s.dir, err = os.MkdirTemp("", "umpire-release-"); err != nil {
		return nil, err
	}
	if err = s.copyTree(top); err == nil {
		err = s.checkChangelog()
	}
	if err != nil {
		os.RemoveAll(s.dir)
	}
	return s, err
}

func (s *source) copyTree(top string) error {
	tree := filepath.Join(s.dir, "tree.tar")
	if _, err := output(top, "git", "archive", "--output", tree, "HEAD"); err != nil {
		return err
	}
	_, err := output(s.dir, "tar", "-xf", tree)
	return errors.Join(err, os.Remove(tree))
}

// checkChangelog reports whether the changelog tells of the program's version.
func (s *source) checkChangelog() error {
	changes, err := os.ReadFile(filepath.Join(s.dir, "CHANGELOG.md"))
	if err == nil && !regexp.MustCompile(`(?m)^## `+regexp.QuoteMeta(s.version)+`( |$)`).Match(changes) {
		err = fmt.Errorf("CHANGELOG.md has no heading ## %s", s.version)
	}
	return err
}

// environment is what builds find: settings of the machine's owner that change what is
// built are taken out of it.
func environment(goos, arch string) []string {
	var kept []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "GO") || slices.Contains([]string{"GOCACHE", "GOPATH", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOROOT"}, name) {
			kept = append(kept, v)
		}
	}
	return append(kept, "CGO_ENABLED=0", "GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local", "GOOS="+goos, "GOARCH="+arch)
}

// build builds the program for a platform and returns where it is, and its bytes. What it
// is built from can't be asked there, so the linker is told.
func (s *source) build(platform string, strip bool) (name string, size int64, err error) {
	goos, arch, _ := strings.Cut(platform, "/")
	name = filepath.Join(s.dir, "built", fmt.Sprintf("umpire-%s-%s-%v", goos, arch, strip))
	flags := fmt.Sprintf("-buildid= -X umpire/referee/cli.commit=%s -X umpire/referee/cli.commitDate=%s", s.commit, s.date.Format(time.RFC3339))
	if strip {
		flags += " -s -w"
	}
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", flags, "-o", name, ".")
	c.Dir, c.Env, c.Stderr = s.dir, environment(goos, arch), os.Stderr
	if err := c.Run(); err != nil {
		return "", 0, fmt.Errorf("build for %s: %w", platform, err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return "", 0, err
	}
	if strip && info.Size() > maxBinary {
		err = fmt.Errorf("the binary for %s has %d bytes, expected at most %d", platform, info.Size(), int(maxBinary))
	}
	return name, info.Size(), err
}

// release writes an archive for each platform, and their checksums.
func (s *source) release(out string, platforms []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if there, err := os.ReadDir(out); err != nil || len(there) > 0 {
		return errors.Join(err, fmt.Errorf("%s: expected an empty folder", out))
	}
	own, err := s.ownFiles()
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, platform := range platforms {
		name, err := s.archive(out, platform, own)
		if err != nil {
			return err
		}
		archive, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(archive)
		fmt.Fprintf(&sums, "%x  %s\n", sum, name)
		fmt.Printf("%x  %5.1f MB  %s\n", sum, float64(len(archive))/1e6, name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// output runs a command in a folder and returns what it prints, without the last line
// end.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(append([]string{name}, args...), " "), err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
