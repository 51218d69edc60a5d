package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"umpire/referee/arena"
	"umpire/referee/pattern"
	"umpire/referee/program"
	"umpire/referee/remote/house"
	"umpire/referee/report"
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
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.StringFlag{Name: "o", Value: "umpire-data", Usage: "keep results.jsonl and the players' keys in folder `DIR`"},
				&cli.BoolFlag{Name: "json", Usage: "print the addresses and the token as JSON"},
				&cli.StringFlag{Name: "embed", Usage: "let pages of `ORIGIN`, such as https://example.org, show matches in frames, at MATCH#embed (default: none may)"},
				&cli.IntFlag{Name: "matches", Value: 64, Usage: "play at most `N` matches concurrently"},
				&cli.BoolFlag{Name: "quiet", Usage: "print only the result"}, logFlag(),
			},
			settingFlags(settings.Gather, settings.Grace, settings.Idle), listenFlags(outsiders), []cli.Flag{isolationFlag(), languagesFlag()}),
		Action: func(c *cli.Context) error { return runServe(a, c) },
	}
}

// origin matches the origin of pages: a scheme, a host, and perhaps a port.
var origin = pattern.New(`^https?://([0-9A-Za-z.-]+|\[[0-9A-Fa-f:]+\])(:[0-9]{1,5})?$`)

// runServe hosts matches until it is interrupted.
func runServe(a *app, c *cli.Context) (err error) {
	a.lasting = true
	l, err := listeningOf(c, flagValues(c))
	if err != nil {
		return err
	}
	h, offered, err := openHouse(a, c)
	if err != nil {
		return err
	}
	embed := strings.TrimSuffix(c.String("embed"), "/")
	if embed != "" && !origin().MatchString(embed) {
		return usagef("--embed: found %q, expected one origin, https://HOST or http://HOST:PORT", c.String("embed"))
	}
	if l.Games, err = servedGames(a, h.Local.Games); err != nil {
		return err
	}
	for _, b := range offered { // of the only game
		l.Games[0].Bots = append(l.Games[0].Bots, house.Bot{Name: b.Name, About: "the organiser's"})
	}
	l.hub.Games, l.hub.Void, l.Embed, l.House = h.Local.Games, h.Void, embed, h
	h.Store.Dir = c.String("o")
	if h.Store.Writer, err = (session.Results{Dir: h.Store.Dir}).Open(c.Context); err != nil {
		return usage(err)
	}
	s, err := a.openGuests(c, l, h.Store.Dir)
	if err != nil {
		return errors.Join(err, h.Store.Close())
	}
	h.Store.Archive = s.Archive.Add
	h.Hub, h.Keys, h.Archive, h.Games = s.Hub, s.Keys, s.Archive, s.Games
	s.Start()
	err = a.show(c, struct {
		URL   string `json:"url"`
		SOAP  string `json:"soap"`
		Token string `json:"token"`
	}{s.URL, s.URL + "/soap", s.Token}, func(p *report.Printer) {
		p.Printf("%s/#token=%s\n", s.URL, s.Token)
	})
	if err == nil || errors.Is(err, syscall.EPIPE) {
		err = nil
		<-c.Context.Done()
		a.endless = true
	}
	s.Hub.Stop()
	h.Close()
	awaitTold(context.Background(), s)
	return errors.Join(err, s.Close(), h.Store.Close())
}

// openHouse prepares the games of the command, and the programs that it names.
func openHouse(a *app, c *cli.Context) (_ *house.House, bots []program.Bot, err error) {
	most, err := flagValues(c).count("matches")
	if err != nil {
		return nil, nil, err
	}
	get := flagValues(c)
	p := session.Play{Umpire: a.umpire, Machine: a.machine(c, get)}
	a.umpire.Machine = p.Machine
	if c.Args().Present() {
		if p.Game, err = a.gameFirst(c); err != nil {
			return nil, nil, err
		}
		if a.umpire.Problem(p.Game) != nil {
			return nil, nil, usagef("%s is a problem package, in which nobody takes a seat: `umpire test %s BOT` judges a submission", p.Game.Name, c.Args().First())
		}
		p.Entrants = program.ParseEntrants("", c.Args().Tail())
	}
	launcher, err := p.Machine.Launcher()
	if err != nil {
		return nil, nil, err
	}
	level := launcher.Level()
	h := &house.House{
		Places: house.Places{Most: most, Room: sandbox.RoomFor(level).Programs, Memory: p.Machine.Memory()},
		Local:  arena.Local{Isolation: string(level), Umpire: version(), Stalls: a.stalls},
		Failed: func(err error) { a.note("umpire: a match does not count: %v\n", err) },
	}
	if h.Grace, err = get.duration(settings.Grace); err != nil {
		return nil, nil, err
	}
	o, err := p.Offer(c.Context)
	if err != nil {
		return nil, nil, err
	}
	h.Local.Games, h.Judges, h.Program = o.Games, o.Judges, o.Player
	return h, o.Bots, nil
}
