package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"umpire/referee/program"
	"umpire/referee/program/build"
	"umpire/referee/settings"
	"umpire/referee/standings"
	"umpire/referee/tournament"
)

func (a *app) tournamentCommand() *cli.Command {
	return &cli.Command{
		Name: "tournament", Usage: "play bots against each other; print standings and a crosstable",
		ArgsUsage: "GAME BOT...",
		Description: `Formats:

- round-robin: every two bots on every case, in both orders; in games with more seats a
  balanced schedule: every bot meets every other and sits in every seat equally often, all
  on the same cases
- gauntlet: the first bot (--challengers: the first ones) against each of the others
- swiss: in --rounds rounds, each bot meets one of similar standing that it has not met;
  ordered by encounters won (a tie ½, a bye 1), then those of its opponents
- knockout: the loser of an encounter is out; bots are seeded in the order given; a tie
  goes to the bot that failed in fewer matches, then to the one given first

The game's own rule decides an encounter. Swiss and knockout are for two seats.

The results go to a run folder: -o DIR, or else a fresh runs/GAME-DATE-N. --resume plays what
is missing there: ` + "`umpire tournament --resume -o DIR`" + `. The keys of --config FILE are the flags'
names; --schema prints their JSON schema. Flags override the file.`,
		Flags: flags(tournamentFlags(), caseFlags(), limitFlags(), runFlags(), guestFlags(), fleetFlags(), outputFlags(), compressFlag(), standingsFlags()),
		Action: func(c *cli.Context) error {
			if c.Bool("schema") {
				a.printf("%s", tournament.Schema())
				return nil
			}
			s, err := a.openTournament(c)
			if err != nil {
				return err
			}
			return s.run()
		},
	}
}

func tournamentFlags() []cli.Flag {
	return flags(
		[]cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "read the tournament from `FILE`"},
			&cli.BoolFlag{Name: "schema", Usage: "print the JSON schema of --config"},
		},
		settingFlags(tournament.Own()...),
		[]cli.Flag{&cli.BoolFlag{Name: "resume", Usage: "play the matches missing from the run folder"}},
	)
}

// tournamentSession is a session that plays a tournament.
type tournamentSession struct {
	*session
	entrants []program.Entrant
	plan     tournament.Plan
	dir      string
	resume   bool
	past     *tournament.Past // read from the run folder; nil without --resume
	exports  []export
}

// openTournament prepares a tournament. All errors in the arguments are found
// here, before a match is played.
func (a *app) openTournament(c *cli.Context) (*tournamentSession, error) {
	a.setColour(c)
	s := &tournamentSession{session: newSession(a, c), entrants: program.ParseEntrants("", c.Args().Tail()), dir: c.String("o"), resume: c.Bool("resume")}
	game := c.Args().First()
	config, err := s.readConfig()
	if err != nil {
		return nil, err
	}
	if game == "" {
		game = config.Game
	}
	if game == "" {
		return nil, usagef("found no game, expected `umpire tournament GAME BOT...` or --config FILE")
	}
	if len(s.entrants) == 0 {
		s.folder = config.Folder
		for _, b := range config.Bots {
			s.entrants = append(s.entrants, program.ParseEntrant(s.folder, b.Label()))
		}
	}
	if s.exports, err = exports(c); err != nil {
		return nil, err
	}
	if c.Args().Present() {
		s.game, err = a.gameFirst(c)
	} else {
		s.game, err = a.game(game)
	}
	if err != nil {
		return nil, err
	}
	if s.game.MaxSeats < 2 || c.Int("seats") == 1 {
		return nil, usagef("%s: one seat: use score", s.game.Name)
	}
	if s.set, err = a.caseSet(c, s.game); err != nil {
		return nil, usage(err)
	}
	if err := s.makePlan(); err != nil {
		return nil, usage(err)
	}
	s.seats = s.plan.Seats
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if err := s.sameTournament(); err != nil {
		return nil, err
	}
	if err := s.findBots(s.entrants); err != nil {
		return nil, err
	}
	s.sayBroken()
	s.sayChanges()
	return s, s.openFolder()
}

// readConfig reads the configuration, if any: from --config, and from the
// folder of the run that is resumed.
func (s *tournamentSession) readConfig() (config tournament.Config, err error) {
	if path := s.c.String("config"); path != "" {
		text, err := build.ReadFile(s.c.Context, path)
		if err != nil {
			return config, usagef("read configuration: %w", err)
		}
		if config, err = tournament.ReadConfig(path, text); err != nil {
			return config, usage(err)
		}
		if err := s.takeFlags(path, &config); err != nil {
			return config, err
		}
		if s.dir == "" {
			s.dir = config.RunFolder()
		}
	}
	if s.resume && s.dir != "" {
		if err := s.readRun(); err != nil {
			return config, err
		}
		if s.past != nil && config.Game == "" {
			config.Game = s.past.Config.Game
		}
		if s.past != nil && len(config.Bots) == 0 {
			config.Bots, config.Folder = s.past.Config.Bots, s.past.Config.Folder
		}
	}
	return config, nil
}

// takeFlags sets the flags that the user has not given from the configuration.
func (s *tournamentSession) takeFlags(path string, config *tournament.Config) error {
	config.Locate()
	for _, k := range tournament.Flags() {
		if value := config.Get(k); value != "" && !s.c.IsSet(k.Name) {
			if err := s.c.Set(k.Name, value); err != nil {
				return usagef("%s: %s: found %q: %w", path, k.Name, value, err)
			}
		}
	}
	return nil
}

// makePlan makes the plan from flags, cases and the number of bots.
func (s *tournamentSession) makePlan() error {
	for _, own := range tournament.Own() {
		if own.Kind != settings.Count {
			continue
		}
		if _, err := countFlag(s.c, own.Name); err != nil {
			return err
		}
	}
	seats := max(s.game.MinSeats, 2, min(s.game.MaxSeats, len(s.entrants)))
	if s.c.IsSet("seats") {
		seats = s.c.Int("seats")
	}
	if seats < s.game.MinSeats || seats > s.game.MaxSeats {
		return fmt.Errorf("--seats: found %d, %s has %s", seats, s.game.Name, s.game.SeatRange())
	}
	texts := make([]string, len(s.set.Cases))
	for i, c := range s.set.Cases {
		texts[i] = c.String()
	}
	s.plan = tournament.Plan{
		Format: tournament.Format(s.c.String("format")), Bots: len(s.entrants), Seats: seats,
		Challengers: s.c.Int("challengers"), Rounds: s.c.Int("rounds"), Rank: s.game.Rank,
		Plays: tournament.Plays(texts, s.c.Int("cases-per-pair"), s.c.Uint64("seed")),
	}
	if list := s.c.String("tiebreaks"); list != "" {
		breaks, err := standings.ParseTiebreaks(list)
		if err != nil {
			return fmt.Errorf("--%w", err)
		}
		s.plan.Tiebreaks = breaks
	}
	return s.plan.Check()
}

// resolved returns the configuration merged with the command line.
func (s *tournamentSession) resolved() tournament.Config {
	config := tournament.Config{Game: s.game.Name, Folder: s.folder}
	for _, b := range s.bots {
		config.Bots = append(config.Bots, tournament.EntrantOf(b.Entrant))
	}
	for _, k := range tournament.Flags() {
		if s.levelLeft && k.Name == "isolation" {
			continue
		}
		if k.Always || s.c.IsSet(k.Name) {
			config.Set(k, fmt.Sprint(s.c.Value(k.Name)))
		}
	}
	config.Seats = &s.plan.Seats
	config.Fix(s.dir)
	return config
}
