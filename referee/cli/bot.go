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
	g, err := a.umpire.Game(b.Game)
	if err != nil {
		return err
	}
	seat, err := numberFrom("UMPIRE_SEAT", 1, 1, g.MaxSeats)
	if err != nil {
		return err
	}
	least := max(seat, g.MinSeats)
	seats, err := numberFrom("UMPIRE_SEATS", least, least, g.MaxSeats)
	if err != nil {
		return err
	}
	if err := bots.Run(b, bots.NewTable(b.Game, seat, seats, a.files.In, a.stdout)); err != nil {
		return fmt.Errorf("bot %s: %w", full, err)
	}
	return nil
}

// numberFrom returns the number that a variable of the environment holds.
func numberFrom(variable string, otherwise, least, most int) (int, error) {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		expected := fmt.Sprintf("a number from %d to %d", least, most)
		if least == most {
			expected = strconv.Itoa(least)
		}
		return 0, usagef("%s: found %q, expected %s", variable, text, expected)
	}
	return n, nil
}
