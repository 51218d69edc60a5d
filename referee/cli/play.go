package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/cli/shell"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/record"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/settings"
	"umpire/referee/standings"
)

// session is the state of a command that plays matches.
type session struct {
	*app
	c      *cli.Context
	game   protocols.Game
	bots   []program.Bot // in the order given
	house  program.Bot   // for free seats, if the game has one
	set    cases.Set
	seats  int // seats of every match; 0: as many as the game has
	runner arena.Local

	// The conditions under which matches are played.
	limits    func(c protocols.Case, seats int) protocols.Limits
	pondering referee.Pondering
	launcher  sandbox.Launcher
	levelLeft bool // --isolation is that of the run that is resumed, which left it to the machine
	// chosen returns the launcher of the requested level. It is determined when
	// first needed, since that may start processes.
	chosen func() (sandbox.Launcher, error)
	writer *record.Writer // with -o
	spool  *record.Spool  // records of a test without -o
	// stderrs keeps standard error that is too long for a record; nil without -o.
	stderrs *contestant.StderrFolder
	folder  string          // base of bots' relative paths; "" is the working directory
	guests  *guests         // players from outside; nil if there are none
	fleet   *spreading      // workers on other machines; nil if there are none
	bar     *shell.Progress // of the matches; nil until they are played
	// resolver found the bots.
	resolver program.Resolver
	// keyboard is where people play at this terminal; nil if none do.
	keyboard *shell.Keyboard
	// standingsSoFar returns the standings for onlookers; nil if there are none.
	standingsSoFar func() *standings.Standings
	grace          time.Duration // of remote players
	// results is the file that holds the records of a test; "" until they are
	// saved.
	results string
}

func newSession(a *app, c *cli.Context) *session {
	return &session{app: a, c: c, chosen: sync.OnceValues(func() (sandbox.Launcher, error) { return a.launcher(c) })}
}

// open prepares a session: game, bots, cases, limits and isolation. All errors
// in the arguments are found here, before a match is played. Choose, if not nil,
// checks what only its command has, and may leave fewer cases.
func (a *app) open(c *cli.Context, choose func(*session) error) (s *session, err error) {
	a.setColour(c)
	if !c.Args().Present() {
		return nil, usagef("found no game, expected `umpire %s GAME BOT`", c.Command.Name)
	}
	s = newSession(a, c)
	if s.game, err = a.gameFirst(c); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if s.set, err = a.caseSet(c, s.game); err != nil {
		return nil, usage(err)
	}
	if choose != nil {
		if err := choose(s); err != nil {
			return nil, err
		}
	}
	if err := s.findBots(program.ParseEntrants("", c.Args().Tail())); err != nil {
		return nil, &botError{err}
	}
	if dir := c.String("o"); dir != "" {
		if s.writer, err = openResults(s.c, dir); err != nil {
			return nil, usage(err)
		}
		s.keepStderr(dir)
	}
	return s, nil
}

// newResults refuses a folder of -o that holds results, unless --append is set.
// What is scored may be in it: to resume a run, more is added.
func newResults(c *cli.Context, scored ...string) error {
	name := resultsIn(c.String("o"))
	switch {
	case c.String("o") == "" && c.Bool("append"):
		return usagef("--append: found no folder, expected -o DIR")
	case c.String("o") == "" || c.Bool("append") || !record.Played(c.String("o")):
		return nil
	case slices.ContainsFunc(scored, func(from string) bool { return absolute(resultsIn(from)) == absolute(name) }):
		return nil
	}
	return usagef("-o: folder %s already holds results: add to them with --append, or name another folder", c.String("o"))
}

func appendFlag() cli.Flag {
	return &cli.BoolFlag{Name: "append", Usage: "add to the results that the folder of -o already holds"}
}

// botError is an error about a bot, which another version of it may not have.
type botError struct{ error }

func (e *botError) Unwrap() error { return e.error }

// openResults opens a folder's results for more records.
func openResults(c *cli.Context, dir string) (*record.Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return record.AppendIn(c.Context, dir, c.Bool("compress"))
}

// setColour turns colours on or off as the flags say.
func (a *app) setColour(c *cli.Context) {
	if c.Bool("no-color") {
		a.out.Colour = false
	}
}

// prepare sets up the runner.
func (s *session) prepare() error {
	if err := s.conditions(); err != nil {
		return err
	}
	return s.isolate()
}

