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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	clients "umpire/bots/examples/remote"
	"umpire/protocols"
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

// guestFlags are the flags of commands in which players from outside take part.
func guestFlags() []cli.Flag { return slices.Concat(settingFlags(settings.Guests...), listenFlags()) }

// listenFlags are the flags of commands that listen for players from outside.
func listenFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8370", Usage: "`ADDRESS` at which onlookers, remote players and people reach this umpire, or workers, if no such players take part; port 0 picks one"},
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

// guests is where players from outside come to their matches, and onlookers
// look at them.
type guests struct {
	keys    *keys.File
	hub     *remote.Hub
	archive *archive.Archive
	server  *serve.Server
	wait    time.Duration // for the players of a match; 0: for ever
}

// openGuests begins to listen. Records are in the results file of folder dir;
// dir is "" if they are not kept. More sets up what only some commands offer.
func (a *app) openGuests(c *cli.Context, dir string, games []protocols.Game, get values, more func(*serve.Config)) (g *guests, err error) {
	g = &guests{}
	config, err := listenConfig(c)
	if err != nil {
		return nil, err
	}
	for _, one := range games {
		shown, err := servedGame(a, one)
		if err != nil {
			return nil, err
		}
		config.Games = append(config.Games, shown)
	}
	path, results := c.String("players"), ""
	if dir != "" {
		results = dir
		if path == "" {
			path = filepath.Join(dir, "players")
		}
	}
	if g.keys, err = keys.Open(path, keys.Player); err != nil {
		return nil, usage(err)
	}
	if g.archive, err = archive.Open(results); err != nil {
		return nil, usage(err)
	}
	hub, err := hubConfig(get)
	if err != nil {
		return nil, err
	}
	hub.Games, hub.Keys, g.wait = games, g.keys, hub.Join
	g.hub = remote.NewHub(hub)
	config.Hub, config.Keys, config.Archive = g.hub, g.keys, g.archive
	config.Clients = clients.Files
	config.Failed = func(err error) { a.note("umpire: a request could not be answered: %v\n", err) }
	if more != nil {
		more(&config)
	}
	if path := c.String("access-log"); path != "" {
		if config.Access, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			return nil, usagef("--access-log: %w", err)
		}
	}
	if g.server, err = serve.New(config); err != nil {
		return nil, listenError(err)
	}
	g.server.Start()
	return g, nil
}

// listenError marks an error of listening that the user can mend.
func listenError(err error) error {
	var address *net.AddrError
	var lookup *net.DNSError
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EACCES) ||
		errors.As(err, &address) || errors.As(err, &lookup) {
		return usagef("--listen: %w", err)
	}
	return err
}

// listenConfig reads the flags that say where to listen.
func listenConfig(c *cli.Context) (config serve.Config, err error) {
	config = serve.Config{Listen: c.String("listen"), URL: strings.TrimSuffix(c.String("url"), "/"), Token: os.Getenv("UMPIRE_TOKEN"), Private: c.Bool("private")}
	if config.Token == "" {
		config.Token = rand.Text()
	}
	if config.URL != "" {
		if !isBase(config.URL) {
			return config, usagef("--url: found %q, expected http://HOST or https://HOST, with a path if need be", c.String("url"))
		}
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
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return false
	}
	_, err = strconv.ParseUint(u.Port(), 10, 16)
	return err == nil || u.Port() == ""
}

// hubConfig reads how long players from outside are waited for, and what then.
func hubConfig(get values) (h remote.Config, err error) {
	if h.Join, err = get.duration(settings.Gather); err != nil {
		return h, err
	}
	if absent, isSet := get(settings.Absent.Name); isSet {
		if err := settings.Absent.Check(absent); err != nil {
			return h, usage(err)
		}
		h.Forfeit = absent == settings.Forfeit
	}
	h.Idle, err = get.duration(settings.Idle)
	return h, err
}

// checkListening checks what was asked for about players from outside.
func checkListening(c *cli.Context, get values) error {
	if _, err := listenConfig(c); err != nil {
		return err
	}
	if _, err := hubConfig(get); err != nil {
		return err
	}
	if path := c.String("players"); path != "" {
		if _, err := keys.Open(path, keys.Player); err != nil {
			return usage(err)
		}
	}
	return nil
}

