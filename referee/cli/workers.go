package cli

import (
	"errors"

	"github.com/urfave/cli/v2"

	"umpire/referee/fleet"
)

func (a *app) workersCommand() *cli.Command {
	return &cli.Command{
		Name: "workers", Usage: "the workers of a run, and how far it is",
		Description: "Asks the umpire that spreads its matches (tournament, test or score with --listen or --nats): which\n" +
			"workers play, how fast, when each was last heard of, and why others were refused or pause.",
		Flags: flags(joinFlags("ask the umpire, or the NATS server, at `URL`", "ask"), []cli.Flag{
			jsonFlag(), &cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		}),
		Action: func(c *cli.Context) error { return a.workers(c) },
	}
}

// joinFlags are the flags that say where a run is, and with which secret.
func joinFlags(join, verb string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "join", Usage: join},
		tokenFlag("the secret of workers is in `FILE`"),
		&cli.StringFlag{Name: "tls-ca", Usage: "trust the certificate in `FILE`, beside those that this machine trusts"},
		&cli.BoolFlag{Name: "insecure", Usage: verb + " beyond this machine without TLS: anybody on the way can read the secret"},
	}
}

// joined reads the values of joinFlags.
func joined(c *cli.Context) (*fleet.Worker, error) {
	if c.Args().Present() || c.String("join") == "" {
		return nil, usagef("expected `umpire %s --join URL --token-file FILE`", c.Command.Name)
	}
	token, err := readToken(c)
	if err != nil {
		return nil, err
	}
	w := &fleet.Worker{URL: c.String("join"), Token: token, Insecure: c.Bool("insecure")}
	w.TLS, err = trusted(c.String("tls-ca"))
	return w, err
}

// workers prints the state of a run's workers.
func (a *app) workers(c *cli.Context) error {
	a.setColour(c)
	w, err := joined(c)
	if err != nil {
		return err
	}
	f, err := w.Look(c.Context)
	var refused *fleet.RefusedError
	var address *fleet.AddressError
	switch {
	case errors.As(err, &refused):
		return usagef("--token-file: %s", refused.Why)
	case errors.As(err, &address):
		return usagef("--join: %w", err)
	case err != nil:
		return err
	}
	if c.Bool("json") {
		return a.out.JSON().Encode(f)
	}
	f.Print(a.out)
	return nil
}
