package cli

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/session"
)

// runSubmissions judges the submissions that a problem package brings along.
func runSubmissions(a *app, c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("--submissions: found %d arguments, expected the path of a problem package alone", c.NArg())
	}
	if err := apart(c, "submissions", append(chosenBy(c), "against", "fail-under", "watch", "resume", "all")...); err != nil {
		return err
	}
	t := session.Submissions{Only: c.String("only")}
	var err error
	if t.Play, err = a.playOf(c); err != nil {
		return err
	}
	if a.umpire.Problem(t.Game) == nil {
		return usagef("--submissions: %s is no problem package, whose submissions could be judged", t.Game.Name)
	}
	view := report.Submissions{Quiet: c.Bool("quiet")}
	end := a.followed(c, &t.Play, func(s *session.Session) {
		view.Title = fmt.Sprintf("%s: %s on %s, %s", s.Game.Title, report.Plural(len(s.Bots), "submission"), report.Plural(len(s.Set.Cases), "case"), under(s))
	})
	view.Result, err = t.Run(c.Context)
	end()
	if err != nil {
		return err
	}
	return cmp.Or(a.printResult(c, view.Export(), view.Result, view.Print), session.JudgeFailure(view.Result), yes(view.Result.Fine))
}
