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
			diagnosis(r).Print(a.out)
			return nil
		},
	}
}

// diagnosis returns the report on the machine as people read it.
func diagnosis(r sandbox.Report) report.Machine {
	v := report.Machine{Auto: string(r.Auto)}
	for _, t := range r.Levels {
		v.Levels = append(v.Levels, report.MachineLevel{Name: string(t.Level), OK: t.OK, Reason: t.Reason})
	}
	for _, c := range r.Checks {
		v.Checks = append(v.Checks, report.MachineCheck(c))
	}
	return v
}
