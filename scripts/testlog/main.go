// Testlog reads what `go test -json` prints and shows what matters of it: each
// package's last line, all output of tests that fail, and in the end the slowest
// tests and what was skipped, by package and reason.
//
//	go test -json ./... | go run ./scripts/testlog
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := show(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
}

// event is a line of go test's.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64 // seconds
}

// slow is a test that took long; its subtests are parts of it.
type slow struct {
	test    string
	seconds float64
}

// slowest is how many slow tests are shown, and slowSeconds how long each took at
// least.
const (
	slowest     = 15
	slowSeconds = 5
)

// skips are the tests of a package that were skipped, by reason.
type skips map[string][]string

// running holds what the tests of a package have printed that are not over; the
// name "" is the package's.
type running map[string]*strings.Builder

// show prints events as they come, and then what was slow and what was skipped.
func show(in io.Reader, out io.Writer) error {
	packages, skipped := make(map[string]running), make(map[string]skips)
	var long []slow
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var e event
		if !bytes.HasPrefix(lines.Bytes(), []byte("{")) || json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text()) // of go itself
			continue
		}
		if packages[e.Package] == nil {
			packages[e.Package], skipped[e.Package] = make(running), make(skips)
		}
		packages[e.Package].take(e, skipped[e.Package], out)
		if e.Test != "" && !strings.Contains(e.Test, "/") && e.Elapsed >= slowSeconds {
			long = append(long, slow{e.Package + "." + e.Test, e.Elapsed})
		}
	}
	slices.SortStableFunc(long, func(a, b slow) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, s := range long[:min(len(long), slowest)] {
		fmt.Fprintf(out, "slow: %6.1f s  %s\n", s.seconds, s.test)
	}
	summary(skipped, out)
	return lines.Err()
}

// take takes an event.
func (r running) take(e event, skipped skips, out io.Writer) {
	printed := r[e.Test]
	if printed == nil {
		printed = new(strings.Builder)
		r[e.Test] = printed
	}
	switch e.Action {
	case "build-output":
		fmt.Fprint(out, e.Output)
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") { // the course of the tests
			printed.WriteString(e.Output)
		}
	case "skip":
		if e.Test != "" {
			why := reason(printed.String())
			skipped[why] = append(skipped[why], e.Test)
		}
		r.end(e, out)
	case "pass":
		r.end(e, out)
	case "fail":
		if e.Test != "" {
			fmt.Fprint(out, printed.String())
		} else {
			r.interrupted(out)
		}
		r.end(e, out)
	}
}

// end forgets a test that is over, and shows a package's last line.
func (r running) end(e event, out io.Writer) {
	if e.Test == "" {
		for line := range strings.Lines(r[""].String()) {
			if closing.MatchString(line) || e.Action == "fail" {
				fmt.Fprint(out, line)
			}
		}
	}
	delete(r, e.Test)
}

// closing is a package's last line.
var closing = regexp.MustCompile(`^(ok|FAIL|\?|---) ?\s`)

// interrupted shows the output of tests that had no end.
func (r running) interrupted(out io.Writer) {
	for _, test := range slices.Sorted(maps.Keys(r)) {
		if test != "" {
			fmt.Fprint(out, r[test].String())
		}
	}
}

// logged is what a test logs, with the place in its source.
var logged = regexp.MustCompile(`(?m)^\s*\S+\.go:\d+: (.*)$`)

// reason returns why a test was skipped, which is the last that it has logged.
func reason(printed string) string {
	found := logged.FindAllStringSubmatch(printed, -1)
	if len(found) == 0 {
		return "no reason given"
	}
	return found[len(found)-1][1]
}

// shown is how many of the tests that were skipped for one reason are named.
const shown = 3

func summary(skipped map[string]skips, out io.Writer) {
	for _, pkg := range slices.Sorted(maps.Keys(skipped)) {
		byReason := skipped[pkg]
		if len(byReason) == 0 {
			continue
		}
		fmt.Fprintf(out, "skipped in %s:\n", pkg)
		first := func(a, b string) int { return cmp.Compare(byReason[a][0], byReason[b][0]) }
		for _, why := range slices.SortedFunc(maps.Keys(byReason), first) {
			tests := byReason[why]
			names := strings.Join(tests[:min(len(tests), shown)], ", ")
			if more := len(tests) - shown; more > 0 {
				names += fmt.Sprintf(" and %d more", more)
			}
			fmt.Fprintf(out, "  %s: %s\n", names, why)
		}
	}
}
