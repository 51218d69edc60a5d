package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"umpire/referee/report"
	"umpire/referee/report/html"
	"umpire/referee/tournament"
)

// describeRun adds to a run what its folder says of it, if it is a tournament's.
func describeRun(run *html.Run, dir string) {
	_, info, err := tournament.Before(dir)
	if err != nil {
		return // another command's results, or a file
	}
	if text, err := os.ReadFile(filepath.Join(dir, tournament.ConfigFile)); err == nil {
		run.Config = string(text)
	}
	run.Facts = append(run.Facts,
		html.Fact{Name: "format", Value: string(info.Format)}, html.Fact{Name: "seed", Value: fmt.Sprint(info.Seed)},
		html.Fact{Name: "cases", Value: fmt.Sprint(len(info.Cases))})
	for _, one := range info.Runs {
		m := one.Machine
		run.Facts = append(run.Facts, html.Fact{Name: "played on", Value: strings.Join([]string{
			one.Started, m.System, m.CPU, fmt.Sprintf("%d CPUs", m.CPUs), fmt.Sprintf("%d jobs", one.Jobs), "isolation " + one.Isolation, "umpire " + one.Umpire,
		}, ", ")})
	}
	run.Commands = append(run.Commands,
		html.Command{What: "The whole tournament again", Line: info.Repeat},
		html.Command{What: "Play what is missing", Line: info.Resume})
}

// showOn sets the rounds of a site, and the order that follows from them.
func (r rounds) showOn(site *html.Site) {
	switch {
	case r.isKnockout:
		site.Knockout = &r.knockout
	case r.swiss != nil:
		rank := site.Game.Rank
		done, running := r.swiss.Rounds(rank)
		site.Lead, site.LeadColumns = r.swiss.Order(rank, done), report.SwissLead()
		if running != nil {
			done = append(done, running)
		}
		name := func(bot int) string { return r.swiss.Bots[bot].Name }
		site.Rounds = report.Encounters(done, name, r.swiss.Matches, rank)
	}
}
