package cli

import (
	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/sandbox"
)

func (a *app) doctorCommand() *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "show what limits and isolation this machine can enforce",
		Flags: []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"}},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			a.setColour(c)
			r := sandbox.Doctor()
			if c.Bool("json") {
				return a.out.JSON().Encode(r)
			}
			a.diagnosis(r)
			return nil
		},
	}
}

// diagnosis prints a human-readable report on the machine.
func (a *app) diagnosis(r sandbox.Report) {
	a.printf("%s\n", a.out.Style(report.Bold, "isolation: --isolation auto is "+string(r.Auto)+" here"))
	for _, t := range r.Levels {
		if t.OK {
			a.printf("  %s %s\n", a.mark(true), t.Level)
		} else {
			a.printf("  %s %s: %s\n", a.mark(false), t.Level, t.Reason)
		}
	}
	a.printf("\n%s\n", a.out.Style(report.Bold, "checks"))
	for _, c := range r.Checks {
		a.printf("  %s %s: %s\n      %s\n", a.mark(c.OK), c.Name, c.Found, c.Means)
		if !c.OK && c.Get != "" {
			a.printf("      to get it: %s\n", c.Get)
		}
	}
}

func (a *app) mark(ok bool) report.Text {
	if ok {
		return a.out.Style(report.Green, "ok")
	}
	return a.out.Style(report.Yellow, "--")
}
