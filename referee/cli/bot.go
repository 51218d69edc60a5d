package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/bots"
)

func botCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "bot", Usage: "run a built-in bot on standard input and output",
		ArgsUsage:   "GAME/NAME",
		Description: "The environment variables UMPIRE_SEAT and UMPIRE_SEATS give its seat (default: seat 1).",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("found %d arguments, expected one bot", c.NArg())
			}
			return runBot(a, c.Args().First())
		},
	}
}

// runBot plays one match of a built-in bot.
func runBot(a *app, name string) error {
	full := strings.TrimPrefix(name, "@")
	i := slices.Index(a.umpire.Bots, full)
	if i < 0 {
		return usagef("found bot %q, expected one of %s", name, strings.Join(a.umpire.Bots, ", "))
	}
	b := a.bots[i]
	seat, err := seatFrom("UMPIRE_SEAT", 1)
	if err != nil {
		return err
	}
	g, err := a.umpire.Game(b.Game)
	if err != nil {
		return err
	}
	seats, err := seatFrom("UMPIRE_SEATS", max(seat, g.MinSeats))
	if err != nil {
		return err
	}
	if err := bots.Run(b, bots.NewTable(b.Game, seat, seats, a.files.In, a.stdout)); err != nil {
		return fmt.Errorf("bot %s: %w", full, err)
	}
	return nil
}

func seatFrom(variable string, otherwise int) (int, error) {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 64 {
		return 0, usagef("%s: found %q, expected a seat from 1", variable, text)
	}
	return n, nil
}
