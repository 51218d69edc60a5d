package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee/cli/shell"
	"umpire/referee/report"
	"umpire/referee/session"
)

func compareCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "compare", Usage: "say which of two bots is the stronger one, and how sure that is",
		ArgsUsage: "RUN [A B] | RUN RUN | GAME OLD NEW",
		Description: `Says in a sentence whether B, or the bot of the second RUN, or NEW, is stronger than the
other, by how much, and how sure that is; or about how many more matches it takes to tell.

- RUN [A B]: two bots of a run folder or results file, which may still be growing. Without A
  and B they are in the order of the run's tournament; where it has none, the one ahead is B
- RUN RUN: a bot of one run with the same bot of another, --bot NAME: what both played in the
  same seat, on the same case, under the same limits and against the same bots is compared
- GAME OLD NEW: plays first, like tournament, or like score where a match does not have two seats.
  --sprt ends the matches as soon as a sequential test has decided

Where the bots have met in matches of two seats, a pair of matches that differ only in who sits
where is one observation: the difference is in Elo, with its own 95 % interval, and Ptnml(0-2)
counts the pairs by the points that the second bot has scored in them: 0, ½, 1, 1½ or 2. Where
they have not met, cases are compared one by one.

--fail-if-worse exits with 1 if the second bot is weaker. If a sequential test (--sprt) of the
two has decided, it decides here, too: 1 if the second is not stronger by elo1 (H0).`,
		Flags: slices.Concat(playingFlags(), outputFlags(), []cli.Flag{
			&cli.StringFlag{Name: "bot", Usage: "of two runs: the bot `NAME`, or NAME#DIGEST, that both have"},
			&cli.BoolFlag{Name: "all", Usage: "count every record of a run folder, not only the matches of its tournament"},
			plotFlag(),
			&cli.BoolFlag{Name: "fail-if-worse", Usage: "exit with 1 if the second bot is weaker, or if --sprt has accepted H0"},
		}),
		Action: func(c *cli.Context) error { return runCompare(a, c) },
	}
}

// playingFlags are the flags of how bots play that are compared then.
func playingFlags() []cli.Flag {
	return slices.Concat(tournamentFlags(), caseFlags(), limitFlags(), runFlags(), guestFlags(outsidersOrWorkers), fleetFlags(), compressFlag(), picturesFlag())
}

func runCompare(a *app, c *cli.Context) error {
	s, err := strengthOf(a, c)
	if err != nil {
		return err
	}
	err = a.printResult(c, report.Exported{}, s, func(p *report.Printer) {
		if s.Print(p); c.Bool("plot") {
			s.PrintPlots(p)
		}
	})
	if err != nil {
		return err
	}
	if worse := s.Worse(); c.Bool("fail-if-worse") && worse != "" {
		return &answer{exitNo, fmt.Errorf("%s (--fail-if-worse)", worse)}
	}
	return nil
}

// strengthOf compares what the arguments name: runs, or bots, which play first.
func strengthOf(a *app, c *cli.Context) (*report.Strength, error) {
	args := c.Args().Slice()
	switch {
	case len(args) == 0:
		return nil, usagef("found nothing to compare, expected `umpire compare RUN`, `umpire compare RUN RUN` or `umpire compare GAME OLD NEW`")
	case !session.IsResults(args[0]):
		return playCompared(a, c)
	}
	for _, f := range playingFlags() {
		if name := f.Names()[0]; isTyped(c, name) && name != "all" {
			return nil, usagef("%s: `umpire compare RUN` plays nothing, it compares what was played", shell.Dashed(name))
		}
	}
	compared := session.Comparison{Selection: session.Selection{Umpire: a.umpire, Files: a.files, All: c.Bool("all")},
		Runs: args[:1], Bots: args[1:], Ordered: c.Bool("fail-if-worse")}
	switch {
	case len(args) == 2 && session.IsResults(args[1]):
		compared.Runs, compared.Bots = args, nil
		if c.IsSet("bot") {
			compared.Bots = []string{c.String("bot")}
		}
	case c.IsSet("bot"):
		return nil, usagef("--bot: found one run, expected two; of one run, name both bots: `umpire compare RUN A B`")
	case len(args) == 1:
		compared.Bots = nil
	case len(args) != 3:
		return nil, usagef("found %s after the run, expected two: `umpire compare RUN A B`", report.Plural(len(args)-1, "bot"))
	}
	return compared.Run()
}

// playCompared lets two bots play, and compares them.
func playCompared(a *app, c *cli.Context) (*report.Strength, error) {
	g, err := a.gameFirst(c)
	if unknown := (*session.UnknownGame)(nil); errors.As(err, &unknown) {
		return nil, usagef("%s: no such run or game%s", c.Args().First(), unknown.Hint)
	}
	if err != nil {
		return nil, err
	}
	if n := c.NArg() - 1; n != 2 && !c.Bool("resume") {
		return nil, usagef("found %s, expected two: `umpire compare %s OLD NEW`", report.Plural(n, "bot"), quote(c.Args().First()))
	}
	if g.MinSeats > 2 || g.MaxSeats < 2 {
		return playScored(a, c, g)
	}
	a.lasting = true
	t, err := openTournament(a, c)
	if err != nil {
		return nil, err
	}
	result, err := playTournament(a, c, t)
	if err != nil {
		return nil, tournamentStopped(a, c, result, errors.Join(err, result.Unfinished))
	}
	if result.Unfinished != nil {
		return nil, result.Unfinished
	}
	a.tell(c).Note("results: %s\n", fileLink(a.err, result.Results))
	bots := result.Session.Bots
	return session.Comparison{
		Selection: session.Selection{Umpire: a.umpire, Files: a.files}, Runs: []string{result.Results}, Bots: []string{bots[0].Name, bots[1].Name},
	}.Run()
}

// playScored lets two bots of a game whose matches do not have two seats play its cases.
func playScored(a *app, c *cli.Context, g protocols.Game) (*report.Strength, error) {
	if c.IsSet("sprt") {
		return nil, usagef("--sprt: a sequential test compares bots that meet in matches of two seats, and %s has %s", g.Name, g.SeatRange())
	}
	s, err := openScoring(a, c)
	if err != nil {
		return nil, err
	}
	var bots [2]string
	end := a.followed(c, &s.Play, func(now *session.Session) { bots = [2]string{now.Bots[0].Name, now.Bots[1].Name} })
	result, err := s.Run(c.Context)
	end()
	if err != nil {
		return nil, err
	}
	if len(result.NotJudged) > 0 {
		return nil, fmt.Errorf("could not judge %s: %s", result.NotJudged[0].Bot, result.NotJudged[0].Why)
	}
	found := report.NewStrengthByFormula(g.Name, result.Scores, bots[0], bots[1])
	if found == nil {
		return nil, usagef("no case was played by both, so there is nothing to compare")
	}
	return found, nil
}
