package cli

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/keys"
	"umpire/referee/settings"
)

func fleetServeCommand(a *app) *cli.Command {
	only := []string{"listen", "url", "trusted-proxy", "access-log", "tls-cert", "tls-key", "insecure"}
	return &cli.Command{
		Name: "fleet serve", Usage: "run a server for runs and workers that come and go",
		Description: "Workers join it with `umpire fleet worker --join URL` and stay; what plays matches (tournament, test,\n" +
			"score) has them played there with --nats URL, several at the same time, which share the workers by\n" +
			"--priority. A run needs a key, `umpire fleet keys add NAME --run`, in UMPIRE_KEY or --token-file: it\n" +
			"sends programs to the workers, and is trusted by the other runs. SIGINT or SIGTERM ends it; runs and\n" +
			"workers wait for it to be there again.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "o", Value: "umpire-fleet", Usage: "keep what is under way, and the workers' secret, in folder `DIR`"},
			tokenFlag("the secret of workers is in `FILE` (default: a new one, in the folder of -o)"), keysFlag(keys.Worker), keysFlag(keys.Run),
			&cli.StringFlag{Name: "keep", Value: "720h", Usage: "remove what runs have left that nobody has resumed for `TIME`"},
			&cli.BoolFlag{Name: "quiet", Usage: "print only errors"}, logFlag(),
		}, slices.DeleteFunc(listenFlags("workers and runs"), func(f cli.Flag) bool { return !slices.Contains(only, f.Names()[0]) })),
		Action: func(c *cli.Context) error { return runFleetServe(a, c) },
	}
}

// runFleetServe is where workers and runs meet, until it is interrupted.
func runFleetServe(a *app, c *cli.Context) error {
	if c.Args().Present() {
		return usagef("found %q, expected no arguments", c.Args().First())
	}
	config, err := listenConfig(c)
	if err != nil {
		return err
	}
	token, err := readToken(c)
	if err != nil {
		return err
	}
	workers, err := userKeys(c, keys.Worker, false)
	if err != nil {
		return err
	}
	runs, err := userKeys(c, keys.Run, false)
	if err != nil {
		return err
	}
	keep, err := settings.ParseDuration(c.String("keep"))
	if err != nil {
		return usagef("--keep: %w", err)
	}
	s, err := broker.Start(filepath.Clean(c.String("o")), token, workers, runs)
	if err != nil {
		return usage(err)
	}
	defer s.Close()
	config.Workers, config.WorkersToken = s.Handler(), s.Token
	at, err := a.openGuests(c, listening{Config: config}, "")
	if err != nil {
		return err
	}
	at.Start()
	if !c.Bool("quiet") {
		a.note("listening on %s\n", at.URL)
		sayJoin(a, c, at, s)
		join := runAgain("tournament").flag("nats", at.URL).flags(c, "insecure")
		a.note("runs join with a key of `umpire fleet keys add NAME --run` in UMPIRE_KEY: %s …\n", join)
	}
	a.endless = true
	tick := time.NewTicker(fleet.BeatEvery)
	defer tick.Stop()
	for looked := (time.Time{}); ; {
		if time.Since(looked) > time.Hour {
			looked = time.Now()
			runs, err := s.Forget(c.Context, keep)
			for _, run := range runs {
				a.note("umpire: what run %s has left is removed: nobody has resumed it for %s\n", run, c.String("keep"))
			}
			if err != nil && c.Context.Err() == nil {
				a.note("umpire: remove what runs have left: %v\n", err)
			}
		}
		select {
		case <-tick.C:
			s.EndRemoved()
		case <-c.Context.Done():
			at.Hub.Stop()
			return at.Close()
		}
	}
}
