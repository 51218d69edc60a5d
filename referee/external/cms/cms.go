// Package cms reads packages of CMS in the Italian format whose tasks are of the type
// Communication: a folder becomes plain data. It runs nothing, and knows neither matches nor
// commands.
package cms

import (
	"context"
	"path"
	"slices"
	"strings"

	"umpire/referee/contestant"
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
)

// Load reads a package. An error is its author's to mend, or says what umpire does not
// judge, with file and line.
func Load(ctx context.Context, dir string) (*problem.Problem, error) {
	return load(ctx, dir, contestant.HasFIFOs)
}

func load(ctx context.Context, dir string, hasFIFOs bool) (*problem.Problem, error) {
	files, err := tree.Read(ctx, dir, nil)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := &folder{Tree: files, Problem: problem.New(files.Path("."), interaction.CMS)}
	f.Interactive, f.SubmissionDir, f.Include = true, "sol", make(map[string][]problem.Included)
	for _, read := range []func() error{f.readTask, f.findManager, f.readLimits, f.findTalk, f.findCases, f.findSubmissions, f.findStray} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	if !hasFIFOs {
		return nil, f.Mistake(Marker, 0, "a manager of CMS talks by FIFOs, which Windows does not have: judge it on Linux")
	}
	f.Digest = f.Sum(f.decides)
	f.Describe("a Communication task of CMS", nil)
	return f.Problem, nil
}

// decides reports whether a file determines how submissions are judged: no statement, and no
// solution.
func (f *folder) decides(name string) bool {
	if name == Marker || name == genFile || strings.HasPrefix(name, path.Dir(f.Judge)+"/") {
		return true
	}
	for _, list := range f.Include {
		if slices.ContainsFunc(list, func(i problem.Included) bool { return i.File == name }) {
			return true
		}
	}
	return slices.ContainsFunc(f.Cases, func(c problem.Case) bool { return f.Path(name) == c.Input })
}
