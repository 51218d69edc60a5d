package kattis

import (
	"slices"
	"strings"

	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
)

// Marker is the file that makes a folder a package.
const Marker = "problem.yaml"

// folder is a package that is being read: its files, and the problem that they make.
type folder struct {
	*tree.Tree
	problem *problem.Problem
}

// lineIn is the first line of a file that begins with a key; 0 if there is none.
func (f *folder) lineIn(name, key string) int {
	text, _ := f.Text(name)
	for n, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " -\"'"), key) {
			return n + 1
		}
	}
	return 0
}

// filesOf are the files of a program of the package: itself, or those directly in its folder.
func (f *folder) filesOf(program string) []string {
	if !f.Dirs[program] {
		return []string{program}
	}
	return slices.DeleteFunc(f.In(program), func(name string) bool { return f.Dirs[name] })
}
