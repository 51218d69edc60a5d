package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/fleet/coordinator"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report"
	"umpire/referee/sandbox"
)

// Play says how matches are played, on which cases, by whom, and where their
// records go: what a test, a match, a scoring and a tournament have in common.
type Play struct {
	Conditions
	Umpire   *Umpire
	Machine  *Machine
	Set      cases.Set
	Seats    int // of every match; 0: as many as the game has
	Entrants []program.Entrant
	Opponent program.Entrant // takes free seats; the zero value is the game's default
	Private  []string        // files and folders that no bot may read by chance

	Jobs int  // concurrent matches; 0: as many as the CPUs allow; NoJobs: workers play all
	Pin  bool // give each match its own CPU, if there are enough

	Results Results
	Workers *Workers // on other machines; nil: none
	// Listen begins to listen for players from outside, onlookers and workers; nil
	// where nobody listens.
	Listen func(Hosting) (*Outside, error)
	// Person, if not nil, makes people players at a terminal, instead of in a browser.
	Person func(referee.Player) referee.Player
	Watch  func(arena.Fixture) referee.Watcher // of each match; nil: nobody watches
	// Begun, if not nil, is called before the first match begins.
	Begun func(s *Session, matches int)
	// Done, if not nil, is called with the record of each match when it is kept.
	Done func(n int, r record.Record)
	// Kept, if not nil, is called with each record when it is kept, also of a tournament,
	// where there is no order.
	Kept func(r record.Record)
}

// NoJobs is the value of Jobs where this machine plays no match.
const NoJobs = -1

// Conditions are those under which matches are played.
type Conditions struct {
	Game      protocols.Game
	Limits    func(protocols.Limits) (protocols.Limits, error) // changes a case's; nil: as they are
	Pondering referee.Pondering
	Grace     time.Duration   // of remote players
	Package   *record.Package // that the game is from; nil: it is built in
	Random    bool            // its judge draws, by Seed
	Seed      uint64
	Want      []string // what the judge need not leave out: svg, state, value
	Blame     bool     // who replied last loses where the judge errs
}

// LimitsOf returns the limits of a match on a case.
func (k Conditions) LimitsOf(c protocols.Case, seats int) (protocols.Limits, error) {
	if k.Limits == nil {
		return c.Limits(seats), nil
	}
	return k.Limits(c.Limits(seats))
}

// Fixture returns a match on a case, without its players; guests says that there are
// some among them.
func (k Conditions) Fixture(c cases.Case, seats int, guests bool) (arena.Fixture, error) {
	l, err := k.LimitsOf(c.Case, seats)
	f := arena.Fixture{
		Game: k.Game.Name, Case: c.Record(), Limits: record.NewLimits(l, k.Pondering), Repetition: 1,
		Package: k.Package, Random: k.Random, Seed: k.Seed, Want: k.Want, Blame: k.Blame,
	}
	if guests {
		f.Limits.GraceUS = k.Grace.Microseconds()
	}
	return f, err
}

// SeatOf returns the seat of a player; house says that it takes a free one.
func SeatOf(p referee.Identity, house bool) arena.Seat {
	return arena.Seat{Bot: p.Name, Digest: p.Digest, House: house, Kind: p.Kind, Guest: p.Guest}
}

// Session is a Play that is going on.
type Session struct {
	Play
	Bots  []program.Bot // in the order of the entrants
	House program.Bot   // takes free seats; without a name if the game has none
	Level referee.Level // of isolation; "" until it is known

	several  bool // of several submissions, none of which stops the others
	single   bool // of one match
	launcher sandbox.Launcher
	runner   arena.Local
	store    Store
	stderrs  *contestant.StderrFolder // standard error that is too long for a record; nil without results
	outside  *Outside                 // nil if nobody is listened for
	fleet    *spreading               // nil if only this machine plays
	judge    program.Bot              // of a game in a folder
}

// isolate chooses the level of isolation, and how many matches run concurrently.
func (s *Session) isolate() (err error) {
	if err := s.spread(); err != nil {
		return err
	}
	if s.launcher, err = s.Machine.Launcher(); err != nil {
		return err
	}
	s.Level = s.launcher.Level()
	s.runner.Games, s.runner.Umpire, s.runner.Isolation = []protocols.Game{s.Game}, s.Umpire.Version, string(s.Level)
	s.runner.Watch, s.runner.Stalls = s.Watch, s.Machine.Stalls
	s.store.Kept = s.Kept
	s.runner.Voided = func(f arena.Fixture, why error) {
		s.Machine.Tell.Note("case %s is played again, since its match was %s\n", f.Case.Name, why)
	}
	if err := s.fit(sandbox.RoomFor(s.Level)); err != nil {
		return err
	}
	return fitMemory(s)
}

