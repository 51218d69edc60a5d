package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/recheck"
	"umpire/referee/program"
	"umpire/referee/report"
)

// Spreads reports whether the matches are given to workers: not where players from
// outside take part.
func (s *Session) Spreads() bool { return s.Workers != nil && !s.hasGuests() }

// checkWorkers checks what was asked of workers against the bots.
func (s *Session) checkWorkers() error {
	switch {
	case s.Workers != nil && s.Workers.Calibrate && (s.Package != nil || len(s.Umpire.steadyOf(s.Game.Name)) == 0):
		return mistakef("--calibrate: workers are measured by built-in bots, and %s has none", s.Game.Name)
	case s.Spreads() && s.Jobs == NoJobs && s.Umpire.Problem(s.Game) != nil:
		return mistakef("%s can't be sent to workers: problem packages are judged on this machine; expected --jobs 1 or more, to play it here", s.Game.Name)
	case s.Workers == nil || !s.hasGuests():
		return nil
	case s.Workers.URL != "":
		return mistakef("--nats: remote players and people play where the tournament is; leave --nats out")
	case s.Jobs == NoJobs:
		return mistakef("--jobs: found 0, expected 1 or more: remote players and people play where the tournament is")
	}
	return nil
}

// openFleet returns the runner of the matches, with its workers if there are any.
func (s *Session) openFleet(ctx context.Context, standings func() report.Standings) (arena.Runner, error) {
	if !s.Spreads() {
		return &s.runner, nil
	}
	s.fleet, s.store.Relaxed = &spreading{}, true
	config, err := s.fleetConfig(ctx, standings)
	if err != nil {
		return nil, err
	}
	c, err := coordinator.Open(ctx, config)
	if err != nil {
		return nil, &ReachError{err}
	}
	s.fleet.coordinator.Store(c)
	if s.Jobs == NoJobs {
		how := "" // as who listens has said
		if s.Workers.URL != "" {
			how = ", which join with: umpire fleet worker --join " + fleet.HideSecrets(s.Workers.URL)
		}
		s.Machine.Tell.Note("waiting for workers%s\n", how)
	}
	s.fleet.undo = s.Workers.AtInterrupt(func() {
		s.Machine.Tell.Warn("umpire: interrupted; matches in progress may finish, and no more begin; interrupt again to stop immediately\n")
		c.Drain()
	})
	if excluded, ok := errors.AsType[*coordinator.ExcludedError](c.Excluded()); ok {
		err = s.store.Withdraw(ctx, excluded.Workers)
	}
	return c, err
}

func (s *Session) fleetConfig(ctx context.Context, standings func() report.Standings) (config coordinator.Config, err error) {
	w := s.Workers
	config = coordinator.Config{
		URL: w.URL, Games: s.runner.Games, Note: s.Machine.Tell.Note, Insecure: w.Insecure, TLS: w.TLS, Token: w.Token, Priority: w.Priority,
	}
	d := &config.Dispatch
	d.Version, d.Build, d.Isolation, d.Needs = s.Umpire.Version, s.Umpire.Build(), w.Level, w.Needs
	d.Recheck, d.Calibrate = w.Recheck, w.Calibrate
	if s.Jobs != NoJobs {
		s.runner.CPU, config.Own = CPUModel(), &s.runner
	}
	if d.Packages, err = s.packages(ctx); err != nil {
		return config, err
	}
	control, fixtures, err := addControls(ctx, s, d.Packages)
	if err != nil {
		return config, err
	}
	d.Controls, config.Control, config.CheckCase = fixtures, control.check, s.runner.CheckCase
	dir := s.Results.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "umpire-fleet-"); err != nil {
			return config, err
		}
		s.fleet.temporary = dir
	}
	hosting := Hosting{Games: s.runner.Games, Dir: s.Results.Dir, Standings: standings, Fleet: s.fleet.status}
	folder := filepath.Join(dir, fleetFolder)
	d.Resumed = s.store.Writer != nil && !s.store.Writer.IsNew()
	excluded, joined := filepath.Join(folder, excludedFile), filepath.Join(folder, keysFile)
	config.Exclude = func(worker string) error { return addLine(excluded, worker) }
	config.Join = func(key, hash string) error { return addLine(joined, hash+" "+key) }
	keys, err := linesIn(joined)
	if err == nil {
		d.Excluded, err = s.Results.excluded()
	}
	if err != nil {
		return config, err
	}
	d.Keys = make(map[string]string)
	for _, line := range keys {
		hash, name, _ := strings.Cut(line, " ")
		d.Keys[hash] = name
	}
	if config.URL != "" {
		if config.Run, config.Secret, err = broker.RunIn(folder); err == nil && w.Listen {
			err = s.host(hosting)
		}
		return config, err
	}
	if s.fleet.server, err = broker.Start(folder, config.Token, w.Keys, nil); err != nil {
		return config, err
	}
	config.Server, hosting.Server = s.fleet.server, s.fleet.server
	return config, s.host(hosting)
}

// elsewhere returns bots, which this machine lacks the languages of or not, as those
// of which workers may have the language.
func elsewhere(bots []program.Bot) []program.Bot {
	for i := range bots {
		bots[i].Lack, bots[i].Elsewhere = "", bots[i].Lack
	}
	return bots
}

// packages packs the bots, and the folder that the game is in, by digest. A bot that can't travel is played here.
func (s *Session) packages(ctx context.Context) (map[string]*program.Package, error) {
	list := make(map[string]*program.Package)
	if f := s.Umpire.Folder(s.Game); f != nil {
		p, err := f.Pack(ctx, s.judge)
		if err != nil {
			return nil, mistakef("%s can't be sent to workers: %w", f.Dir, err)
		}
		list[f.Digest] = p
	}
	for _, bot := range allBots(s) {
		if bot.Lack != "" {
			continue
		}
		p, err := bot.Pack(ctx)
		switch {
		case err == nil:
			if known := list[bot.Digest]; known != nil {
				p.Share(known.Shown)
			}
			list[bot.Digest] = p
		case s.Jobs == NoJobs:
			return nil, mistakef("bot %q can't be sent to workers: %w; expected --jobs 1 or more, to play it here", bot.Entrant.Label, err)
		default:
			s.Machine.Tell.Warn("notice: bot %s is played on this machine only: %v\n", bot.Name, err)
		}
	}
	return list, nil
}

// Coordinator returns the one that gives the matches to workers; nil if only this
// machine plays.
func (s *Session) Coordinator() *coordinator.Coordinator {
	if s.fleet == nil {
		return nil
	}
	return s.fleet.coordinator.Load()
}

// Rechecks returns what playing matches again has shown; nil if none were to be.
func (s *Session) Rechecks() *recheck.Summary {
	c := s.Coordinator()
	if c == nil || s.Workers.Recheck == 0 {
		return nil
	}
	found := c.Rechecks()
	return &found
}

// closeFleet ends the work of workers, and returns err, or what failed. The run is
// over, and its workers need not wait for it to be resumed, if err is nil or of matches that
// only somebody's mending can give a result.
func (s *Session) closeFleet(err error) error {
	f := s.fleet
	if f == nil {
		return err
	}
	if c := f.coordinator.Load(); c != nil {
		f.undo()
		c.Close(err == nil || errors.As(err, new(*UnplayedError)))
	}
	if f.server != nil {
		f.server.Close()
	}
	if f.temporary == "" {
		return err
	}
	if left := os.RemoveAll(f.temporary); left != nil && err == nil {
		return fmt.Errorf("end the workers: %w", left)
	}
	return err
}