// isolate chooses the level of isolation, which may start a process to try it.
func (s *session) isolate() (err error) {
	if s.launcher, err = s.chosen(); err != nil {
		return err
	}
	s.runner.Isolation = string(s.launcher.Level())
	return s.fit(sandbox.RoomFor(s.launcher.Level()))
}

// fit bounds the concurrent matches by the room for their contestants.
func (s *session) fit(room sandbox.Room) error {
	load := s.load()
	seats, most := load.Seats, load.Most(room)
	switch jobs := s.runner.Jobs; {
	case most == 0:
		return fmt.Errorf("this machine has room for %s at a time (%s), and a match of %s takes %d",
			report.Plural(room.Programs, "contestant"), room.Bound, s.game.Name, seats)
	case jobs <= most:
	case s.c.IsSet("jobs"):
		return usagef("--jobs: found %d, expected at most %d: this machine has room for %s at a time (%s), and a match of %s takes %d",
			jobs, most, report.Plural(room.Programs, "contestant"), room.Bound, s.game.Name, seats)
	default:
		s.note("umpire: %s at a time, not %d: there is room for %s (%s)\n", report.Plural(most, "match"), jobs, report.Plural(room.Programs, "contestant"), room.Bound)
		s.runner.Jobs = most
	}
	return nil
}

// conditions sets up the conditions under which matches are played.
func (s *session) conditions() (err error) {
	if s.limits, err = limits(s.c); err != nil {
		return err
	}
	if s.grace, err = duration(s.c, settings.Grace); err != nil {
		return err
	}
	if s.pondering, err = settings.Policy(s.c.String("pondering"), s.game); err != nil {
		return usage(err)
	}
	s.runner = arena.Local{Games: []protocols.Game{s.game}, Umpire: version(), Stalls: s.stalls}
	if !s.c.Bool("quiet") {
		s.runner.Voided = func(f arena.Fixture, why error) {
			s.note("case %s is played again, since its match was %s\n", f.Case.Name, why)
		}
	}
	if s.c.Bool("verbose") {
		s.runner.Watch = func(f arena.Fixture) referee.Watcher { return s.exchange(f) }
	}
	return s.spread()
}

// findBots resolves the bots, and tries to start each.
func (s *session) findBots(entrants []program.Entrant) error {
	if err := s.nameBots(entrants); err != nil {
		return err
	}
	return s.tryBots(func(program.Bot) bool { return true })
}

