package session

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/remote"
	"umpire/referee/sandbox"
)

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
	fitMemory(s)
	return nil
}

// resolve makes the bots, and that of free seats, without starting any.
func (s *Session) resolve(ctx context.Context) error {
	var err error
	if s.resolver, err = s.Machine.Resolver(ctx, s.Umpire, s.Game.Name); err != nil {
		return err
	}
	resolver := s.resolver
	resolver.Private = slices.Clone(s.Private)
	if err := openJudge(ctx, s, resolver); err != nil {
		return err
	}
	if f := s.Umpire.Folder(s.Game); f != nil {
		ownBots(&resolver, f)
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
		s.Machine.Tell.noteName(bot, bot.Name)
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

// try tries to start the chosen bots; nil: all. Those that the kernel refuses to execute take
// part and fail, unless they are for other machines and only those play; any other
// error is returned.
func (s *Session) try(ctx context.Context, chosen func(program.Bot) bool) error {
	for i, bot := range s.Bots {
		if bot.Broken != "" || bot.Lack != "" || bot.Elsewhere != "" || chosen != nil && !chosen(bot) {
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
func (s *Session) tryOne(ctx context.Context, bot program.Bot) error {
	seats := s.Game.MaxSeats
	seating := referee.Seating{Game: s.Game.Name, Seat: 1, Seats: seats, Limits: s.LimitsOf(s.Set.Cases[0].Case, seats)}
	return s.program(bot).CheckStart(ctx, seating)
}

// checkGuest checks that a player from outside can play under the conditions.
func (s *Session) checkGuest(bot program.Bot) error {
	if s.Umpire.Problem(s.Game) != nil {
		return mistakef("bot %q: problem packages are for programs of this machine", bot.Entrant.Label)
	}
	for _, c := range s.Set.Cases {
		if s.LimitsOf(c.Case, s.Game.MaxSeats).CPU {
			return mistakef("--clock cpu: the CPU time of %s can't be measured", bot.Entrant.Label)
		}
		if bot.Kind == remote.Human && IsBatch(c, s.Game.MaxSeats) {
			return mistakef("bot %q: case %s is a batch task, which is for programs", bot.Entrant.Label, c.Name)
		}
	}
	return nil
}

// prepare makes the bots, and tries each. All errors in what was asked for are found here,
// before a match is played; those about bots are BotErrors.
func prepare(ctx context.Context, s *Session) error {
	if err := s.isolate(); err != nil {
		return err
	}
	if err := s.resolve(ctx); err != nil {
		return &BotError{err}
	}
	return aboutBot(s.try(ctx, nil))
}

// open makes a session whose matches can be played at any time.
func (p Play) open(ctx context.Context) (*Session, error) {
	s := &Session{Play: p}
	if err := prepare(ctx, s); err != nil {
		return nil, err
	}
	return s, s.openResults(ctx)
}

// openResults opens the results file for more records, if there is to be one. Those of workers that are
// excluded from its run, as may not have been done before the run was killed, are withdrawn.
func (s *Session) openResults(ctx context.Context) (err error) {
	if s.Results.Dir == "" {
		return nil
	}
	s.stderrs = &contestant.StderrFolder{Dir: filepath.Join(s.Results.Dir, stderrFolder)}
	s.store.Dir, s.store.warn = s.Results.Dir, s.Machine.Tell.Warn
	if s.store.Writer, err = s.Results.Open(ctx); err != nil {
		return Mistaken(err)
	}
	excluded, err := s.Results.excluded()
	if err == nil && len(excluded) > 0 && !s.store.Writer.IsNew() {
		err = s.store.Withdraw(ctx, excluded)
	}
	return err
}
