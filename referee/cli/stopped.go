package cli

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"umpire/referee/record"
	"umpire/referee/report"
)

// What an interrupted command says of what was finished, and how to go on.

func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

// sayAgain names the command line that does something again.
func (a *app) sayAgain(what, command string) {
	a.note("umpire: %s: %s\n", what, report.Safe(command))
}

// repeatAppending returns the command line as it was given, with what it needs where
// the stopped command has left records.
func repeatAppending(c *cli.Context) string {
	command := repeat(c)
	if dir := c.String("o"); dir != "" && record.Played(dir) && !c.Bool("append") {
		command.flag("append")
	}
	return command.String()
}

func (a *app) sayFinished(finished, matches int, kept string) {
	if kept != "" {
		kept = ", kept in " + kept
	}
	a.note("umpire: interrupted; %d of %d matches finished%s\n", finished, matches, kept)
}
