package cli

import (
	"cmp"
	"crypto/x509"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/report"
)

func workersCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "fleet status", Aliases: []string{"workers"}, Usage: "show the workers of a run, and how far it is",
		Description: "Asks the umpire that spreads its matches (tournament, test, score or compare with --listen or --nats): which\n" +
			"workers play, how fast, when each was last heard of, and why others were refused or pause. At `umpire fleet\n" +
			"serve`, or a NATS server, all runs are shown, with --json each in a line of its own.",
		Flags: slices.Concat(joinFlags("ask the umpire, or the NATS server, at `URL`", "ask"), []cli.Flag{
			jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		}),
		Action: func(c *cli.Context) error { return showWorkers(a, c) },
	}
}

// joinFlags are the flags that say where a run is, and with which secret.
func joinFlags(join, verb string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "join", Usage: join},
		tokenFlag("the secret of workers is in `FILE` (default: in UMPIRE_KEY)"),
		authorityFlag(),
		&cli.BoolFlag{Name: "insecure", Usage: verb + " beyond this machine without TLS: anybody on the way can read the secret"},
	}
}

// reachError marks an error of reaching the server that a flag names, where the
// user can mend it.
func reachError(flag string, err error) error {
	switch {
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return usagef("--%s: %w; if the certificate is the right one, trust it with --tls-ca FILE", flag, err)
	case errors.As(err, new(*fleet.AddressError)):
		return usagef("--%s: %w", flag, err)
	}
	return err
}

// joined reads the values of joinFlags.
func joined(c *cli.Context) (*worker.Worker, error) {
	if c.Args().Present() || c.String("join") == "" {
		return nil, usagef("expected `umpire %s --join URL --token-file FILE`", c.Command.Name)
	}
	token, err := readToken(c)
	if err != nil {
		return nil, err
	}
	authority, err := trusted(c.String("tls-ca"))
	if err != nil {
		return nil, err
	}
	insecure := c.Bool("insecure")
	return &worker.Worker{
		URL: fleet.CompleteURL(c.String("join"), insecure, authority != nil), Token: cmp.Or(token, secretOfEnv()), Insecure: insecure, TLS: authority,
	}, nil
}

// showWorkers prints the state of a run's workers.
func showWorkers(a *app, c *cli.Context) error {
	w, err := joined(c)
	if err != nil {
		return err
	}
	list, err := w.Look(c.Context)
	if err != nil {
		return reachError("join", err)
	}
	if len(list) == 0 && !c.Bool("json") {
		a.printf("no run is being played at %s\n", fleet.HideSecrets(w.URL))
	}
	for i := range list {
		switch {
		case c.Bool("json"):
			if err := a.out.JSON().Encode(list[i]); err != nil {
				return err
			}
			continue
		case i > 0:
			a.printf("\n")
		}
		report.PrintFleet(a.out, &list[i])
	}
	return nil
}
