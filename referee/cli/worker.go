package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func workerCommand(a *app) *cli.Command {
	return &cli.Command{
		Name: "fleet worker", Aliases: []string{"worker"}, Usage: "play matches of a tournament elsewhere",
		Description: "An umpire elsewhere that spreads its matches (tournament, test or score with --listen or --nats)\n" +
			"prints the URL and the file with the secret. The bots are sent here, compiled and run in isolation:\n" +
			"at level box or stronger, unless --isolation names another. It ends when the other umpire has; at `umpire\n" +
			"fleet serve`, or a NATS server, it stays, and plays for all runs that come. Ctrl-C lets the matches in\n" +
			"progress finish, and a second one gives them back. The bots are kept for the\n" +
			"next time, up to 2 GiB of them and as much of what is compiled: in the user's cache folder, or where\n" +
			"UMPIRE_CACHE says.",
		Flags: flags(joinFlags("play for the umpire, or at the NATS server, at `URL`", "join"), []cli.Flag{
			&cli.StringFlag{Name: "wait", Value: "10m", Usage: "end when the other umpire can't be reached for `D`, or, if it is given, has no run for so long; 0: wait for ever"},
			&cli.StringFlag{Name: "name", Usage: "be called `NAME` (default: as this machine)"},
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
	stop := make(chan struct{})
	w.Stop = stop
	defer a.drain.atFirstInterrupt(func() {
		close(stop)
		if !c.Bool("quiet") {
			a.note("umpire: interrupted; matches in progress may finish; interrupt again to give them back\n")
		}
	})()
	a.endless = true
	err = w.Run(c.Context)
	var refused *fleet.RefusedError
	switch {
	case errors.As(err, &refused):
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
	level := launcher.Level()
	if !c.IsSet("isolation") && !fleet.AtLeast(level, referee.LevelBox) {
		return nil, usagef("--isolation: this machine isolates at level %s, and a worker plays bots of others: expected box or stronger (`umpire doctor` says what is missing), or --isolation %s if you trust them", level, level)
	}
	w.Version, w.Build, w.Isolation, w.CPU = version(), a.umpire.Build(), string(level), session.CPUModel()
	w.Name, w.NoPause = c.String("name"), c.Bool("no-pause")
	w.Local = arena.Local{Games: a.umpire.Games, Isolation: string(level), Umpire: version(), Stalls: a.stalls}
	if !c.Bool("quiet") {
		w.Note = a.note
	}
	if w.Patience, err = settings.ParseDuration(c.String("wait")); err != nil {
		return nil, usagef("--wait: %w", err)
	}
	if c.IsSet("wait") {
		w.Idle = w.Patience
	}
	if w.Labels, err = labelsOf(c, "label"); err != nil {
		return nil, err
	}
	if err := workerJobs(a, c, level, &w.Local); err != nil {
		return nil, err
	}
	return w, workerPrograms(a, c.Context, machine, w)
}

// workerJobs sets how many matches are played concurrently, and where.
func workerJobs(a *app, c *cli.Context, level referee.Level, local *arena.Local) error {
	jobs, err := countFlag(c, "jobs")
	if err != nil {
		return err
	}
	if err := settings.Affinity.Check(c.String("affinity")); err != nil {
		return usage(err)
	}
	load, cpus := arena.Load{Seats: 2, Thinkers: 1}, arena.CPUs()
	local.Memory = a.memory()
	if jobs == 0 {
		jobs = load.Jobs(len(cpus))
	}
	room := sandbox.RoomFor(level)
	if most := load.Most(room); jobs > most {
		return usagef("--jobs: found %d, expected at most %d: this machine has room for %s at a time (%s)",
			jobs, most, report.Plural(room.Programs, "contestant"), room.Bound)
	}
	where := load.Affinity(jobs, cpus, c.String("affinity") != settings.Off)
	local.Jobs, local.CPUs, local.Spread = jobs, a.claims.Take(where.CPUs, jobs*where.Spread), where.Spread
	return nil
}

// workerPrograms sets how programs that are sent here become players.
func workerPrograms(a *app, ctx context.Context, machine *session.Machine, w *worker.Worker) error {
	resolver, err := machine.Resolver(ctx, a.umpire, "")
	if err != nil {
		return err
	}
	launcher, err := machine.Launcher()
	if err != nil {
		return err
	}
	dir, err := build.CacheDir()
	if err != nil {
		return err
	}
	w.Check = func() error { return cmp.Or(tryWrite(dir), tryWrite(os.TempDir())) }
	if err := w.Check(); err != nil {
		return err
	}
	w.Abilities = resolver.Abilities(ctx)
	w.Player = func(ctx context.Context, digest string, p *program.Package) (referee.Player, error) {
		bot, err := resolver.Unpack(ctx, filepath.Join(dir, "worker", filepath.Base(digest)), p)
		if err != nil {
			return nil, err
		}
		if bot.Broken != "" || p.Lack != "" {
			bot.Digest = digest
		}
		return arena.Program{Bot: bot, Launcher: launcher}, nil
	}
	w.Game = func(ctx context.Context, digest string, p *program.Package) (func(*arena.Local), error) {
		judge, err := external.Unpack(ctx, resolver, filepath.Join(dir, "worker", filepath.Base(digest)), digest, p)
		judge.Launcher = launcher
		return func(l *arena.Local) { l.Games, l.Judges = []protocols.Game{judge.Folder.Game()}, judge.Judges }, err
	}
	return nil
}

// tryWrite returns why bots can't be kept, or played, in a folder.
func tryWrite(dir string) error {
	const enough = 1 << 20 // bytes
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("this machine can't play: %w", err)
	}
	f, err := os.CreateTemp(dir, "try-")
	if err == nil {
		_, err = f.Write(make([]byte, enough))
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return fmt.Errorf("this machine can't play: %w", err)
	}
	return nil
}
