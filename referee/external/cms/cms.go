// Package cms reads packages of CMS in the Italian format whose tasks are of the type
// Communication: a folder becomes plain data. It runs nothing, and knows neither matches nor
// commands.
package cms

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"umpire/referee/contestant"
	"umpire/referee/external/problem"
	"umpire/referee/external/tree"
	"umpire/referee/interaction"
)

// Marker is the file that makes a folder a package.
const Marker = "task.yaml"

// Limits that the format does not say.
const (
	defaultTime = 2 * time.Second
	memory      = 2 << 30
	output      = 64 << 20 // bytes that each process of a submission may write
	judgeTime   = time.Minute
	judgeOutput = 64 << 20 // beside the input, which is in the same folder
)

// folder is a package that is being read.
type folder struct {
	*tree.Tree
	*problem.Problem
	task   *ast.File
	values written
	name   string // of the task
}

// wrong is a mistake in task.yaml, at a key.
func (f *folder) wrong(key, format string, args ...any) error {
	return f.Mistake(Marker, f.lineOf(key), format, args...)
}

func (f *folder) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// Load reads a package. An error is its author's to mend, or says what umpire does not
// judge, with file and line.
func Load(ctx context.Context, dir string) (*problem.Problem, error) {
	return load(ctx, dir, contestant.HasFIFOs)
}

func load(ctx context.Context, dir string, hasFIFOs bool) (*problem.Problem, error) {
	files, err := tree.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	f := &folder{Tree: files, Problem: problem.New(files.Path("."), interaction.CMS)}
	f.Interactive, f.SubmissionDir = true, "sol"
	f.Output, f.JudgeTime, f.JudgeMemory, f.JudgeOutput = output, judgeTime, memory, judgeOutput
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

// judgeFolders are the folders in which the format looks for what judges.
var judgeFolders = []string{"check", "cor"}

// besides are the suffixes of files beside a manager that are no programs.
var besides = []string{".h", ".hpp", ".o", ".d", ".txt", ".md", ".in", ".out", ".yaml", ".json"}

// findManager finds the manager: a source file, else an executable file.
func (f *folder) findManager() error {
	var sources []string
	built := ""
	for _, dir := range judgeFolders {
		for _, name := range f.In(dir) {
			stem, ext := strings.TrimSuffix(path.Base(name), path.Ext(name)), path.Ext(name)
			switch {
			case stem == "controller" && f.Files[name] != "":
				return f.Mistake(name, 0, "controllers of task-maker are not supported: expected %s/manager, which itself talks by the FIFOs that it gets", dir)
			case stem != "manager" || f.Files[name] == "":
			case ext == "" && built == "":
				built = name
			case ext != "" && !slices.Contains(besides, ext):
				sources = append(sources, name)
			}
		}
	}
	switch {
	case len(sources) > 1:
		return f.Mistake(sources[1], 0, "is a second manager beside %s, expected one", sources[0])
	case len(sources) == 1:
		if f.Judge = sources[0]; built != "" {
			f.warn("%s: not used: %s is built instead", built, f.Judge)
		}
	case built != "":
		f.Judge = built
	default:
		return f.Mistake(Marker, 0, "found no judge, expected check/manager, a source file or a program: of CMS, tasks of the type Communication are judged, and no batch tasks: convert them to packages of Kattis")
	}
	return nil
}

// stub begins the names of the files that are compiled with submissions.
const stub = "stub"

// findTalk finds how submissions talk with the manager, and what they are compiled with.
func (f *folder) findTalk() error {
	stubs := false
	for _, name := range f.In("sol") {
		base, ext := path.Base(name), path.Ext(name)
		isStub := strings.TrimSuffix(base, ext) == stub && f.Files[name] != ""
		if stubs = stubs || isStub; isStub || isHeader(base) && f.Files[name] != "" {
			if f.Include == nil {
				f.Include = make(map[string][]problem.Included)
			}
			f.Include[""] = append(f.Include[""], problem.Included{Name: base, File: name})
		}
	}
	if stubs {
		f.Stub, f.FileName = stub, f.name
	}
	f.Processes = 1
	if n := f.values.Processes; n != nil {
		if f.Processes = *n; *n < 1 || *n > interaction.MaxProcesses {
			return f.wrong("num_processes", "num_processes: found %d, expected 1 to %d", *n, interaction.MaxProcesses)
		}
	}
	switch io := f.values.UserIO; {
	case io == "":
		f.ByFIFOs = stubs
	case io == "fifo_io":
		f.ByFIFOs = true
	case io != "std_io":
		return f.wrong("user_io", "user_io: found %q, expected std_io or fifo_io", io)
	}
	return nil
}

// isHeader reports whether a file of sol/ is put beside submissions, beside the stub.
func isHeader(base string) bool {
	return slices.Contains([]string{".h", ".hpp"}, path.Ext(base)) || strings.HasSuffix(base, "lib.pas")
}
