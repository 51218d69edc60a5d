package polygon

import (
	"path"
	"strings"

	"umpire/referee/external/problem"
)

// tags are those of Polygon: one of the verdicts must be on a test, and all others accept.
var tags = map[string][]string{
	"main":                            {problem.Accepted},
	"accepted":                        {problem.Accepted},
	"wrong-answer":                    {problem.WrongWay},
	"presentation-error":              {problem.WrongWay},
	"time-limit-exceeded":             {problem.TooSlow},
	"time-limit-exceeded-or-accepted": {problem.Accepted, problem.TooSlow},
	"time-limit-exceeded-or-memory-limit-exceeded": {problem.TooSlow, problem.FailedRun},
	"memory-limit-exceeded":                        {problem.FailedRun},
	"runtime-error":                                {problem.FailedRun},
	"rejected":                                     {problem.WrongWay, problem.TooSlow, problem.FailedRun},
	"failed":                                       {problem.WrongWay, problem.TooSlow, problem.FailedRun},
}

// findSolutions finds the solutions that come with the package.
func (f *folder) findSolutions() error {
	for _, e := range f.root.child("assets", "solutions").list("solution") {
		source := e.child("source")
		if source == nil {
			return f.wrong(e.line, "the solution has no <source>")
		}
		file, tag := path.Clean(source.attributes["path"]), e.attributes["tag"]
		required, known := tags[tag]
		name, inside := strings.CutPrefix(file, f.SubmissionDir+"/")
		switch {
		case f.Files[file] == "":
			return f.wrong(source.line, "found no file %q, a solution", source.attributes["path"])
		case !inside:
			f.Warn("%s:%d: %s: not tried: it is not in %s/", Marker, source.line, file, f.SubmissionDir)
		case strings.HasPrefix(source.attributes["type"], "python.2") || strings.HasPrefix(source.attributes["type"], "python.pypy2"):
			f.Warn("%s:%d: %s: not tried: it is in Python 2", Marker, source.line, file)
		case !known:
			f.Warn("%s:%d: %s: not tried: its tag %q says nothing of its verdicts", Marker, e.line, file, tag)
		default:
			f.Submissions = append(f.Submissions, problem.Submission{
				Name: name, Required: required, Permitted: append([]string{problem.Accepted}, required...),
			})
		}
		for _, extra := range e.child("extra-tags").list("extra-tag") {
			f.Warn("%s:%d: extra tag %q of %s does not count", Marker, extra.line, extra.attributes["tag"], file)
		}
	}
	return nil
}
