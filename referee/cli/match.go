package cli

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/report"
)

func (a *app) matchCommand() *cli.Command {
	return &cli.Command{
		Name: "match", Usage: "play one match, drawing the board after each move",
		ArgsUsage: "GAME BOT...",
		Description: "Without --case, the first of the standard cases. Seats that are left free go to the game's default opponent.\n" +
			"A bot called human, or human:NAME, is a person at the keyboard of this terminal; without a terminal, with --listen,\n" +
			"or beside remote players, a person in a browser.",
		Flags: flags(caseFlags(), []cli.Flag{
			&cli.IntFlag{Name: "seats", Usage: "play with `N` seats, where the game has a range (default: as many as there are bots, at least the fewest)"},
		}, limitFlags(), runFlags(), guestFlags(), outputFlags(), []cli.Flag{appendFlag(), htmlFlag(), analyseFlag()}),
		Action: func(c *cli.Context) error {
			if err := newResults(c); err != nil {
				return err
			}
			s, err := a.open(c, nil)
			if err != nil {
				return err
			}
			return s.match()
		},
	}
}

func (s *session) match() error {
	f, err := s.seatedFixture()
	if err != nil {
		return err
	}
	page, err := htmlTarget(s.c)
	if err != nil {
		return err
	}
	if err := s.checkAnalyse(); err != nil {
		return err
	}
	unfit := s.brokenBots()
	if unfit != nil && page == "" && !s.writesResult(nil) {
		return unfit
	}
	s.keyboard = s.openKeyboard()
	quiet := s.c.Bool("quiet") || s.c.Bool("json") || page == "-" || unfit != nil
	board := report.Board{Printer: s.out, Bots: botNames(f)}
	s.runner.Watch = func(f arena.Fixture) referee.Watcher {
		var w referee.Watcher
		if s.c.Bool("verbose") {
			w = s.exchange(f)
		}
		if !quiet {
			w = w.With(board.Watch())
		}
		if s.keyboard != nil {
			w = w.With(referee.Watcher{Awaited: s.keyboard.Awaited})
		}
		return w
	}
	if !quiet {
		free := ""
		if n := len(f.Seats) - len(s.bots); n > 0 {
			free = fmt.Sprintf(", %s in %s left free", s.house.Name, report.Plural(n, "seat"))
		}
		s.printf("%s\n", s.out.Style(report.Dim, s.out.Wrap(fmt.Sprintf("%s, case %s, %s%s", s.game.Title, f.Case.Name, s.under(), free))))
		board.Start(s.set.Cases[0].Start(len(f.Seats)))
	}
	s.runner.Jobs = 1
	records, err := s.play(s.c.Context, []arena.Fixture{f}, nil)
	if err != nil {
		return s.matchStopped(err)
	}
	if s.c.Bool("json") {
		if err := s.out.JSON().Encode(records[0]); err != nil {
			return err
		}
	} else if page != "-" && unfit == nil {
		s.printf("\n")
		report.MatchResult(s.out, records[0], s.games, s.background())
	}
	analysed, err := s.analysed(s.c, records[0])
	if err != nil {
		return err
	}
	if page != "" {
		if err := s.writePage(page, records[0], analysed); err != nil {
			return err
		}
	} else if analysed != nil {
		s.printf("\n")
		report.Analysis{Printer: s.out}.Moves(analysed)
	}
	if records[0].Error != "" {
		return fmt.Errorf("play match: %s", records[0].Error)
	}
	return unfit
}

// seatedFixture makes the match of the bots in the order given; the default
// opponent takes free seats.
func (s *session) seatedFixture() (arena.Fixture, error) {
	if n := len(s.bots); n == 0 || n > s.game.MaxSeats {
		return arena.Fixture{}, usagef("found %d bots, %s has %s seats", n, s.game.Name, s.game.SeatRange())
	}
	seats := max(len(s.bots), s.game.MinSeats)
	if s.c.IsSet("seats") {
		if seats = s.c.Int("seats"); seats < s.game.MinSeats || seats > s.game.MaxSeats {
			return arena.Fixture{}, usagef("--seats: found %d, %s has %s seats", seats, s.game.Name, s.game.SeatRange())
		}
		if seats < len(s.bots) {
			return arena.Fixture{}, usagef("--seats: found %d for %d bots", seats, len(s.bots))
		}
	}
	f := s.fixture(s.set.Cases[0], seats)
	for _, bot := range s.bots {
		f.Seats = append(f.Seats, seatOf(bot, false))
	}
	for len(f.Seats) < seats {
		f.Seats = append(f.Seats, seatOf(s.house, true))
	}
	return f, nil
}

// exchange prints every line exchanged to standard error.
func (s *session) exchange(f arena.Fixture) referee.Watcher {
	start := time.Now()
	return report.Exchange{
		Printer: s.err, Case: f.Case.Name, Bots: botNames(f), Clock: func() time.Duration { return time.Since(start) },
	}.Watch()
}

// botNames returns the names of the players by seat.
func botNames(f arena.Fixture) []string {
	names := make([]string, len(f.Seats))
	for i, s := range f.Seats {
		names[i] = s.Bot
	}
	return names
}
