package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	clients "umpire/bots/examples/remote"
	"umpire/protocols"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/keys"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
	"umpire/referee/report"
	"umpire/referee/session"
	"umpire/referee/settings"
	"umpire/referee/talk"
)

// Those who reach an umpire that listens.
const (
	outsiders          = "onlookers, remote players and people"
	outsidersOrWorkers = outsiders + ", or workers if no such players take part,"
)

// guestFlags are the flags of commands in which players from outside take part, and
// maybe workers.
func guestFlags(who string) []cli.Flag {
	return slices.Concat(settingFlags(settings.Guests...), listenFlags(who))
}

// listenFlags are the flags of commands that listen for who comes from outside.
func listenFlags(who string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8370", Usage: "`ADDRESS` at which " + who + " reach this umpire; port 0 picks one"},
		&cli.StringFlag{Name: "url", Usage: "`URL` under which players reach umpire, if it is not where it listens"},
		&cli.StringSliceFlag{Name: "trusted-proxy", Usage: "addresses `CIDR` of proxies whose X-Forwarded-For says who asks; repeatable"},
		&cli.StringFlag{Name: "access-log", Usage: "add a line for each request to `FILE`: who asked for what, no secrets"},
		&cli.StringFlag{Name: "players", Usage: "players and the hashes of their keys are in `FILE` (default: players in the folder of -o)"},
		&cli.StringFlag{Name: "tls-cert", Usage: "serve https with the certificate in `FILE`"},
		&cli.StringFlag{Name: "tls-key", Usage: "the certificate's key is in `FILE`"},
		&cli.BoolFlag{Name: "insecure", Usage: "listen beyond this machine without TLS: anybody on the way can read keys"},
		&cli.BoolFlag{Name: "private", Usage: "looking at matches needs a key, a ticket or the organiser's token"},
	}
}

// listening is how a command listens for players from outside, and how long it waits for
// them, as its flags say.
type listening struct {
	serve.Config
	hub remote.Config
}

// openGuests begins to listen; the server that it returns is to be started. Records are in
// the results file of folder dir; dir is "" if they are not kept.
func (a *app) openGuests(c *cli.Context, l listening, dir string) (s *serve.Server, err error) {
	path := c.String("players")
	if path == "" && dir != "" {
		path = filepath.Join(dir, "players")
	}
	if l.Keys, err = keys.Open(path, keys.Player); err != nil {
		return nil, usage(err)
	}
	if l.Archive, err = archive.Open(dir); err != nil {
		return nil, usage(err)
	}
	l.hub.Keys, l.hub.Stalls = l.Keys, a.stalls
	l.Hub = remote.NewHub(l.hub)
	l.Clients = clients.Files
	l.Failed = func(err error) { a.note("umpire: a request could not be answered: %v\n", err) }
	if path := c.String("access-log"); path != "" {
		if l.Access, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			return nil, usagef("--access-log: %w", err)
		}
	}
	s, err = serve.New(l.Config)
	return s, listenError(err)
}

// listenError marks an error of listening that the user can mend; nil stays nil.
func listenError(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EACCES) ||
		errors.As(err, new(*net.AddrError)) || errors.As(err, new(*net.DNSError)) {
		return usagef("--listen: %w", err)
	}
	return err
}

// listenConfig reads the flags that say where to listen.
func listenConfig(c *cli.Context) (config serve.Config, err error) {
	config = serve.Config{
		Listen: c.String("listen"), URL: strings.TrimSuffix(c.String("url"), "/"), Private: c.Bool("private"),
		Token: cmp.Or(os.Getenv("UMPIRE_TOKEN"), rand.Text()),
	}
	if config.URL != "" && !isBase(config.URL) {
		return config, usagef("--url: found %q, expected http://HOST or https://HOST, with a path if need be", c.String("url"))
	}
	for _, text := range c.StringSlice("trusted-proxy") {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return config, usagef("--trusted-proxy: found %q, expected addresses like 10.0.0.0/8 or 127.0.0.1/32", text)
		}
		config.Proxies = append(config.Proxies, network)
	}
	if (c.String("tls-cert") == "") != (c.String("tls-key") == "") {
		return config, usagef("--tls-cert and --tls-key: found one of them, expected both")
	}
	if cert := c.String("tls-cert"); cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, c.String("tls-key"))
		if err != nil {
			return config, usagef("--tls-cert: %w", err)
		}
		config.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	return config, checkListen(c, config)
}

