package cli

import (
	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/session"
)

func testLogCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "list the tests of a bot: its versions and what they earned",
		ArgsUsage: "BOT",
		Description: `Lists the tests of a bot that have been played to the end, the newest first: the beginning of
the digest of its files, the commit that was checked out, the total, and the points by group. The
log is kept in the user's folder for state and holds the newest 1,000 tests of all bots.`,
		Flags: []cli.Flag{jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("found %d arguments, expected one bot: `umpire log BOT`", c.NArg())
			}
			log, err := session.LoggedTests(program.ParseEntrant("", c.Args().First()))
			if err != nil {
				return usage(err)
			}
			return a.show(c, log, log.Print)
		},
	}
}
