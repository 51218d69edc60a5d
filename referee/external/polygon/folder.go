package polygon

import (
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
)

// Marker is the file that makes a folder a package.
const Marker = "problem.xml"

// folder is a package that is being read.
type folder struct {
	*tree.Tree
	*problem.Problem
	root    *element
	testset *element
	groups  map[string][]string // cases of each group, by its name
	tests   map[string]bool     // inputs and answers, by their paths
}

// wrong is a mistake in problem.xml.
func (f *folder) wrong(line int, format string, args ...any) error {
	return f.Mistake(Marker, line, format, args...)
}
