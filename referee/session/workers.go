package session

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/fleet/status"
	"umpire/referee/keys"
	"umpire/referee/procfs"
	"umpire/referee/program"
	"umpire/referee/report"
)

// Workers says how matches are spread over other machines.
type Workers struct {
	URL      string     // of a NATS server or cluster; "": umpire is the server itself
	Token    string     // the workers' secret; "": a new one
	Keys     *keys.File // of workers with keys of their own, where there is no URL; nil: none have any
	Insecure bool       // the secret may travel in the clear
	TLS      *tls.Config
	Recheck  float64 // share of the matches that another worker plays again
	// Calibrate has budgets multiplied by how slow the worker's processors are.
	Calibrate bool
	Listen    bool          // onlookers may come though there is a URL
	Level     referee.Level // of isolation that workers need; "": theirs
	Priority  int           // of the run among those of the server at URL
	Needs     []string      // labels that workers must have
	// AtInterrupt has the first interrupt call a function, until it is undone.
	AtInterrupt func(func()) (undo func())
}

// spreading connects a session to the workers that play its matches.
type spreading struct {
	coordinator *coordinator.Coordinator
	server      *coordinator.Server // nil with a URL
	temporary   string              // folder to remove at the end; "": none
	undo        func()              // has an interrupt stop the command again
	opened      atomic.Pointer[coordinator.Coordinator]
}

// Spreads reports whether the matches are given to workers: not where players from
// outside take part.
func (s *Session) Spreads() bool { return s.Workers != nil && !s.hasGuests() }

// checkWorkers checks what was asked of workers against the bots.
func (s *Session) checkWorkers() error {
	switch {
	case s.Workers != nil && s.Workers.Calibrate && (s.Package != nil || len(s.Umpire.steadyOf(s.Game.Name)) == 0):
		return mistakef("--calibrate: workers are measured by built-in bots, and %s has none", s.Game.Name)
	case s.Workers == nil || !s.hasGuests():
		return nil
	case s.Workers.URL != "":
		return mistakef("--nats: remote players and people play where the tournament is; leave --nats out")
	case s.Jobs == NoJobs:
		return mistakef("--jobs: found 0, expected 1 or more: remote players and people play where the tournament is")
	case s.Workers.Recheck > 0:
		return mistakef("--recheck: no workers take part; expected --listen or --nats as well")
	case s.Workers.Calibrate:
		return mistakef("--calibrate: no workers take part; expected --listen or --nats as well")
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
	s.fleet.coordinator = c
	s.fleet.opened.Store(c)
	s.fleet.undo = s.Workers.AtInterrupt(func() {
		s.Machine.Tell.Warn("umpire: interrupted; matches in progress may finish, and no more begin; interrupt again to stop immediately\n")
		c.Drain()
	})
	return c, nil
}

// ReachError is an error of reaching the server of Workers.
type ReachError struct{ Err error }

func (e *ReachError) Error() string { return e.Err.Error() }

func (e *ReachError) Unwrap() error { return e.Err }

func (s *Session) fleetConfig(ctx context.Context, standings func() report.Standings) (config coordinator.Config, err error) {
	w := s.Workers
	config = coordinator.Config{
		Version: s.Umpire.Version, Build: s.Umpire.Build(), URL: w.URL, Games: s.runner.Games, CPU: CPUModel(), Isolation: w.Level, Note: s.Machine.Tell.Note,
		Insecure: w.Insecure, TLS: w.TLS, Token: w.Token, Recheck: w.Recheck, Calibrate: w.Calibrate, Priority: w.Priority, Needs: w.Needs,
	}
	if s.Jobs != NoJobs {
		config.Own = &s.runner
	}
	if config.Packages, err = s.packages(ctx); err != nil {
		return config, err
	}
	control, fixtures, err := addControls(ctx, s, config.Packages)
	if err != nil {
		return config, err
	}
	config.Controls, config.Control = fixtures, control.check
	dir := s.Results.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "umpire-fleet-"); err != nil {
			return config, err
		}
		s.fleet.temporary = dir
	}
	hosting := Hosting{Games: s.runner.Games, Dir: s.Results.Dir, Standings: standings, Fleet: s.fleet.status}
	folder := filepath.Join(dir, "fleet")
	config.Resumed = s.store.Writer != nil && !s.store.Writer.IsNew()
	if config.Excluded, err = excludedIn(folder); err != nil {
		return config, err
	}
	config.Exclude = func(worker string) error { return addExcluded(folder, worker) }
	gone := config.Excluded
	if w.Keys != nil {
		gone = append(gone[:len(gone):len(gone)], w.Keys.Revoked()...)
	}
	if config.Resumed && len(gone) > 0 {
		if err := s.store.Withdraw(ctx, gone); err != nil {
			return config, err
		}
	}
	if config.URL != "" {
		if config.Run, err = coordinator.RunName(folder); err == nil && w.Listen {
			err = s.host(hosting)
		}
		return config, err
	}
	if s.fleet.server, err = coordinator.StartServer(folder, config.Token, w.Keys); err != nil {
		return config, err
	}
	config.Server, hosting.Server = s.fleet.server, s.fleet.server
	return config, s.host(hosting)
}

// excludedFile holds the names of the workers whose records of a run do not count.
const excludedFile = "excluded"

// excludedIn returns the names in a folder's excludedFile.
func excludedIn(folder string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(folder, excludedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(name string) bool { return name == "" }), err
}

// addExcluded adds a name to a folder's excludedFile.
func addExcluded(folder, worker string) error {
	f, err := os.OpenFile(filepath.Join(folder, excludedFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(worker + "\n")
	return errors.Join(err, f.Sync(), f.Close())
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
	bots := slices.Clone(s.Bots)
	if s.House.Name != "" {
		bots = append(bots, s.House)
	}
	if f := s.Umpire.Folder(s.Game); f != nil {
		p, err := f.Pack(ctx, s.judge)
		if err != nil {
			return nil, mistakef("%s can't be sent to workers: %w", f.Dir, err)
		}
		list[f.Digest] = p
	}
	for _, bot := range bots {
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
	return s.fleet.coordinator
}

// Rechecks returns what playing matches again has shown; nil if none were to be.
func (s *Session) Rechecks() *coordinator.Rechecks {
	if s.Coordinator() == nil || s.Workers.Recheck == 0 {
		return nil
	}
	found := s.fleet.coordinator.Rechecks()
	return &found
}

// status describes the run to onlookers; nil before it begins.
func (f *spreading) status() *status.Fleet {
	c := f.opened.Load()
	if c == nil {
		return nil
	}
	status := c.Status()
	return &status
}

// closeFleet ends the work of workers, and returns err, or what failed. The run is
// over, and not to be resumed, if err is nil.
func (s *Session) closeFleet(err error) error {
	f := s.fleet
	if f == nil {
		return err
	}
	if f.coordinator != nil {
		f.undo()
		f.coordinator.Close(err == nil)
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

// Build names this build of umpire; zero if its executable can't be read.
func (u *Umpire) Build() fleet.Build {
	f, err := os.Open(u.Path)
	if err != nil {
		return fleet.Build{}
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return fleet.Build{}
	}
	return fleet.Build{System: runtime.GOOS + "/" + runtime.GOARCH, Hash: hex.EncodeToString(hash.Sum(nil))}
}

// CPUModel is the model of this machine's processors, for records.
func CPUModel() string { return procfs.Value("/proc/cpuinfo", "model name") }
