package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cli/shell"
	"umpire/referee/fleet"
	"umpire/referee/procfs"
	"umpire/referee/program"
	"umpire/referee/remote/serve"
)

// fleetFlags are the flags of commands whose matches can be played by workers
// on other machines. They also have --listen.
func fleetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "nats", Usage: "spread the matches over workers by the NATS server or cluster at `URL`"},
		tokenFlag("the secret of workers is in `FILE` (default: a new one, in the run folder)"),
		authorityFlag(),
		recheckFlag(),
	}
}

func tokenFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "token-file", Usage: usage} }

// spreading connects a session to the workers that play its matches.
type spreading struct {
	coordinator *fleet.Coordinator
	server      *fleet.Server // nil with --nats
	temporary   string        // folder to remove at the end; "": none
	undo        func()        // has an interrupt stop the command again
	opened      atomic.Pointer[fleet.Coordinator]
}

// spreads reports whether the command's matches are given to workers: with
// --nats, or --listen where nobody else is listened for.
func (s *session) spreads() bool {
	return s.mayHaveWorkers() && !s.hasGuests()
}

func (s *session) mayHaveWorkers() bool {
	return shell.Flag(s.c.Command, "nats") != nil && (s.c.IsSet("nats") || s.c.IsSet("listen"))
}

// checkWorkers checks the flags for workers against the bots.
func (s *session) checkWorkers() error {
	switch {
	case shell.Flag(s.c.Command, "nats") == nil:
		return nil
	case s.hasGuests() && s.c.IsSet("nats"):
		return usagef("--nats: remote players and people play where the tournament is; leave --nats out")
	case s.hasGuests() && s.noJobs():
		return usagef("--jobs: found 0, expected 1 or more: remote players and people play where the tournament is")
	case s.c.IsSet("token-file") && !s.mayHaveWorkers():
		return usagef("--token-file: no workers take part; expected --listen or --nats as well")
	case s.c.IsSet("tls-ca") && !s.c.IsSet("nats"):
		return usagef("--tls-ca: no NATS server is connected to; expected --nats as well")
	case s.mayHaveWorkers() && s.c.Bool("watch"):
		return usagef("--watch: a test that is repeated is played here; leave --listen and --nats out")
	case s.c.IsSet("recheck") && (!s.mayHaveWorkers() || s.hasGuests()):
		return usagef("--recheck: no workers take part; expected --listen or --nats as well")
	case s.mayHaveWorkers() && s.c.Bool("verbose"):
		return usagef("--verbose: what workers play can't be shown as it is exchanged; leave --listen and --nats out")
	case s.c.IsSet("listen") && !s.hasGuests():
		if _, err := listenConfig(s.c); err != nil {
			return err
		}
	}
	if s.c.IsSet("nats") {
		if err := fleet.CheckURL(s.c.String("nats"), s.c.Bool("insecure") || s.c.IsSet("tls-ca")); err != nil {
			return usagef("--nats: %w", err)
		}
	}
	_, err := recheckShare(s.c)
	return err
}

// noJobs reports whether this machine only coordinates.
func (s *session) noJobs() bool { return s.c.IsSet("jobs") && s.c.Int("jobs") == 0 }

// playing returns the runner of the session's matches. Dir is the folder of
// -o; "" if there is none.
func (s *session) playing(dir string) (arena.Runner, error) {
	if !s.spreads() {
		return &s.runner, nil
	}
	config, err := s.fleetConfig(dir)
	if err != nil {
		return nil, errors.Join(err, s.closeFleet(false))
	}
	if s.fleet.coordinator, err = fleet.Open(s.c.Context, config); err != nil {
		return nil, errors.Join(reachError("nats", err), s.closeFleet(false))
	}
	s.watchFleet()
	return s.fleet.coordinator, nil
}