// nameBots resolves the bots, concurrently since sources are compiled, and the
// house's bot, without starting any.
func (s *session) nameBots(entrants []program.Entrant) error {
	builtins, err := s.builtins(s.game.Name)
	if err != nil {
		return err
	}
	if builtins.Builder, err = s.builder(s.c, s.chosen); err != nil {
		return err
	}
	builtins.Private = s.private(entrants)
	s.resolver = builtins
	s.bots = make([]program.Bot, len(entrants))
	errs := make([]error, len(entrants))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, e := range entrants {
		group.Go(func() error {
			return referee.Guard(func() error {
				s.bots[i], errs[i] = resolve(s.c.Context, builtins, e)
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.sortOut(errs); err != nil {
		return err
	}
	program.UniqueNames(s.bots)
	if s.game.DefaultOpponent == "" {
		return s.checkWorkers()
	}
	opponent := "@" + s.game.DefaultOpponent
	if s.c.IsSet("against") {
		opponent = s.c.String("against")
	}
	if s.house, err = resolve(s.c.Context, builtins, program.ParseEntrant(s.folder, opponent)); err != nil {
		return usage(err)
	}
	return s.checkWorkers()
}

// program makes a player of a bot.
func (s *session) program(bot program.Bot) arena.Program {
	return arena.Program{Bot: bot, Launcher: s.launcher, Stderr: s.stderrs}
}

// players returns all players that the session's matches may need.
func (s *session) players() []referee.Player {
	list := make([]referee.Player, 0, len(s.bots)+1)
	for _, bot := range s.bots {
		list = append(list, s.player(bot))
	}
	if s.house.Name != "" {
		list = append(list, s.player(s.house))
	}
	return list
}

// private returns the files and folders that no bot may read merely because
// they lie inside an installation: the results, the cases, and the other bots.
func (s *session) private(entrants []program.Entrant) []string {
	var list []string
	for _, name := range []string{"o", "cases", "case"} {
		if s.c.IsSet(name) {
			list = append(list, absolute(fmt.Sprint(s.c.Value(name))))
		}
	}
	if s.c.IsSet("against") {
		entrants = append(slices.Clone(entrants), program.ParseEntrant("", s.c.String("against")))
	}
	for _, e := range entrants {
		list = append(list, e.Files()...)
	}
	return list
}

// absolute returns the absolute form of a path; "" is the working directory.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// builder returns a Builder for the user's language table. Compilers are
// isolated like the bots.
func (a *app) builder(c *cli.Context, chosen func() (sandbox.Launcher, error)) (*build.Builder, error) {
	languages, err := build.LoadLanguages(c.Context, c.String("languages"))
	if err != nil {
		return nil, usage(err)
	}
	b := &build.Builder{Languages: languages}
	b.Run = func(ctx context.Context, command build.Command) ([]byte, error) {
		launcher, err := chosen()
		if err != nil {
			return nil, err
		}
		return program.Compile(ctx, launcher, command)
	}
	b.Prepare = func(ctx context.Context, command build.Command) error {
		launcher, err := chosen()
		if err != nil {
			return err
		}
		return program.Prepare(ctx, launcher, command)
	}
	if !c.Bool("quiet") {
		b.Notice = func(source, language string) { a.note("compile %s (%s)\n", source, language) }
	}
	return b, nil
}

func (a *app) builtins(game string) (program.Resolver, error) {
	self, err := os.Executable()
	if err != nil {
		return program.Resolver{}, fmt.Errorf("find umpire's own executable: %w", err)
	}
	b := program.Resolver{Game: game, Path: self, Version: Version}
	for _, bot := range a.bots {
		b.Names = append(b.Names, bot.Game+"/"+bot.Name)
	}
	return b, nil
}

// tests returns the matches of a bot that is tested or scored: every case of
// the set, in every seat that the game tests. Cases may be equal, in several
// groups or by chance; their matches are repetitions of each other.
func (s *session) tests(bot program.Bot) []arena.Fixture {
	var fixtures []arena.Fixture
	times := make(map[string]int)
	for _, c := range s.set.Cases {
		f := s.fixture(c, s.game.MaxSeats)
		times[f.Case.Text]++
		f.Repetition = times[f.Case.Text]
		for _, seat := range s.game.PlayedSeats() {
			f.Seats = slices.Repeat([]arena.Seat{seatOf(s.house, true)}, s.game.MaxSeats)
			f.Seats[seat-1] = seatOf(bot, false)
			fixtures = append(fixtures, f)
		}
	}
	return fixtures
}

// fixture returns a match on a case, without its players.
func (s *session) fixture(c cases.Case, seats int) arena.Fixture {
	return arena.Fixture{
		Game: s.game.Name, Case: c.Record(), Limits: s.recordLimits(c, seats), Repetition: 1,
	}
}

func seatOf(bot program.Bot, house bool) arena.Seat {
	return arena.Seat{Bot: bot.Name, Digest: bot.Digest, House: house, Kind: bot.Kind, Guest: bot.Guest}
}

// play plays fixtures, and keeps the record of each with -o. The records are
// returned in the order of the fixtures, shortened: see kept.
func (s *session) play(ctx context.Context, fixtures []arena.Fixture, done func(n int, r record.Record)) (_ []record.Record, err error) {
	all := newKept(len(fixtures))
	if err := s.host(s.c.String("o")); err != nil {
		return nil, err
	}
	defer s.closeGuests()
	s.runner.Players = s.players()
	runner, err := s.playing(s.c.String("o"))
	if err != nil {
		return nil, err
	}
	defer s.leaveFleet(&err)
	err = runner.Run(ctx, slices.Values(fixtures), func(n int, r record.Record) error {
		if err := s.store(r); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
		all.add(n, r)
		if done != nil {
			done(n, r)
		}
		return nil
	})
	if s.writer != nil {
		err = errors.Join(err, s.writer.Finish(ctx))
	}
	return all.records, err
}

// store writes a record to the results file and the spool, if there are any.
func (s *session) store(r record.Record) error {
	if s.spool != nil {
		if err := s.spool.Write(r); err != nil {
			s.note("umpire: keep the records: %v\n", err)
			_ = s.spool.Close()
			s.spool = nil
		}
	}
	if s.writer != nil {
		line, err := s.writer.WriteLine(r)
		return s.hosted(r, line, err)
	}
	return s.hosted(r, nil, nil)
}

// storeCut writes the record of a match that was cut off to the results file,
// if there is one.
func (s *session) storeCut(r record.Record) error {
	if s.writer == nil {
		return nil
	}
	line, err := s.writer.WriteLine(r)
	return s.hosted(r, line, err)
}
