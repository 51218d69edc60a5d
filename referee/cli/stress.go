package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func stressFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "stress", Usage: "of a problem package: try inputs that `CMD` prints, a source file or a command line, to which a seed and a size are added, until two of the given BOTs differ; -n tries so many"},
		&cli.StringFlag{Name: "for", Usage: "with --stress: begin no more inputs after `DURATION`"},
	}
}

// withoutStress are flags that mean nothing where inputs are generated.
var withoutStress = []string{
	"against", "fail-under", "failed", "lost", "below", "worst", "resume", "all", "submissions", "only", "watch", "case", "cases", "group", "seed", "events", "export", "append",
}

// runStress looks for an input on which submissions to a problem package differ.
func runStress(a *app, c *cli.Context) error {
	if err := apart(c, "stress", withoutStress...); err != nil {
		return err
	}
	t, err := stressOf(a, c)
	if err != nil {
		return err
	}
	bar := a.progress("test", t.Tries, c.Bool("quiet"))
	removing := ""
	bar.State = func() string { return removing }
	t.Tried = bar.Count
	t.Removing = func(lines int) {
		if removing = "found; " + report.Plural(lines, "line") + " left"; t.Tries > 0 {
			bar.Add(1, 0)
		}
		bar.Count()
	}
	result, err := t.Run(c.Context)
	bar.End()
	view := report.Stress{Result: result.StressResult, Quiet: c.Bool("quiet")}
	view.Title = fmt.Sprintf("%s: %s, isolation %s", t.Game.Title, report.Plural(len(t.Entrants), "submission"), result.Isolation)
	if view.Result.Found {
		view.Result.Again = replayFound(c, result)
	}
	switch {
	case err != nil && !result.Found:
		if interrupted(err) {
			a.note("umpire: interrupted; no difference on %s\n", report.Plural(result.Tries, "input"))
			a.stopSaid = true
		}
		return err
	case interrupted(err):
		a.note("umpire: interrupted before all lines were tried\n")
	case err != nil:
		return err
	}
	return cmp.Or(a.show(c, view.Result, view.Print), yes(!view.Result.Found))
}

// stressOf says what is to be looked for.
func stressOf(a *app, c *cli.Context) (t session.Stress, err error) {
	if c.NArg() == 0 {
		return t, usagef("--stress: found no package, expected `umpire test PACKAGE BOT BOT --stress CMD`")
	}
	t = session.Stress{Generator: c.String("stress"), Dir: c.String("o")}
	if t.Generator == "" {
		return t, usagef("--stress: found nothing, expected a source file or a command line")
	}
	g, err := a.gameFirst(c)
	if err != nil {
		return t, err
	}
	if a.umpire.Problem(g) == nil {
		return t, usagef("--stress: %s is no problem package", g.Name)
	}
	if n := c.NArg() - 1; n < 2 {
		return t, usagef("--stress: found %s, expected at least two, which may differ: such as @NAME of the package's submissions, and one of yours", report.Plural(n, "bot"))
	}
	if t.Tries, err = flagValues(c).count(settings.N.Name); err != nil {
		return t, err
	}
	if text := c.String("for"); text != "" {
		if t.For, err = time.ParseDuration(text); err != nil || t.For <= 0 {
			return t, usagef("--for: found %q, expected a duration such as 10m", text)
		}
	}
	if t.Play, err = a.play(c, g, program.ParseEntrants("", c.Args().Tail()), flagValues(c)); err != nil {
		return t, err
	}
	t.Set, err = a.umpire.Choose(c.Context, g, cases.Choice{})
	return t, usage(err)
}

// replayFound is the command that judges one of the two that differ, which is not ok, on what
// was found.
func replayFound(c *cli.Context, r session.StressResult) string {
	label := r.Labels[1]
	if r.Bots[0].Verdict != "ok" {
		label = r.Labels[0]
	}
	return runAgain("match", c.Args().First(), label).flag("case", r.Input).flags(c, settings.Names(settings.Conditions)...).
		flags(c, "languages", "format", "judge", "judge-format", "trust").String()
}
