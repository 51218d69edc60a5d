package session

import (
	"umpire/referee/report"
	"umpire/referee/tournament"
)

// recordedRun is the tournament of a run folder, as its records tell it.
type recordedRun = tournament.Run

// followLooks has a run follow the decisions that are recorded in its folder.
func followLooks(run *tournament.Run, dir string) error {
	if run.Adaptive == nil {
		return nil
	}
	looks, err := tournament.ReadLooks(dir)
	run.Record(looks)
	return err
}

// showRounds adds the rounds of a run, if it is played in rounds, to its standings, or how
// far its order is decided.
func showRounds(v *report.Standings, run *tournament.Run) {
	if a := run.Adaptive; a != nil && len(run.Bots) > 1 {
		decision, pairs := run.Ended()
		v.Until = report.NewUntil(a.Until, decision, pairs, run.Order(), func(bot int) string { return run.Bots[bot].Name })
	}
	if b, ok := run.Bracket(); ok {
		v.ShowBracket(b)
	} else if run.Plan.Format == tournament.Swiss {
		name := func(bot int) string { return run.Bots[bot].Name }
		v.ShowSwiss(report.Encounters(run.Meetings(), name, 2*len(run.Plan.Plays), run.Plan.Rank))
	}
}