// checkListen refuses to send keys over a network in the clear.
func checkListen(c *cli.Context, config serve.Config) error {
	host, _, err := net.SplitHostPort(config.Listen)
	if err != nil {
		return usagef("--listen: found %q, expected HOST:PORT", config.Listen)
	}
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() || config.TLS != nil || strings.HasPrefix(config.URL, "https:") || c.Bool("insecure") {
		return nil
	}
	return usagef("--listen: found %s, which others can reach, so keys need protection on the way: give --tls-cert and --tls-key, "+
		"--url https:… if a proxy does TLS, or --insecure", config.Listen)
}

// servedGame describes a game to players and onlookers.
func servedGame(a *app, g protocols.Game) (house.Game, error) {
	view, err := gameView(a, g)
	if err != nil {
		return house.Game{}, err
	}
	set := view.Set
	viewer, err := viewerOf(a, g)
	if err != nil {
		return house.Game{}, err
	}
	shown := house.Game{Viewer: viewer, Game: g, Limits: report.LimitsOf(g, set), Set: set, Bots: []house.Bot{}}
	for _, c := range set.Cases {
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
		shown.Hidden = f.Facts.Hidden
		shown.Conditions = func(seed uint64) session.Conditions {
			k := a.umpire.Conditions(g, seed)
			k.Want = talk.Shown
			return k
		}
	}
	return shown, nil
}

// viewerOf returns the viewer of a game of one's own; nil if there is none.
func viewerOf(a *app, g protocols.Game) ([]byte, error) {
	f := a.umpire.Folder(g)
	if f == nil {
		return nil, nil
	}
	viewer, err := f.Viewer(context.Background())
	return viewer, usage(err)
}

// tellPeople prints the links under which people take their seats, and how long they
// are waited for.
func tellPeople(a *app, g *guests, t *remote.Table) {
	people := 0
	for i, s := range t.Fixture().Seats {
		if s.Kind == remote.Human {
			a.note("%s plays seat %d: %s%s\n", s.Guest, i+1, g.server.URL, serve.Link(t, i+1))
			people++
		}
	}
	if people > 0 && g.wait > 0 {
		a.note("to play, open the link in a browser within %g s\n", g.wait.Seconds())
	}
}

// newKeys makes a key for each of the players and people that has none, and prints it:
// a person's in the address of the page that brings its matches.
func (a *app) newKeys(g *guests, h session.Hosting) error {
	add := func(name, format string, args ...any) error {
		if g.keys.Has(name) {
			return nil
		}
		key, err := g.keys.Add(name)
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
		if err := add(keys.PersonKey(name), "%s plays at %s%s", name, g.server.URL, serve.PersonPage); err != nil {
			return err
		}
	}
	return nil
}

// keep adds a record to the archive, in which onlookers find the match from now on.
func (g *guests) keep(r record.Record, line []byte) error {
	err := g.archive.Add(r, line)
	if err == nil {
		g.hub.Archived(r.Match)
	}
	return err
}

// toldTime is how long umpire waits at its end for players to hear of it.
const toldTime = 2 * time.Second

// close ends the listening, when the players have been told how their matches ended,
// or ctx ends.
func (g *guests) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, toldTime)
	defer cancel()
	_ = g.hub.AwaitTold(ctx) // who has not asked by then is not told
	g.hub.Stop()
	return g.server.Close()
}

// listen begins to listen for those who come to a session from outside, and says so.
func (a *app) listen(c *cli.Context, h session.Hosting, get values) (*session.Outside, error) {
	g, err := a.openGuests(c, h.Dir, h.Games, get, func(config *serve.Config) {
		config.Standings, config.Fleet, config.Several = h.Standings, h.Fleet, h.Several
		if h.Server != nil {
			config.Workers, config.WorkersToken = h.Server.Handler(), h.Server.Token
		}
	})
	if err != nil {
		return nil, err
	}
	a.note("listening on %s\n", g.server.URL)
	if len(h.People) == 0 {
		g.hub.OnOpen(func(t *remote.Table) { tellPeople(a, g, t) })
	}
	if err := a.newKeys(g, h); err != nil {
		return nil, errors.Join(err, g.close(c.Context))
	}
	if h.Server != nil {
		sayJoin(a, c, g.server, h.Server)
	}
	return &session.Outside{Hub: g.hub, Archive: g.keep, Withdrawn: g.archive.Renew, Close: g.close}, nil
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
