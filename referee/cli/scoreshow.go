package cli

import (
	"umpire/referee/report"
	"umpire/referee/scoring"
)

func (k *scorer) show(scores scoring.Scores) error {
	v := report.Scores{
		Game: k.game, Of: scores, Formula: k.task.Formula, Cases: len(k.task.Set.Cases),
		Quiet: k.c.Bool("quiet"), Verbose: k.c.Bool("verbose"),
	}
	if k.launcher != nil {
		v.Under = k.under()
	}
	return k.printResult(k.c, k.exports, v.Export(), report.ScoresJSON{Game: k.game.Name, Scores: scores}, v.Print)
}