// resolve makes the bots, and that of free seats, without starting any.
func (s *Session) resolve(ctx context.Context) error {
	resolver, err := s.Machine.Resolver(ctx, s.Umpire, s.Game.Name)
	if err != nil {
		return err
	}
	resolver.Private = slices.Clone(s.Private)
	if err := openJudge(ctx, s, resolver); err != nil {
		return err
	}
	if f := s.Umpire.Folder(s.Game); f != nil {
		resolver.Own, resolver.Chooses = f.Bots(), true
		resolver.Private = append(resolver.Private, f.Dir)
	}
	if p := s.Umpire.Problem(s.Game); p != nil {
		if err = p.MakeWith(ctx, &resolver); err != nil {
			return Mistaken(err)
		}
	}
	for _, e := range append(slices.Clone(s.Entrants), s.Opponent) {
		if e.What != "" {
			resolver.Private = append(resolver.Private, e.Files()...)
		}
	}
	var tell func(program.Bot)
	if s.several {
		tell = s.Machine.Tell.noteUnplayable
	}
	if s.Bots, err = ResolveAll(ctx, resolver, s.Entrants, tell); err != nil {
		return err
	}
	for _, bot := range program.UniqueNames(s.Bots) {
		s.Machine.Tell.Note("notice: %s is called %s, since another bot has its name\n", bot.Entrant.Label, bot.Name)
	}
	opponent := s.Opponent
	if opponent.What == "" && s.Game.DefaultOpponent != "" {
		opponent = program.ParseEntrant("", "@"+s.Game.DefaultOpponent)
	}
	if opponent.What != "" {
		if s.House, err = Resolve(ctx, resolver, opponent); err != nil {
			return Mistaken(err)
		}
	}
	if s.Spreads() {
		s.Bots = elsewhere(s.Bots)
	}
	return s.checkWorkers()
}

// try tries to start the chosen bots. Those that the kernel refuses to execute take
// part and fail, unless they are for other machines and only those play; any other
// error is returned.
func (s *Session) try(ctx context.Context, chosen func(program.Bot) bool) error {
	for i, bot := range s.Bots {
		if bot.Broken != "" || bot.Lack != "" || bot.Elsewhere != "" || !chosen(bot) {
			continue
		}
		if bot.Kind != "" {
			if err := s.checkGuest(bot); err != nil {
				return err
			}
			continue
		}
		switch err := s.tryOne(ctx, bot); {
		case errors.Is(err, sandbox.ErrNotExecuted) && s.Jobs == NoJobs && bot.IsForeign(s.Umpire.Path):
		case errors.Is(err, sandbox.ErrNotExecuted):
			if s.Bots[i].Broken = bot.Names.In(err.Error()); s.several {
				s.Machine.Tell.noteUnplayable(s.Bots[i])
			}
		case err != nil:
			return mistakef("bot %q: %w", bot.Entrant.Label, err)
		}
	}
	return nil
}

// tryOne starts a program as for the first case, and kills it.
func (s *Session) tryOne(ctx context.Context, bot program.Bot) (err error) {
	seating := referee.Seating{Game: s.Game.Name, Seat: 1, Seats: s.Game.MaxSeats}
	if seating.Limits, err = s.LimitsOf(s.Set.Cases[0].Case, seating.Seats); err != nil {
		return err
	}
	return s.program(bot).CheckStart(ctx, seating)
}

// checkGuest checks that a player from outside can play under the conditions.
func (s *Session) checkGuest(bot program.Bot) error {
	if s.Umpire.Problem(s.Game) != nil {
		return errGuest(bot.Entrant.Label)
	}
	for _, c := range s.Set.Cases {
		l, err := s.LimitsOf(c.Case, s.Game.MaxSeats)
		if err != nil {
			return err
		}
		if l.CPU {
			return mistakef("--clock cpu: the CPU time of %s can't be measured", bot.Entrant.Label)
		}
		if bot.Kind == remote.Human && IsBatch(c, s.Game.MaxSeats) {
			return mistakef("bot %q: case %s is a batch task, which is for programs", bot.Entrant.Label, c.Name)
		}
	}
	return nil
}

// IsBatch reports whether a case is a batch task.
func IsBatch(c cases.Case, seats int) bool { return c.Start(seats).Next().Batch }

// hasGuests reports whether a player from outside takes part.
func (s *Session) hasGuests() bool {
	return s.House.Kind != "" || slices.ContainsFunc(s.Bots, func(b program.Bot) bool { return b.Kind != "" })
}

// open makes a session whose matches can be played at any time. All errors in what
// was asked for are found here, before a match is played.
func (p Play) open(ctx context.Context) (*Session, error) {
	s := &Session{Play: p}
	if err := s.isolate(); err != nil {
		return nil, err
	}
	if err := s.resolve(ctx); err != nil {
		return nil, &BotError{err}
	}
	if err := s.try(ctx, func(program.Bot) bool { return true }); err != nil {
		return nil, &BotError{err}
	}
	return s, s.openResults(ctx)
}

