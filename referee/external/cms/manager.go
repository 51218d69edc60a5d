package cms

import (
	"path"
	"slices"
	"strings"

	"umpire/referee/external/problem"
	"umpire/referee/interaction"
)

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
			f.Warn("%s: not used: %s is built instead", built, f.Judge)
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