// isBase reports whether a text is the URL of an umpire, below which its
// addresses are.
func isBase(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && fleet.IsPort(u.Port()) &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// listeningOf reads what was asked for about players from outside: where to listen, how long
// they are waited for, and what then.
func listeningOf(c *cli.Context, get values) (l listening, err error) {
	if l.Config, err = listenConfig(c); err != nil {
		return l, err
	}
	if l.hub.Join, err = get.duration(settings.Gather); err != nil {
		return l, err
	}
	if absent, isSet := get(settings.Absent.Name); isSet {
		if err := settings.Absent.Check(absent); err != nil {
			return l, usage(err)
		}
		l.hub.Forfeit = absent == settings.Forfeit
	}
	if l.hub.Idle, err = get.duration(settings.Idle); err != nil {
		return l, err
	}
	_, err = keys.Open(c.String("players"), keys.Player)
	return l, usage(err)
}

// checkListen refuses to send keys over a network in the clear.
func checkListen(c *cli.Context, config serve.Config) error {
	host, _, err := net.SplitHostPort(config.Listen)
	if err != nil {
		return usagef("--listen: found %q, expected HOST:PORT", config.Listen)
	}
	if fleet.IsLoopback(host) || config.TLS != nil || strings.HasPrefix(config.URL, "https:") || c.Bool("insecure") {
		return nil
	}
	return usagef("--listen: found %s, which others can reach, so keys need protection on the way: give --tls-cert and --tls-key, "+
		"--url https:… if a proxy does TLS, or --insecure", config.Listen)
}

// servedGames describes games to players and onlookers.
func servedGames(a *app, games []protocols.Game) (list []house.Game, err error) {
	for _, g := range games {
		shown, err := servedGame(a, g)
		if err != nil {
			return nil, err
		}
		list = append(list, shown)
	}
	return list, nil
}

// servedGame describes a game to players and onlookers.
func servedGame(a *app, g protocols.Game) (house.Game, error) {
	view, err := gameView(a, g)
	if err != nil {
		return house.Game{}, err
	}
	shown := house.Game{Game: g, Limits: report.LimitsOf(g, view.Set), Set: view.Set, Bots: []house.Bot{}}
	for _, c := range view.Set.Cases {
		batch := session.IsBatch(c, g.MaxSeats)
		m := c.Start(g.MaxSeats)
		_, draws := m.(protocols.Drawer)
		_, offers := m.(protocols.Chooser)
		shown.Batch = shown.Batch || batch
		shown.Human = shown.Human || !batch && draws && offers
	}
	for i, name := range view.Facts.Bots {
		shown.Bots = append(shown.Bots, house.Bot{Name: "@" + name, About: view.About[i]})
	}
	if f := a.umpire.Folder(g); f != nil {
		if shown.Viewer, err = f.Viewer(context.Background()); err != nil {
			return shown, usage(err)
		}
		shown.Hidden = f.Facts.Hidden
		shown.Conditions = func(seed uint64) session.Conditions {
			k := a.umpire.Conditions(g, seed)
			k.Want = talk.Shown
			return k
		}
	}
	return shown, nil
}

// tellPeople prints the links under which people take their seats, and how long they
// are waited for; a wait of 0 is for ever.
func tellPeople(a *app, s *serve.Server, t *remote.Table, wait time.Duration) {
	people := 0
	for i, seat := range t.Fixture().Seats {
		if seat.Kind == remote.Human {
			a.note("%s plays seat %d: %s%s\n", seat.Guest, i+1, s.URL, serve.Link(t, i+1))
			people++
		}
	}
	if people > 0 && wait > 0 {
		a.note("to play, open the link in a browser within %g s\n", wait.Seconds())
	}
}

// newKeys makes a key for each of the players and people that has none, and prints it:
// a person's in the address of the page that brings its matches.
func (a *app) newKeys(s *serve.Server, h session.Hosting) error {
	add := func(name, format string, args ...any) error {
		if s.Keys.Has(name) {
			return nil
		}
		key, err := s.Keys.Add(name)
		if err != nil {
			return fmt.Errorf("make key: %w", err)
		}
		a.note(format+"%s\n", append(args, key)...)
		return nil
	}
	for _, name := range h.Players {
		if err := add(name, "key of %s: ", name); err != nil {
			return err
		}
	}
	for _, name := range h.People {
		if err := add(keys.PersonKey(name), "%s plays at %s%s", name, s.URL, serve.PersonPage); err != nil {
			return err
		}
	}
	return nil
}

// toldTime is how long umpire waits at its end for players to hear of it.
const toldTime = 2 * time.Second

// awaitTold waits until players have heard how their matches ended. Who has not asked by then
// is not told.
func awaitTold(ctx context.Context, s *serve.Server) {
	ctx, cancel := context.WithTimeout(ctx, toldTime)
	defer cancel()
	_ = s.Hub.AwaitTold(ctx)
}

// listen begins to listen for those who come to a session from outside, and says so.
func (a *app) listen(c *cli.Context, h session.Hosting, l listening) (_ *session.Outside, err error) {
	if l.Games, err = servedGames(a, h.Games); err != nil {
		return nil, err
	}
	l.hub.Games = h.Games
	l.Standings, l.Fleet, l.Several, l.Shared = h.Standings, h.Fleet, h.Several, h.Shared
	if h.Server != nil {
		l.Workers, l.WorkersToken = h.Server.Handler(), h.Server.Token
	}
	s, err := a.openGuests(c, l, h.Dir)
	if err != nil {
		return nil, err
	}
	s.Start()
	a.note("listening on %s\n", s.URL)
	if len(h.People) == 0 {
		s.Hub.OnOpen(func(t *remote.Table) { tellPeople(a, s, t, l.hub.Join) })
	}
	out := &session.Outside{Hub: s.Hub, Withdrawn: s.Archive.Renew}
	out.Archive = func(r record.Record, line []byte) error {
		err := s.Archive.Add(r, line)
		if err == nil { // onlookers find it there from now on
			s.Hub.Archived(r.Match)
		}
		return err
	}
	out.Close = func(ctx context.Context) error {
		awaitTold(ctx, s)
		s.Hub.Stop()
		return s.Close()
	}
	if err := a.newKeys(s, h); err != nil {
		return nil, errors.Join(err, out.Close(c.Context))
	}
	if h.Server != nil {
		sayJoin(a, c, s, h.Server)
	}
	return out, nil
}

// sayJoin says how workers join.
func sayJoin(a *app, c *cli.Context, at *serve.Server, workers *broker.Server) {
	file := cmp.Or(c.String("token-file"), workers.TokenFile())
	join := runAgain("fleet worker").flag("join", at.URL).flag("token-file", file)
	if strings.HasPrefix(at.URL, "http:") {
		join.flags(c, "insecure")
	}
	a.note("workers join with: %s\n", join)
	if at.Everywhere() {
		a.note("from other machines with this machine's name or address in place of localhost\n")
	}
}
