package cli

import (
	"cmp"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/report"
	"umpire/referee/scoring"
	"umpire/referee/session"
)

func scoreCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "score", Usage: "score submissions: points by formula, over groups of cases",
		ArgsUsage: "GAME BOT...",
		Description: "Plays every submission on the game's cases, or on those of --cases, and ranks them.\n" +
			"With --from, stored results are scored again and nothing is played; for BOTs given as well,\n" +
			"only matches not stored yet are played. The formula may use P (what a case is worth),\n" +
			"X (the score there), Y (the baseline), win tie loss ok place seats wall cpu.",
		Flags: slices.Concat(caseFlags(), scoreFlags(), limitFlags(), runFlags(), guestFlags(outsidersOrWorkers), fleetFlags(), outputFlags(), compressFlag(), picturesFlag(), []cli.Flag{appendFlag(), exportFlag(exportForms...)}, packageFlags()),
		Action: func(c *cli.Context) error {
			if err := checkCompress(c); err != nil {
				return err
			}
			return runScore(a, c)
		},
	}
}

func scoreFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "formula", Usage: "points that a case earns: `EXPR` of P X Y win tie loss … (default: the game's)"},
		&cli.StringFlag{Name: "baseline", Usage: "`NUMBER|best|FILE`: Y of the formula: a number, the best X on the case, or from a file of lines case,Y, or of results"},
		&cli.StringSliceFlag{Name: "from", Usage: "score the stored results in `FILE` (- is standard input; may be repeated)"},
	}
}

// runScore carries out the command. Errors in the arguments are found before a match is
// played.
func runScore(a *app, c *cli.Context) error {
	s, err := openScoring(a, c)
	if err != nil {
		return err
	}
	v := report.Scores{Game: s.Game, Formula: s.Formula, Quiet: c.Bool("quiet"), Verbose: c.Bool("verbose")}
	end := a.followed(c, &s.Play, func(now *session.Session) { v.Under = under(now) })
	result, err := s.Run(c.Context)
	end()
	v.Of, v.Cases, v.NotJudged, v.NoTotal = result.Scores, result.Cases, result.NotJudged, result.NoTotal
	if err == nil || result.Matches == 0 && !interrupted(err) {
		if err == nil {
			err = a.printResult(c, v.Export(), v.JSON(), v.Print)
		}
		return cmp.Or(err, result.Failure())
	}
	a.stopSaid = true
	why := "interrupted"
	if !interrupted(err) { // then the cause comes first
		why, err = "stopped", &answer{a.code(err), nil}
	} else if result.Whole > 0 && forPeople(a, c) {
		a.exports = nil // a file is to hold the whole result
		if err := a.printResult(c, v.Export(), v.JSON(), v.Print); err != nil {
			return err
		}
		a.note("umpire: all matches of %d of %s have been played\n", result.Whole, report.Plural(result.Submissions, "submission"))
	}
	a.sayFinished(why, result.Finished, result.Matches, result.Records)
	if result.Records == "" {
		a.sayAgain("to begin again", repeatAppending(c))
	} else {
		a.sayAgain("to resume", resumeScore(c, result.Records))
	}
	return err
}

// openScoring says what is scored, and how.
func openScoring(a *app, c *cli.Context) (s session.Score, err error) {
	if !c.Args().Present() {
		return s, usagef("found no game, expected `umpire score GAME BOT...`")
	}
	g, err := a.gameFirst(c)
	if err != nil {
		return s, err
	}
	formula := cmp.Or(c.String("formula"), g.Formula)
	s = session.Score{Baseline: c.String("baseline"), From: c.StringSlice("from"), OneSeed: c.IsSet("seed") && c.NArg() == 1, Files: a.files}
	if s.Formula, err = scoring.Compile(formula); err != nil {
		return s, usagef("--formula: %w", err)
	}
	if s.Baseline != "" && !s.Formula.Uses("Y") {
		a.note("umpire: the formula %s does not use Y: --baseline changes nothing\n", formula)
	}
	bots := c.NArg() > 1
	switch {
	case len(s.From) == 0 && !bots:
		return s, usagef("found no bots, expected `umpire score %s BOT...` or --from FILE", g.Name)
	case !bots && c.String("o") != "":
		return s, usagef("-o: no match is played, so there is nothing to write; expected bots, or no -o")
	}
	if err := newResults(c, s.From...); err != nil {
		return s, err
	}
	if s.Choice, err = caseChoice(flagValues(c)); err != nil {
		return s, usage(err)
	}
	s.Play, err = a.play(c, g, program.ParseEntrants("", c.Args().Tail()), flagValues(c))
	noteDefaults(a, c, s.Play)
	return s, err
}

// resumeScore returns the command that resumes a scoring from the stored results.
func resumeScore(c *cli.Context, stored string) string {
	from := c.StringSlice("from")
	if !slices.Contains(from, stored) {
		from = append(from, stored)
	}
	a := runAgain("score", c.Args().Slice()...)
	for _, name := range from {
		a.flag("from", name)
	}
	return a.flags(c, flagNames(c, "from")...).String()
}
