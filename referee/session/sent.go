package session

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/userfile"
)

// Sent makes players of programs that are sent to this machine, which plays for another
// umpire. They are kept in the cache folder.
type Sent struct {
	Local arena.Local // how matches are played, but for their games

	resolver program.Resolver
	launcher sandbox.Launcher
	dir      string // cache folder
}

// Sent prepares the machine to play what it is sent, in so many concurrent matches; 0: as
// many as the CPUs allow. Pin gives each its own CPU.
func (m *Machine) Sent(ctx context.Context, u *Umpire, jobs int, pin bool) (s *Sent, err error) {
	s = &Sent{}
	if s.launcher, err = m.Launcher(); err != nil {
		return nil, err
	}
	level := s.launcher.Level()
	load, cpus, room := arena.Load{Seats: 2, Thinkers: 1}, arena.CPUs(), sandbox.RoomFor(level)
	if jobs == 0 {
		jobs = load.Jobs(freeCPUs())
	}
	if most := load.Most(room); jobs > most {
		return nil, mistakef("--jobs: found %d, expected at most %d: this machine has room for %s at a time (%s)",
			jobs, most, report.Plural(room.Programs, "contestant"), room.Bound)
	}
	where := load.Affinity(jobs, cpus, pin)
	s.Local = arena.Local{
		Games: u.Games, Isolation: string(level), Umpire: u.Version, Stalls: m.Stalls, Memory: m.Memory(),
		Jobs: jobs, CPUs: m.Claims.Take(where.CPUs, jobs*where.Spread), Spread: where.Spread,
	}
	if s.resolver, err = m.Resolver(ctx, u, ""); err != nil {
		return nil, err
	}
	if s.dir, err = build.CacheDir(); err != nil {
		return nil, err
	}
	return s, s.Check()
}

// Check returns why programs can't be kept, or played, on this machine; nil if they can.
func (s *Sent) Check() error {
	if err := cmp.Or(userfile.TryWrite(s.dir), userfile.TryWrite(os.TempDir())); err != nil {
		return fmt.Errorf("this machine can't play: %w", err)
	}
	return nil
}

// Abilities are the languages that the machine can run.
func (s *Sent) Abilities(ctx context.Context) []program.Ability { return s.resolver.Abilities(ctx) }

// workerFolder is the folder of the cache with what was sent.
const workerFolder = "worker"

// folder is where the files of a package are kept. What a coordinator calls a digest may be
// anything, "..", too.
func (s *Sent) folder(digest string) string {
	if !build.IsDigest(digest) {
		digest = build.Digest(digest)
	}
	return filepath.Join(s.dir, workerFolder, digest)
}

// Player makes a player of a package with a bot.
func (s *Sent) Player(ctx context.Context, digest string, p *program.Package) (referee.Player, error) {
	bot, err := s.resolver.Unpack(ctx, s.folder(digest), p)
	if err != nil {
		return nil, err
	}
	if bot.Broken != "" || p.Lack != "" {
		bot.Digest = digest
	}
	return arena.Program{Bot: bot, Launcher: s.launcher}, nil
}

// Game makes what prepares a runner for the matches of a game, of a package with its
// folder.
func (s *Sent) Game(ctx context.Context, digest string, p *program.Package) (func(*arena.Local), error) {
	judge, err := external.Unpack(ctx, s.resolver, s.folder(digest), digest, p)
	judge.Launcher = s.launcher
	return func(l *arena.Local) { l.Games, l.Judges = []protocols.Game{judge.Folder.Game()}, judge.Judges }, err
}