func (s *session) fleetConfig(dir string) (config fleet.Config, err error) {
	s.fleet = &spreading{}
	config = fleet.Config{Version: version(), URL: s.c.String("nats"), Games: s.runner.Games, CPU: cpuModel()}
	config.Isolation = s.askedIsolation()
	if !s.noJobs() {
		config.Own = &s.runner
	}
	if !s.c.Bool("quiet") {
		config.Note = s.note
	}
	config.Insecure = s.c.Bool("insecure")
	if config.TLS, err = trusted(s.c.String("tls-ca")); err != nil {
		return config, err
	}
	if config.Packages, err = s.packages(); err != nil {
		return config, err
	}
	if config.Token, err = readToken(s.c); err != nil {
		return config, err
	}
	if config.Recheck, err = recheckShare(s.c); err != nil {
		return config, err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "umpire-fleet-"); err != nil {
			return config, err
		}
		s.fleet.temporary = dir
	}
	folder := filepath.Join(dir, "fleet")
	if config.URL != "" {
		if config.Run, err = fleet.RunName(folder); err == nil && s.c.IsSet("listen") {
			err = s.listenForWorkers(dir)
		}
		return config, err
	}
	if s.fleet.server, err = fleet.StartServer(folder, config.Token); err != nil {
		return config, err
	}
	config.Server = s.fleet.server
	return config, s.listenForWorkers(dir)
}

// listenForWorkers begins to listen, and says how workers join.
func (s *session) listenForWorkers(dir string) (err error) {
	if s.fleet.temporary != "" {
		dir = ""
	}
	s.guests, err = s.openGuests(s.c, dir, s.runner.Games, func(config *serve.Config) {
		config.Standings, config.Fleet = s.standingsSoFar, s.fleet.status
		if s.fleet.server != nil {
			config.Workers, config.WorkersToken = s.fleet.server.Handler(), s.fleet.server.Token
		}
	})
	if err != nil {
		return err
	}
	s.note("listening on %s\n", s.guests.server.URL)
	if s.fleet.server == nil {
		return nil
	}
	file := cmp.Or(s.c.String("token-file"), s.fleet.server.TokenFile())
	join := runAgain("fleet worker").flag("join", s.guests.server.URL).flag("token-file", file)
	if strings.HasPrefix(s.guests.server.URL, "http:") {
		join.flags(s.c, "insecure")
	}
	s.note("workers join with: %s\n", join)
	if s.guests.server.Everywhere() {
		s.note("from other machines with this machine's name or address in place of localhost\n")
	}
	return nil
}

// readToken returns the secret in the file of --token-file; "" without it.
func readToken(c *cli.Context) (string, error) {
	path := c.String("token-file")
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", usagef("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", usagef("--token-file: %s is empty", path)
	}
	return token, nil
}

// packages packs the bots, by digest. One that can't travel is played here.
func (s *session) packages() (map[string]*program.Package, error) {
	list := make(map[string]*program.Package)
	bots := slices.Clone(s.bots)
	if s.house.Name != "" {
		bots = append(bots, s.house)
	}
	for _, bot := range bots {
		p, err := bot.Pack(s.c.Context)
		switch {
		case err == nil:
			list[bot.Digest] = p
		case s.noJobs():
			return nil, usagef("bot %q can't be sent to workers: %w; expected --jobs 1 or more, to play it here", bot.Entrant.Label, err)
		default:
			s.note("notice: bot %s is played on this machine only: %v\n", bot.Name, err)
		}
	}
	return list, nil
}

// closeFleet ends the work of workers; over says that the run is over, and not
// to be resumed.
func (s *session) closeFleet(over bool) error {
	f := s.fleet
	if f == nil {
		return nil
	}
	s.fleet = nil
	if f.coordinator != nil {
		f.undo()
		f.coordinator.Close(over)
	}
	if f.server != nil {
		f.server.Close()
	}
	if f.temporary != "" {
		return os.RemoveAll(f.temporary)
	}
	return nil
}

// leaveFleet closes the fleet at the end of a command. The run is over if the
// command has succeeded.
func (s *session) leaveFleet(err *error) {
	s.noteRechecks()
	if closing := s.closeFleet(*err == nil); closing != nil && *err == nil {
		*err = fmt.Errorf("end the workers: %w", closing)
	}
}

// unpacked makes players of packages that come from a coordinator.
func (s *session) unpacked(resolver program.Resolver, folder string) func(context.Context, string, *program.Package) (referee.Player, error) {
	return func(ctx context.Context, digest string, p *program.Package) (referee.Player, error) {
		bot, err := resolver.Unpack(ctx, filepath.Join(folder, filepath.Base(digest)), p)
		if err != nil {
			return nil, err
		}
		if bot.Broken != "" {
			bot.Digest = digest
		}
		return s.program(bot), nil
	}
}

// cpuModel is the model of this machine's processors, for records.
func cpuModel() string { return procfs.Value("/proc/cpuinfo", "model name") }
