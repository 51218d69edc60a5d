package cli

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/keys"
	"umpire/referee/remote/serve"
)

func fleetServeCommand(a *app) *cli.Command {
	only := []string{"listen", "url", "trusted-proxy", "access-log", "tls-cert", "tls-key", "insecure"}
	return &cli.Command{
		Name: "fleet serve", Usage: "be where runs and workers meet that come and go",
		Description: "Workers join it with `umpire fleet worker --join URL` and stay; what plays matches (tournament, test,\n" +
			"score) has them played there with --nats URL, several at the same time, which share the workers by\n" +
			"--priority. A run needs a key, `umpire fleet keys add NAME --run`, in UMPIRE_KEY or --token-file: it\n" +
			"sends programs to the workers, and is trusted by the other runs. SIGINT or SIGTERM ends it; runs and\n" +
			"workers wait for it to be there again.",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "o", Value: "umpire-fleet", Usage: "keep what is under way, and the workers' secret, in folder `DIR`"},
			tokenFlag("the secret of workers is in `FILE` (default: a new one, in the folder of -o)"), workersFlag(), runsFlag(),
			&cli.BoolFlag{Name: "quiet", Usage: "print only errors"}, logFlag(),
		}, slices.DeleteFunc(listenFlags(), func(f cli.Flag) bool { return !slices.Contains(only, f.Names()[0]) })),
		Action: func(c *cli.Context) error { return runFleetServe(a, c) },
	}
}

// runFleetServe is where workers and runs meet, until it is interrupted.
func runFleetServe(a *app, c *cli.Context) error {
	if c.Args().Present() {
		return usagef("found %q, expected no arguments", c.Args().First())
	}
	if _, err := listenConfig(c); err != nil {
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
	s, err := broker.StartStanding(filepath.Clean(c.String("o")), token, workers, runs)
	if err != nil {
		return err
	}
	defer s.Close()
	none := func(string) (string, bool) { return "0", false } // there are no players to wait for
	g, err := a.openGuests(c, "", nil, none, func(config *serve.Config) {
		config.Workers, config.WorkersToken = s.Handler(), s.Token
	})
	if err != nil {
		return err
	}
	if !c.Bool("quiet") {
		a.note("listening on %s\n", g.server.URL)
		sayJoin(a, c, g.server, s)
		join := runAgain("tournament").flag("nats", g.server.URL).flags(c, "insecure")
		a.note("runs join with a key of `umpire fleet keys add NAME --run` in UMPIRE_KEY: %s …\n", join)
	}
	a.endless = true
	for tick := time.NewTicker(fleet.BeatEvery); ; {
		select {
		case <-tick.C:
			s.EndRemoved()
			continue
		case <-c.Context.Done():
			tick.Stop()
		}
		g.hub.Stop()
		return g.server.Close()
	}
}
