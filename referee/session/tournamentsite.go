package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"umpire/referee/pattern"
	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/tournament"
)

// workingFolder matches the line of a configuration that says where umpire was started.
var workingFolder = pattern.New(`(?m)^folder: .*\n`)

// DescribeRun adds to a run what its folder says of it. It returns the command that plays
// what is missing, as that was when it was played; ok is false unless it is that of a
// tournament.
func DescribeRun(run *html.Run, dir string) (resume string, ok bool) {
	config, info, err := tournament.Before(dir)
	if err != nil {
		return "", false // another command's results, or a file
	}
	if text, err := os.ReadFile(filepath.Join(dir, tournament.ConfigFile)); err == nil {
		run.Config = workingFolder().ReplaceAllString(string(text), "") // which is nobody's business
	}
	run.Facts = append(run.Facts,
		html.Fact{Name: "format", Value: string(info.Format)}, html.Fact{Name: "seed", Value: fmt.Sprint(info.Seed)},
		html.Fact{Name: "cases", Value: casesOf(config, info)})
	for _, one := range info.Runs {
		m := one.Machine
		fact, how := "played on", []string{report.Plural(one.Jobs, "job"), "isolation " + one.Isolation}
		if one.Jobs == 0 {
			fact, how = "given to workers by", nil
		}
		all := slices.Concat([]string{one.Started, m.System, m.CPU, fmt.Sprintf("%d CPUs", m.CPUs)}, how, []string{"umpire " + one.Umpire})
		run.Facts = append(run.Facts, html.Fact{Name: fact, Value: strings.Join(all, ", ")})
	}
	return info.Resume, true
}

// casesOf says how many cases every pair or table plays, and of how many.
func casesOf(config tournament.Config, info tournament.Info) string {
	all := len(info.Cases)
	if n := config.CasesPerPair; n != nil && *n > 0 && *n != all {
		return fmt.Sprintf("%d for every pair, of %d", *n, all)
	}
	return fmt.Sprint(all)
}
