package session

import (
	"context"
	"slices"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/external"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/report"
)

// Match is one match of the entrants in their order; the default opponent takes the
// seats that are left free.
type Match struct {
	Play       // of which the first case is played
	Unfit bool // the match is wanted also with a bot that can't be compiled or started
}

// MatchResult is how a match went.
type MatchResult struct {
	Record record.Record
	Unfit  error // why bots could not be compiled or started; nil if all could
}

// Run plays the match.
func (m Match) Run(ctx context.Context) (result MatchResult, err error) {
	if err := m.checkSeats(); err != nil {
		return result, err
	}
	s, err := m.open(ctx)
	if err != nil {
		return result, err
	}
	if err := NotJudged(s.Bots); err != nil {
		return result, err
	}
	if result.Unfit = Broken(s.Bots); result.Unfit != nil && !m.Unfit {
		return result, result.Unfit
	}
	f := s.fixture(s.Set.Cases[0], s.MatchSeats())
	bots := slices.Clone(s.Bots)
	for len(bots) < s.MatchSeats() {
		bots = append(bots, s.House)
	}
	program.UniqueNames(bots)
	for i, bot := range bots {
		f.Seats = append(f.Seats, s.seatOf(bot, i >= len(s.Bots)))
	}
	s.runner.Jobs = 1
	records, err := s.play(ctx, []arena.Fixture{f})
	if err == nil {
		result.Record = records[0]
	}
	return result, err
}

// MatchSeats returns how many seats a match of all entrants has.
func (p Play) MatchSeats() int { return max(p.Seats, len(p.Entrants), p.Game.MinSeats) }

// SeatsOf says how many seats a match may have.
func SeatsOf(g protocols.Game) string {
	if g.MaxSeats == 1 {
		return "1 seat"
	}
	return g.SeatRange() + " seats"
}

// checkSeats checks that the game has seats for the entrants, and as many as asked for.
func (p Play) checkSeats() error {
	n := len(p.Entrants)
	switch {
	case n == 0 && p.Game.DefaultOpponent == "":
		return mistakef("0 bots given; %s needs %s: `umpire match %s BOT...`", p.Game.Name, p.Game.SeatRange(), p.Game.Name)
	case n > p.Game.MaxSeats:
		return mistakef("%s given; %s has %s: `umpire match %s BOT...`", report.Plural(n, "bot"), p.Game.Name, SeatsOf(p.Game), p.Game.Name)
	case p.Seats == 0:
	case p.Seats < p.Game.MinSeats || p.Seats > p.Game.MaxSeats:
		return mistakef("--seats: found %d, %s has %s", p.Seats, p.Game.Name, SeatsOf(p.Game))
	case p.Seats < n:
		return mistakef("--seats: found %d for %d bots", p.Seats, n)
	}
	return checkFree(p, p.MatchSeats()-n, ", or name more bots")
}

// checkFree checks that somebody takes seats that are left free; otherwise says how else to fill them.
func checkFree(p Play, seats int, otherwise string) error {
	if seats <= 0 || p.Game.DefaultOpponent != "" || p.Opponent.What != "" {
		return nil
	}
	return mistakef("%s left free, for which %s of %s names no `house:`: add one%s",
		report.Plural(seats, "seat"), external.ManifestFile, p.Game.Name, otherwise)
}

// HasPeopleOnly reports whether people take part and no remote players.
func HasPeopleOnly(p Play) bool {
	kinds := func(kind string) bool {
		return slices.ContainsFunc(p.Entrants, func(e program.Entrant) bool { return e.Kind == kind })
	}
	return kinds(remote.Human) && !kinds(remote.Program)
}
