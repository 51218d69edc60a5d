package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v2"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/pattern"
	"umpire/referee/program"
	"umpire/referee/remote/serve"
	"umpire/referee/sandbox"
	"umpire/referee/session"
	"umpire/referee/settings"
)

func serveCommand(a *app) *cli.Command {
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
				&cli.StringFlag{Name: "embed", Usage: "let pages of `ORIGIN`, such as https://example.org, show matches in frames, at MATCH#embed (default: none may)"},
				&cli.IntFlag{Name: "matches", Value: 64, Usage: "play at most `N` matches concurrently"},
				&cli.BoolFlag{Name: "quiet", Usage: "print only the result"}, logFlag(),
			},
			settingFlags(settings.Gather, settings.Grace, settings.Idle), listenFlags(), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return runServe(a, c) },
	}
}

// origin matches the origin of pages: a scheme, a host, and perhaps a port.
var origin = pattern.New(`^https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?$`)

// runServe hosts matches until it is interrupted.
func runServe(a *app, c *cli.Context) (err error) {
	a.lasting = true
	h, own, err := openHouse(a, c)
	if err != nil {
		return err
	}
	embed := strings.TrimSuffix(c.String("embed"), "/")
	if embed != "" && !origin().MatchString(embed) {
		return usagef("--embed: found %q, expected one origin, https://HOST or http://HOST:PORT", c.String("embed"))
	}
	dir := c.String("o")
	h.Store.Dir = dir
	if h.Store.Writer, err = (session.Results{Dir: dir}).Open(c.Context); err != nil {
		return usage(err)
	}
	g, err := a.openGuests(c, dir, h.Local.Games, flagValues(c), func(config *serve.Config) {
		config.Embed = embed
		h.Store.Archive = config.Archive.Add
		for _, b := range own { // of the only game
			config.Games[0].Bots = append(config.Games[0].Bots, serve.Bot{Name: b.Name, About: "the organiser's"})
		}
		h.Hub, h.Keys, h.Archive, h.Games = config.Hub, config.Keys, config.Archive, config.Games
		config.Make, config.Cancel = h.Make, h.Cancel
	})
	if err != nil {
		return errors.Join(err, h.Store.Close())
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
	if err == nil || errors.Is(err, syscall.EPIPE) {
		err = nil
		<-c.Context.Done()
		a.endless = true
	}
	g.hub.Stop()
	h.Close()
	return errors.Join(err, g.server.Close(), h.Store.Close())
}

// openHouse prepares the games of the command, and the programs that it names.
func openHouse(a *app, c *cli.Context) (_ *serve.House, bots []program.Bot, err error) {
	most, err := countFlag(c, "matches")
	if err != nil {
		return nil, nil, err
	}
	if _, err := listenConfig(c); err != nil {
		return nil, nil, err
	}
	get, games := flagValues(c), a.umpire.Games
	p := session.Play{Umpire: a.umpire, Machine: a.machine(c, get)}
	a.umpire.Machine = p.Machine
	if c.Args().Present() {
		if p.Game, err = a.gameFirst(c); err != nil {
			return nil, nil, err
		}
		if a.umpire.Problem(p.Game) != nil {
			return nil, nil, usagef("%s is a problem package, in which nobody takes a seat: `umpire test %s BOT` judges a submission", p.Game.Name, c.Args().First())
		}
		games = []protocols.Game{p.Game}
	}
	launcher, err := p.Machine.Launcher()
	if err != nil {
		return nil, nil, err
	}
	level := launcher.Level()
	h := &serve.House{
		Judges: make(map[string]func() arena.Judges), Most: most, Room: sandbox.RoomFor(level).Programs, Memory: a.memory(),
		Local:  arena.Local{Games: games, Isolation: string(level), Umpire: version(), Stalls: a.stalls},
		Failed: func(err error) { a.note("umpire: a match does not count: %v\n", err) },
	}
	if h.Grace, err = get.duration(settings.Grace); err != nil {
		return nil, nil, err
	}
	if c.Args().Present() {
		p.Entrants = program.ParseEntrants("", c.Args().Tail())
		if p.Set, err = a.umpire.CaseSource(c.Context).Whole(p.Game, cases.Choice{}); err != nil {
			return nil, nil, err
		}
		if bots, err = p.Programs(c.Context); err != nil {
			return nil, nil, err
		}
	}
	if c.Args().Present() {
		h.Judges[p.Game.Name], err = session.JudgesOf(c.Context, p)
	} else {
		err = addOwnGames(a, c, p, h)
	}
	if err != nil {
		return nil, nil, err
	}
	offered := &offered{games: h.Local.Games, ctx: c.Context, play: p, bots: bots, launcher: launcher, builtIn: make(map[string]program.Bot)}
	h.Program = offered.player
	return h, bots, nil
}

// memory is that of this machine, for matches whose limits are not known before.
func (a *app) memory() *arena.Memory {
	return &arena.Memory{Short: func(need, left int64) {
		a.note("umpire: fewer matches at a time: %s of memory are left, and the contestants of one may take %s\n", mebibytes(left), mebibytes(need))
	}}
}

// offered are the programs that may take seats: the bots given, and the built-in ones.
type offered struct {
	ctx      context.Context
	games    []protocols.Game
	play     session.Play
	bots     []program.Bot
	launcher sandbox.Launcher

	mu      sync.Mutex
	builtIn map[string]program.Bot
}

// player finds the player of a name; ok is false if there is none.
func (o *offered) player(game, name string) (p referee.Player, ok bool, err error) {
	for _, b := range o.bots {
		if b.Name == name && game == o.play.Game.Name {
			return arena.Program{Bot: b, Launcher: o.launcher}, true, nil
		}
	}
	own, dir := o.own(game)
	if len(name) < 2 || name[0] != '@' || own == nil && !o.play.Umpire.HasBot(game, name[1:]) || own != nil && own[name[1:]] == "" && name != "@random" {
		return nil, false, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	bot, ok := o.builtIn[game+name]
	if !ok {
		resolver, err := o.play.Machine.Resolver(o.ctx, o.play.Umpire, game)
		if err != nil {
			return nil, false, err
		}
		if resolver.Own = own; own != nil {
			resolver.Private = append(resolver.Private, dir)
		}
		if bot, err = resolver.Resolve(o.ctx, program.ParseEntrant("", name)); err != nil {
			return nil, false, err
		}
		o.builtIn[game+name] = bot
	}
	return arena.Program{Bot: bot, Launcher: o.launcher}, true, nil
}

// own returns the bots of a game in a folder, and that; nil if the game is built in.
func (o *offered) own(game string) (bots map[string]string, dir string) {
	for _, g := range o.games {
		if f := o.play.Umpire.Folder(g); f != nil && g.Name == game {
			return f.Bots(), f.Dir
		}
	}
	return nil, ""
}

// addOwnGames adds the games that were added by users, but for what can't be played here.
func addOwnGames(a *app, c *cli.Context, p session.Play, h *serve.House) error {
	added, err := a.umpire.Added()
	if err != nil {
		return err
	}
	h.Local.Games = slices.Clone(h.Local.Games)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if p.Game, err = a.umpire.Game(name); err == nil {
			h.Judges[name], err = session.JudgesOf(c.Context, p)
		}
		switch {
		case err != nil:
			a.note("notice: %s is not offered: %v\n", name, err)
			continue
		case a.umpire.Problem(p.Game) != nil:
			continue
		}
		h.Local.Games = append(h.Local.Games, p.Game)
	}
	return nil
}
