package session

import (
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/remote"
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
	Limits    func(protocols.Limits) protocols.Limits // changes a case's; nil: as they are
	Pondering referee.Pondering
	Grace     time.Duration   // of remote players
	Package   *record.Package // that the game is from; nil: it is built in
	Random    bool            // its judge draws, by Seed
	Seed      uint64
	Want      []string // what the judge need not leave out: svg, state, value
	Blame     bool     // who replied last loses where the judge errs
}

// LimitsOf returns the limits of a match on a case.
func (k Conditions) LimitsOf(c protocols.Case, seats int) protocols.Limits {
	if k.Limits == nil {
		return c.Limits(seats)
	}
	return k.Limits(c.Limits(seats))
}

// Fixture returns a match on a case, without its players; guests says that there are
// some among them.
func (k Conditions) Fixture(c cases.Case, seats int, guests bool) arena.Fixture {
	f := arena.Fixture{
		Game: k.Game.Name, Case: c.Record(), Limits: record.NewLimits(k.LimitsOf(c.Case, seats), k.Pondering), Repetition: 1,
		Package: k.Package, Random: k.Random, Seed: k.Seed, Want: k.Want, Blame: k.Blame,
	}
	if guests {
		f.Limits.GraceUS = k.Grace.Microseconds()
	}
	return f
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
	resolver program.Resolver // without what the bots get of their game
	runner   arena.Local
	store    Store
	stderrs  *contestant.StderrFolder // standard error that is too long for a record; nil without results
	outside  *Outside                 // nil if nobody is listened for
	fleet    *spreading               // nil if only this machine plays
	judge    program.Bot              // of a game in a folder
}

// IsBatch reports whether a case is a batch task.
func IsBatch(c cases.Case, seats int) bool { return c.Start(seats).Next().Batch }

// hasGuests reports whether a player from outside takes part.
func (s *Session) hasGuests() bool {
	return s.House.Kind != "" || slices.ContainsFunc(s.Bots, func(b program.Bot) bool { return b.Kind != "" })
}

// fixture returns a match on a case, without its players.
func (s *Session) fixture(c cases.Case, seats int) arena.Fixture {
	return s.Fixture(c, seats, s.hasGuests())
}

// submission returns the matches of a bot that is tested or scored: every case of
// the set, in every seat that the game tests. Cases may be equal, in several groups
// or by chance; their matches are repetitions of each other.
func (s *Session) submission(bot program.Bot) (fixtures []arena.Fixture) {
	times := make(map[string]int)
	for _, c := range s.Set.Cases {
		f := s.fixture(c, s.Game.MaxSeats)
		times[f.Case.Text]++
		f.Repetition = times[f.Case.Text]
		for _, seat := range s.Game.PlayedSeats() {
			f.Seats = slices.Repeat([]arena.Seat{s.seatOf(s.House, true)}, s.Game.MaxSeats)
			f.Seats[seat-1] = s.seatOf(bot, false)
			fixtures = append(fixtures, f)
		}
	}
	return fixtures
}

// alone returns the match of a bot alone on a case; times counts its matches on equal cases.
func alone(s *Session, c cases.Case, bot program.Bot, times map[string]int) arena.Fixture {
	f := s.fixture(c, 1)
	f.Seats = []arena.Seat{s.seatOf(bot, false)}
	key := bot.Digest + f.Case.Text
	times[key]++
	f.Repetition = times[key]
	return f
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
	for _, bot := range allBots(s) {
		list = append(list, s.player(bot))
	}
	if s.fleet != nil {
		for _, bot := range s.fleet.controls {
			list = append(list, s.program(bot))
		}
	}
	return list
}

// allBots returns the bots, and that which takes free seats.
func allBots(s *Session) []program.Bot {
	if s.House.Name == "" {
		return s.Bots
	}
	return append(slices.Clone(s.Bots), s.House)
}

// Conditions are those of a game, whose judge, if it has one, draws by seed.
func (u *Umpire) Conditions(g protocols.Game, seed uint64) Conditions {
	k := Conditions{Game: g}
	if f := u.Folder(g); f != nil {
		k.Package, k.Random, k.Seed = f.Package(), f.Random, seed
	}
	if p := u.Problem(g); p != nil {
		k.Package = p.Package()
	}
	return k
}
