package cli

import (
	"github.com/urfave/cli/v2"

	"umpire/referee/report"
)

func (a *app) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page",
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("found %q, expected no argument", c.Args().First())
			}
			var commands []report.Manual
			for _, one := range c.App.VisibleCommands() {
				commands = append(commands, a.commandManual(one))
			}
			_, err := a.stdout.Write(report.ManPage(a.manual(c.App), commands, Version))
			return err
		},
	}
}
