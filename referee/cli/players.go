package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/remote"
)

func playersCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "remote keys", Aliases: []string{"players"}, Usage: "add, remove and list remote players, who have keys",
		ArgsUsage: "add|remove|list FILE [NAME]",
		Description: "FILE holds a line for each player, its name and the SHA-256 of its key. `add` prints the key, once:\n" +
			"it is stored nowhere. umpire serve keeps its file in its folder: umpire-data/players.",
		Action: func(c *cli.Context) error {
			what, args := c.Args().First(), c.Args().Tail()
			names := map[string]int{"add": 2, "remove": 2, "list": 1}
			if n, ok := names[what]; !ok || len(args) != n {
				return usagef("found %q, expected `umpire remote keys add FILE NAME`, `remove FILE NAME` or `list FILE`", strings.Join(c.Args().Slice(), " "))
			}
			if _, err := os.Stat(args[0]); what != "add" && errors.Is(err, fs.ErrNotExist) {
				return usagef("%s: no such file: expected one that `umpire remote keys add FILE NAME` has made", args[0])
			}
			keys, err := remote.OpenKeys(args[0])
			if err != nil {
				return usage(err)
			}
			return changePlayers(a, keys, what, args)
		},
	}
}

func changePlayers(a *app, keys *remote.Keys, what string, args []string) error {
	switch what {
	case "list":
		for _, name := range keys.Names() {
			a.printf("%s\n", name)
		}
		return nil
	case "remove":
		return playerError(keys.Remove(args[1]))
	}
	if err := remote.CheckName(args[1]); err != nil {
		return usage(err)
	}
	key, err := keys.Add(args[1])
	if err == nil {
		a.printf("%s\n", key)
	}
	return playerError(err)
}

// playerError marks an error that the user can mend.
func playerError(err error) error {
	if errors.Is(err, remote.ErrKnown) || errors.Is(err, remote.ErrUnknown) {
		return usage(err)
	}
	return err
}