// openResults opens the results file for more records, if there is to be one.
func (s *Session) openResults(ctx context.Context) (err error) {
	if s.Results.Dir == "" {
		return nil
	}
	s.stderrs = &contestant.StderrFolder{Dir: filepath.Join(s.Results.Dir, stderrFolder)}
	s.store.Dir = s.Results.Dir
	s.store.Writer, err = s.Results.Open(ctx)
	return Mistaken(err)
}

// fixture returns a match on a case, without its players.
func (s *Session) fixture(c cases.Case, seats int) (arena.Fixture, error) {
	return s.Fixture(c, seats, s.hasGuests())
}

// submission returns the matches of a bot that is tested or scored: every case of
// the set, in every seat that the game tests. Cases may be equal, in several groups
// or by chance; their matches are repetitions of each other.
func (s *Session) submission(bot program.Bot) ([]arena.Fixture, error) {
	var fixtures []arena.Fixture
	times := make(map[string]int)
	for _, c := range s.Set.Cases {
		f, err := s.fixture(c, s.Game.MaxSeats)
		if err != nil {
			return nil, err
		}
		times[f.Case.Text]++
		f.Repetition = times[f.Case.Text]
		for _, seat := range s.Game.PlayedSeats() {
			f.Seats = slices.Repeat([]arena.Seat{s.seatOf(s.House, true)}, s.Game.MaxSeats)
			f.Seats[seat-1] = s.seatOf(bot, false)
			fixtures = append(fixtures, f)
		}
	}
	return fixtures, nil
}

func (s *Session) seatOf(bot program.Bot, house bool) arena.Seat {
	return SeatOf(s.player(bot).Identity(), house)
}

// program makes a player of a bot that is a program.
func (s *Session) program(bot program.Bot) arena.Program {
	return arena.Program{Bot: bot, Launcher: s.launcher, Stderr: s.stderrs}
}

// player makes a player of a bot.
func (s *Session) player(bot program.Bot) referee.Player {
	if bot.Kind == "" {
		return s.program(bot)
	}
	p := remote.Player{Kind: bot.Kind, Guest: bot.Guest, Name: bot.Name, Label: bot.Entrant.Label}
	if s.outside != nil {
		p.Hub = s.outside.Hub
	}
	if s.Person != nil {
		return s.Person(p)
	}
	return p
}

// players returns all players that the matches may need.
func (s *Session) players() []referee.Player {
	list := make([]referee.Player, 0, len(s.Bots)+1)
	for _, bot := range s.Bots {
		list = append(list, s.player(bot))
	}
	if s.House.Name != "" {
		list = append(list, s.player(s.House))
	}
	return list
}

// begin begins to listen, and returns the runner of the matches; end ends both, and
// must be called with what became of the matches.
func (s *Session) begin(ctx context.Context, standings func() report.Standings) (r arena.Runner, end func(error) error, err error) {
	if err := s.listen(standings); err != nil {
		return nil, nil, err
	}
	r, err = s.openFleet(ctx, standings)
	end = func(err error) error {
		err = s.closeFleet(refusedCase(s, err))
		s.closeOutside(ctx)
		return err
	}
	if err != nil {
		return nil, nil, end(err)
	}
	s.runner.Players = s.players()
	return s.judging(r), end, nil
}

// play plays fixtures, and keeps the record of each. The records are returned in the
// order of the fixtures, shortened: see Kept.
func (s *Session) play(ctx context.Context, fixtures []arena.Fixture) (_ []record.Record, err error) {
	all := NewKept(len(fixtures))
	s.single = len(fixtures) == 1
	runner, end, err := s.begin(ctx, nil)
	if err != nil {
		return all.Records, errors.Join(err, s.store.Close())
	}
	if s.Begun != nil {
		s.Begun(s, len(fixtures))
	}
	list := make([]int, len(fixtures)) // of the fixtures that are to be played
	for n := range list {
		list[n] = n
	}
	for {
		err = runner.Run(ctx, chosen(fixtures, list), func(i int, r record.Record) error {
			if _, err := s.store.Keep(r); err != nil {
				return fmt.Errorf("write results: %w", err)
			}
			n := list[i]
			all.Add(n, r)
			if s.Done != nil {
				s.Done(n, r)
			}
			return nil
		})
		var excluded *coordinator.ExcludedError
		if !errors.As(err, &excluded) {
			break
		}
		if err = s.store.Withdraw(ctx, excluded.Workers); err != nil {
			break
		}
		list = list[:0]
		for n, r := range all.Records {
			if slices.Contains(excluded.Workers, r.Worker) {
				list = append(list, n)
			}
		}
	}
	return all.Records, end(errors.Join(err, s.store.Finish(ctx)))
}

// chosen yields some of the fixtures.
func chosen(fixtures []arena.Fixture, list []int) iter.Seq[arena.Fixture] {
	return func(yield func(arena.Fixture) bool) {
		for _, n := range list {
			if !yield(fixtures[n]) {
				return
			}
		}
	}
}
