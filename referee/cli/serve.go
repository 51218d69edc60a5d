package cli

import (
	"errors"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/program"
	"umpire/referee/remote/serve"
	"umpire/referee/sandbox"
	"umpire/referee/settings"
)

func (a *app) serveCommand() *cli.Command {
	return &cli.Command{
		Name: "serve", Usage: "host matches of remote players and people, who ask for them over HTTP",
		ArgsUsage: "[GAME [BOT...]]",
		Description: "Prints a URL with the organiser's token (or set UMPIRE_TOKEN). Players need a key: `umpire remote\n" +
			"keys add`, or POST /api/v1/players. With GAME only that game is offered; BOTs may then take seats\n" +
			"beside the built-in ones. SIGINT or SIGTERM ends it; finished matches are kept.",
		Flags: flags(
			[]cli.Flag{
				&cli.StringFlag{Name: "o", Value: "umpire-data", Usage: "keep results.jsonl and the players' keys in folder `DIR`"},
				&cli.BoolFlag{Name: "json", Usage: "print the addresses and the token as JSON"},
				&cli.IntFlag{Name: "matches", Value: 64, Usage: "play at most `N` matches concurrently"},
				&cli.BoolFlag{Name: "quiet", Usage: "print only the result"},
			},
			guestFlags(), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return a.serve(c) },
	}
}

// serve hosts matches until it is interrupted.
func (a *app) serve(c *cli.Context) (err error) {
	h, err := a.openHouse(c)
	if err != nil {
		return err
	}
	dir := c.String("o")
	if h.Writer, err = openResults(c, dir); err != nil {
		return usage(err)
	}
	g, err := a.openGuests(c, dir, h.Local.Games, func(config *serve.Config) {
		h.Hub, h.Keys, h.Archive, h.Games = config.Hub, config.Keys, config.Archive, config.Games
		config.Make, config.Cancel = h.Make, h.Cancel
	})
	if err != nil {
		return errors.Join(err, h.Writer.Close())
	}
	if c.Bool("json") {
		err = a.out.JSON().Encode(struct {
			URL   string `json:"url"`
			SOAP  string `json:"soap"`
			Token string `json:"token"`
		}{g.server.URL, g.server.URL + "/soap", g.server.Token})
	} else {
		a.printf("%s/#token=%s\n", g.server.URL, g.server.Token)
	}
	if err == nil {
		<-c.Context.Done()
		a.endless = true
	}
	g.hub.Stop()
	h.Close()
	return errors.Join(err, g.server.Close(), h.Writer.Close())
}

// openHouse prepares the games and programs of the command.
func (a *app) openHouse(c *cli.Context) (*serve.House, error) {
	most, err := countFlag(c, "matches")
	if err != nil {
		return nil, err
	}
	if _, err := listenConfig(c); err != nil {
		return nil, err
	}
	s := newSession(a, c)
	games := a.games
	if c.Args().Present() {
		if s.game, err = a.gameFirst(c); err != nil {
			return nil, err
		}
		games = []protocols.Game{s.game}
	}
	if s.launcher, err = s.chosen(); err != nil {
		return nil, err
	}
	if s.grace, err = duration(c, settings.Grace); err != nil {
		return nil, err
	}
	h := &serve.House{
		Most: most, Room: sandbox.RoomFor(s.launcher.Level()).Programs, Grace: s.grace,
		Local:  arena.Local{Games: games, Isolation: string(s.launcher.Level()), Umpire: version(), Stalls: a.stalls},
		Failed: func(err error) { a.note("umpire: a match does not count: %v\n", err) },
	}
	if c.Args().Present() {
		if err := s.serveBots(program.ParseEntrants("", c.Args().Tail())); err != nil {
			return nil, err
		}
	}
	h.Program = s.programs()
	return h, nil
}

// serveBots resolves the bots given, and checks that each can be started.
func (s *session) serveBots(entrants []program.Entrant) error {
	set, err := s.caseSource(s.c.Context).Whole(s.game, cases.Choice{})
	if err != nil {
		return err
	}
	s.set = set
	s.limits = func(c protocols.Case, seats int) protocols.Limits { return c.Limits(seats) }
	if err := s.nameBots(entrants); err != nil {
		return err
	}
	if i := slices.IndexFunc(s.bots, func(b program.Bot) bool { return b.Kind != "" }); i >= 0 {
		return usagef("bot %q: remote players and people join by themselves; name programs of this machine", s.bots[i].Entrant.Label)
	}
	if err := s.tryBots(func(program.Bot) bool { return true }); err != nil {
		return err
	}
	return s.brokenBots()
}

// programs finds the programs that may take seats: the bots given, and the
// built-in ones.
func (s *session) programs() func(game, name string) (referee.Player, bool, error) {
	var mu sync.Mutex
	builtin := make(map[string]program.Bot)
	return func(game, name string) (referee.Player, bool, error) {
		for _, b := range s.bots {
			if b.Name == name && game == s.game.Name {
				return s.program(b), true, nil
			}
		}
		if len(name) < 2 || name[0] != '@' || !s.isBuiltin(game, name[1:]) {
			return nil, false, nil
		}
		mu.Lock()
		defer mu.Unlock()
		bot, ok := builtin[game+name]
		if !ok {
			resolver, err := s.builtins(game)
			if err != nil {
				return nil, false, err
			}
			if bot, err = resolver.Resolve(s.c.Context, program.ParseEntrant("", name)); err != nil {
				return nil, false, err
			}
			builtin[game+name] = bot
		}
		return s.program(bot), true, nil
	}
}

func (a *app) isBuiltin(game, name string) bool {
	for _, b := range a.bots {
		if b.Game == game && b.Name == name {
			return true
		}
	}
	return false
}
