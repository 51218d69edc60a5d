package cli

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/session"
)

func doctorCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "show what limits and isolation this machine can enforce",
		Flags: []cli.Flag{
			jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"},
			&cli.BoolFlag{Name: "calm", Usage: "compute on all CPUs for 3 s, and say whether the machine is quiet enough for the games' time budgets"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			r, untried := sandbox.Doctor()
			r.Checks = append(r.Checks, session.CheckMemory(a.umpire.Games))
			if c.Bool("calm") {
				r.Checks = append(r.Checks, session.CheckCalm(a.umpire.Games))
			}
			return cmp.Or(untried, a.show(c, r, diagnosis(r).Print))
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
