package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"umpire/referee/keys"
)

func playersCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "remote keys", Aliases: []string{"players"}, Usage: "add, remove and list remote players, who have keys",
		ArgsUsage: "add|remove|list FILE [NAME]",
		Description: "FILE holds a line for each player, its name and the SHA-256 of its key. `add` prints the key, once:\n" +
			"it is stored nowhere. umpire serve keeps its file in its folder: umpire-data/players.",
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args) < 2 || !isKeysCommand(args[0], args[2:]) {
				return usagef("found %q, expected `umpire remote keys add FILE NAME`, `remove FILE NAME` or `list FILE`", strings.Join(args, " "))
			}
			if _, err := os.Stat(args[1]); args[0] != "add" && errors.Is(err, fs.ErrNotExist) {
				return usagef("%s: no such file: expected one that `umpire remote keys add FILE NAME` has made", args[1])
			}
			file, err := keys.Open(args[1], keys.Player)
			if err != nil {
				return usage(err)
			}
			return changeKeys(a, file, keys.Player, args[0], args[2:], file.Remove)
		},
	}
}

func workerKeysCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "fleet keys", Usage: "add, remove and list workers, who have keys",
		ArgsUsage: "add|remove|list [NAME]",
		Description: "A worker with a key is known by its name in every run of this user. `add` prints the key, once, for\n" +
			"the worker's UMPIRE_KEY or --token-file; only its SHA-256 is stored. `remove` ends the worker, and its\n" +
			"matches of a run that is being played, or resumed, are played again by others. With --run the keys are\n" +
			"those of runs, which `umpire fleet serve` lets have workers.",
		Flags: []cli.Flag{
			keysFlag(keys.Worker),
			&cli.BoolFlag{Name: "run", Usage: "the keys of runs, for umpire fleet serve"}, keysFlag(keys.Run),
			&cli.BoolFlag{Name: "keep-results", Usage: "remove: keep the records that the worker has given"},
		},
		Action: func(c *cli.Context) error {
			args, kind := c.Args().Slice(), keys.Worker
			if c.Bool("run") || c.IsSet("runs") {
				kind = keys.Run
			}
			if kind == keys.Run && c.IsSet("workers") {
				return usagef("--workers: the keys are those of runs; expected --runs FILE")
			}
			if len(args) < 1 || !isKeysCommand(args[0], args[1:]) {
				return usagef("found %q, expected `umpire fleet keys add NAME`, `remove NAME` or `list`", strings.Join(args, " "))
			}
			if c.Bool("keep-results") && (args[0] != "remove" || kind == keys.Run) {
				return usagef("--keep-results: expected `umpire fleet keys remove NAME` with it")
			}
			file, err := userKeys(c, kind, args[0] != "add")
			if err == nil && args[0] == "add" && !c.IsSet(string(kind)+"s") {
				err = kind.MakeUserFolder()
			}
			if err != nil {
				return err
			}
			remove := file.Revoke
			if c.Bool("keep-results") || kind == keys.Run {
				remove = file.Remove
			}
			return changeKeys(a, file, kind, args[0], args[1:], remove)
		},
	}
}

// keysFlag is --workers or --runs.
func keysFlag(kind keys.Kind) cli.Flag {
	name := string(kind) + "s"
	return &cli.StringFlag{Name: name, Usage: fmt.Sprintf("%s and the hashes of their keys are in `FILE` (default: umpire/%[1]s in the user's folder for configurations)", name)}
}

// userKeys opens the file of --workers or --runs, which may have to be there, or the user's own.
func userKeys(c *cli.Context, kind keys.Kind, there bool) (*keys.File, error) {
	flag := string(kind) + "s"
	path := cmp.Or(c.String(flag), kind.UserFile())
	if path == "" {
		return nil, usagef("--%s: this system does not say where the user's configuration is; expected --%s FILE", flag, flag)
	}
	if _, err := os.Stat(path); there && c.IsSet(flag) && errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("--%s: %s: no such file: expected one that `umpire fleet keys add NAME --%s FILE` has made", flag, path, flag)
	}
	file, err := keys.Open(path, kind)
	return file, usage(err)
}

// isKeysCommand reports whether a command on keys has the names that it needs.
func isKeysCommand(what string, names []string) bool {
	n, ok := map[string]int{"add": 1, "remove": 1, "list": 0}[what]
	return ok && len(names) == n
}

// changeKeys does what a command on keys says. An error that the user can mend is marked.
func changeKeys(a *app, file *keys.File, kind keys.Kind, what string, names []string, remove func(name string) error) error {
	var err error
	switch what {
	case "list":
		for _, name := range file.Names() {
			a.printf("%s\n", name)
		}
	case "remove":
		err = remove(names[0])
	case "add":
		if err := kind.CheckName(names[0]); err != nil {
			return usage(err)
		}
		var key string
		if key, err = file.Add(names[0]); err == nil {
			a.printf("%s\n", key)
		}
	}
	if errors.Is(err, keys.ErrKnown) || errors.Is(err, keys.ErrUnknown) {
		return usage(err)
	}
	return err
}
