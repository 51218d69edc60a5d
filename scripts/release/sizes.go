package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"umpire/referee/report/browser"
)

// printSizes prints how large the binaries are, and the parts of the first by the
// modules whose code and data they are.
func (s *source) printSizes(platforms []string) error {
	fmt.Println("| platform | stripped |\n|---|---|")
	sizes := make(map[string]int64)
	for _, platform := range platforms {
		_, size, err := s.build(platform, true)
		if err != nil {
			return err
		}
		sizes[platform] = size
		fmt.Printf("| %s | %.1f MB |\n", platform, float64(size)/1e6)
	}
	page, err := s.page()
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %.1f MB |\n", browser.PageName, float64(len(page))/1e6)
	return s.printParts(platforms[0], sizes[platforms[0]])
}

// printParts prints the parts of a binary of so many bytes.
func (s *source) printParts(platform string, whole int64) error {
	parts, err := s.parts(platform)
	if err != nil {
		return err
	}
	fmt.Printf("\n| part, %s | MB |\n|---|---|\n", platform)
	rest, unnamed := 0, int(whole)
	for _, size := range parts {
		unnamed -= size
	}
	for _, part := range slices.SortedFunc(maps.Keys(parts), func(a, b string) int { return cmp.Or(cmp.Compare(parts[b], parts[a]), strings.Compare(a, b)) }) {
		if parts[part] < leastPart {
			rest += parts[part]
			continue
		}
		fmt.Printf("| %s | %.2f |\n", part, float64(parts[part])/1e6)
	}
	fmt.Printf("| others | %.2f |\n| no symbol: Go's tables of lines, texts, files in the binary | %.2f |\n", float64(rest)/1e6, float64(unnamed)/1e6)
	return nil
}

// leastPart is how many bytes a part has that is printed.
const leastPart = 100e3

// parts returns how many bytes of symbols each module has in the binary.
func (s *source) parts(platform string) (map[string]int, error) {
	name, _, err := s.build(platform, false)
	if err != nil {
		return nil, err
	}
	modules, err := output(s.dir, "go", "list", "-m", "all")
	if err != nil {
		return nil, err
	}
	var paths []string
	for line := range strings.Lines(modules) {
		paths = append(paths, strings.Fields(line)[0])
	}
	c := exec.Command("go", "tool", "nm", "-n", "-size", name)
	c.Stderr = os.Stderr
	symbols, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, err
	}
	parts, inFile := make(map[string]int), true
	for lines := bufio.NewScanner(symbols); lines.Scan(); {
		fields := strings.Fields(lines.Text()) // address, size, type, symbol
		if len(fields) < 4 {
			continue
		}
		inFile = inFile && fields[3] != "runtime.bss" // what is zero at first comes last
		if size, err := strconv.Atoi(fields[1]); err == nil && inFile {
			parts[partOf(strings.Join(fields[3:], " "), paths)] += size
		}
	}
	return parts, c.Wait()
}

// partOf returns the module that a symbol belongs to, as far as its name says.
func partOf(symbol string, modules []string) string {
	for _, prefix := range []string{"go:", "type:"} {
		if strings.HasPrefix(symbol, prefix) {
			return "Go's tables of functions and types"
		}
	}
	longest := ""
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(symbol, m); ok && rest != "" && strings.ContainsAny(rest[:1], "./") && len(m) > len(longest) {
			longest = m
		}
	}
	return cmp.Or(longest, "Go's standard library")
}
