package cli

import (
	"os"
	"path/filepath"
	"slices"

	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/report"
)

// stderrFolder is the folder, beside the results, of standard error that is too
// long for a record.
const stderrFolder = "stderr"

// keepStderr keeps long standard error below a folder of results.
func (s *session) keepStderr(dir string) {
	s.stderrs = &contestant.StderrFolder{Dir: filepath.Join(dir, stderrFolder)}
}

// background returns what is known of the session's bots beyond the records.
func (s *session) background() report.Background {
	b := report.Background{IsFolder: func(name string) bool {
		return slices.ContainsFunc(s.bots, func(b program.Bot) bool { return b.Name == name && b.Program != nil && b.Program.Dir != "" })
	}}
	if s.stderrs != nil {
		b.WholeStderr = func(id string, seat int) string {
			path := s.stderrs.Path(id, seat)
			if _, err := os.Stat(path); err != nil {
				return ""
			}
			return path
		}
	}
	return b
}
