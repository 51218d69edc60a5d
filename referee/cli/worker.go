package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func workerCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "fleet worker", Aliases: []string{"worker"}, Usage: "play matches of a tournament elsewhere",
		Description: "An umpire elsewhere that spreads its matches (tournament, test, score or compare with --listen or --nats)\n" +
			"prints the URL and the file with the secret. The bots are sent here, compiled and run in isolation:\n" +
			"at level box or stronger, unless --isolation names another. It ends when the other umpire has; at `umpire\n" +
			"fleet serve`, or a NATS server, it stays, and plays for all runs that come. Ctrl-C lets the matches in\n" +
			"progress finish, and a second one gives them back. The bots are kept for the\n" +
			"next time, up to 2 GiB of them and as much of what is compiled: in the user's cache folder, or where\n" +
			"UMPIRE_CACHE says.",
		Flags: slices.Concat(joinFlags("play for the umpire, or at the NATS server, at `URL`", "join"), []cli.Flag{
			&cli.StringFlag{Name: "wait", Value: "10m", Usage: "end when the other umpire can't be reached for `D`, or, if it is given, has no run for so long; 0: wait for ever"},
			&cli.StringFlag{Name: "name", Usage: "be called `NAME` (default: as this machine); a worker with a key is called by the key's name"},
			&cli.StringSliceFlag{Name: "label", Usage: "play also for runs that need workers with the label `LABEL`, such as avx2; repeatable"},
			&cli.BoolFlag{Name: "no-pause", Usage: "do not pause while contestants wait for CPUs because something else uses them"},
			&cli.BoolFlag{Name: "quiet", Usage: "print only errors"}, logFlag(),
		}, settingFlags(settings.Jobs, settings.Affinity), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return runWorker(a, c) },
	}
}

// runWorker plays for a coordinator until its run has ended.
func runWorker(a *app, c *cli.Context) error {
	w, err := openWorker(a, c)
	if err != nil {
		return err
	}
	taking, stop := context.WithCancel(c.Context)
	defer stop()
	defer a.drain.atFirstInterrupt(func() {
		stop()
		a.tell(c).Note("umpire: interrupted; matches in progress may finish; interrupt again to give them back\n")
	})()
	a.endless = true
	err = w.Run(c.Context, taking)
	switch {
	case errors.As(err, new(*fleet.RefusedError)):
		return usage(err)
	case c.Context.Err() != nil:
		return nil
	}
	return reachError("join", err)
}

func openWorker(a *app, c *cli.Context) (*worker.Worker, error) {
	w, err := joined(c)
	if err != nil {
		return nil, err
	}
	machine := a.machine(c, flagValues(c))
	launcher, err := machine.Launcher()
	if err != nil {
		return nil, err
	}
	if level := launcher.Level(); !c.IsSet("isolation") && !level.AtLeast(referee.LevelBox) {
		return nil, usagef("--isolation: this machine isolates at level %s, and a worker plays bots of others: expected box or stronger (`umpire doctor` says what is missing), or --isolation %s if you trust them", level, level)
	}
	w.Build, w.Name, w.NoPause = a.umpire.Build(), c.String("name"), c.Bool("no-pause")
	w.Note = a.tell(c).Note
	if w.Patience, err = settings.ParseDuration(c.String("wait")); err != nil {
		return nil, usagef("--wait: %w", err)
	}
	if c.IsSet("wait") {
		w.Idle = w.Patience
	}
	if w.Labels, err = labelsOf(c, "label"); err != nil {
		return nil, err
	}
	jobs, err := flagValues(c).count("jobs")
	if err != nil {
		return nil, err
	}
	if err := settings.Affinity.Check(c.String("affinity")); err != nil {
		return nil, usage(err)
	}
	sent, err := machine.Sent(c.Context, a.umpire, jobs, c.String("affinity") != settings.Off)
	if err != nil {
		return nil, err
	}
	w.Local, w.Abilities = sent.Local, sent.Abilities(c.Context)
	w.Local.CPU = session.CPUModel()
	w.Player, w.Game, w.Check = sent.Player, sent.Game, sent.Check
	return w, nil
}
