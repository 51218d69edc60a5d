package serve

import (
	"embed"
	"io"
	"net/http"

	"umpire/referee/report/html/replay"
)

// service is all that the server answers.
type service struct {
	access    *access
	report    *reporter
	address   address
	players   *players
	soap      *soapService
	lookups   *lookups
	onlookers *onlookers
	desk      *desk
	pages     *pages
	lobby     *lobby
	matches   *matchPages
	guide     *guide
	metrics   *metrics // nil: no workers play
}

// newService makes what a server at an address answers; its event streams end when ended
// is closed.
func newService(c Config, at address, ended <-chan struct{}) *service {
	if c.Clients == nil {
		c.Clients = embed.FS{} // without files
	}
	report := &reporter{notify: c.Failed, often: newThrottle(10, 1.0/60)}
	who := &access{hub: c.Hub, keys: c.Keys, token: c.Token, private: c.Private, proxies: c.Proxies, wrong: newThrottle(20, 1)}
	directory := &directory{hub: c.Hub, archive: c.Archive, games: c.Games, several: c.Several, shared: c.Shared}
	easel := new(easel)
	replays := &replays{directory: directory, easel: easel, report: report, kept: cache[replay.Fragment]{most: replaysKept}}
	players := &players{hub: c.Hub, access: who, replays: replays, fresh: newThrottle(20, 10)}
	s := &service{
		access: who, report: report, address: at, players: players,
		soap:    &soapService{players: players, report: report, address: at},
		lookups: &lookups{directory: directory, access: who, easel: easel},
		onlookers: &onlookers{
			directory: directory, access: who, replays: replays, easel: easel, report: report, ended: ended, past: newThrottle(30, 2),
			strangers: crowd{most: maxOnlookers, each: maxOnlooking, cause: "from this address", of: make(map[string]int)},
			guests:    crowd{most: maxOnlookers, each: maxOwnLooks, cause: "with this secret", of: make(map[string]int)},
			showings:  showings{of: make(map[string]*showing)},
			recorded:  cache[[]frame]{most: recordedKept},
		},
		desk:  &desk{directory: directory, access: who, root: at.base.Path, house: c.House, often: newThrottle(5, 1.0/orderEvery)},
		pages: &pages{access: who, report: report, easel: easel},
		lobby: &lobby{
			directory: directory, access: who, easel: easel, report: report, ended: ended,
			offers: c.House != nil, standings: c.Standings, fleet: c.Fleet,
			watchers: crowd{most: maxWatchers, each: maxWatching, cause: "of the lobby from this address", of: make(map[string]int)},
		},
		matches: &matchPages{directory: directory, replays: replays, embed: c.Embed},
		guide:   &guide{address: at, clients: c.Clients},
	}
	if c.Fleet != nil {
		s.metrics = &metrics{access: who, address: at, token: c.WorkersToken, fleet: c.Fleet}
	}
	return s
}

// api lists the JSON interface.
func (s *service) api() map[string]methods {
	looking, organising := s.access.looking, s.access.organising
	return map[string]methods{
		"join":                {"POST": s.players.join},
		"seat":                {"GET": s.players.seat, "DELETE": s.players.leave},
		"seat/turns/{turn}":   {"GET": s.players.turn, "PUT": s.players.reply},
		"games":               {"GET": looking(s.lookups.listGames)},
		"games/{game}":        {"GET": looking(s.lookups.describeGame)},
		"players":             {"GET": looking(s.lookups.listPlayers), "POST": organising(s.desk.addPlayer)},
		"players/{name}":      {"DELETE": organising(s.desk.removePlayer)},
		"lobby/events":        {"GET": looking(s.lobby.follow)},
		"matches":             {"GET": looking(s.lookups.listMatches), "POST": s.desk.makeMatch},
		"matches/{id}":        {"GET": looking(s.lookups.describeMatch), "DELETE": organising(s.desk.cancelMatch)},
		"matches/{id}/record": {"GET": looking(s.lookups.showRecord)},
		"matches/{id}/events": {"GET": looking(s.onlookers.follow)},
		"openapi.json":        {"GET": describeInterface},
	}
}

// openAPI describes the JSON interface in the form of OpenAPI 3.1. Tests hold the answers
// against it.
//
//go:embed openapi.json
var openAPI []byte

func describeInterface(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, "application/json", openAPI)
	return nil
}

// handler returns everything that the server answers, but for the workers, logged into
// log if that is not nil.
func (s *service) handler(log io.Writer) http.Handler {
	mux := http.NewServeMux()
	for pattern, m := range s.api() {
		mux.Handle("/api/v1/"+pattern, s.report.by(m))
	}
	mux.Handle("/soap", s.report.by(methods{"GET": s.soap.describe, "HEAD": s.soap.describe, "POST": s.soap.call}))
	mux.Handle("/healthz", s.report.reading(func(w http.ResponseWriter, _ *http.Request) error {
		write(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
		return nil
	}))
	if s.metrics != nil {
		mux.Handle("/metrics", s.report.reading(s.metrics.send))
	}
	s.addPages(mux)
	nothing := func(w http.ResponseWriter, r *http.Request) {
		sendFailure(w, noAddress(r))
	}
	mux.HandleFunc("/api/", nothing)
	mux.HandleFunc("/", nothing)
	return compressed(logged(s.access, log, guarded(s.access, s.address, s.report, mux)))
}

// addPages adds the pages, and what they load.
func (s *service) addPages(mux *http.ServeMux) {
	page := func(pattern, root string, f func(r *http.Request, root string) (shown, error)) {
		mux.HandleFunc(pattern, s.pages.of(root, f))
	}
	page("/{$}", "", s.lobby.page)
	page("/games/{game}", "../", s.matches.game)
	page("/how-to-play", "", s.guide.page)
	page("/standings", "", s.lobby.standingsPage)
	page("/play", "", func(_ *http.Request, root string) (shown, error) {
		return shown{"person", chrome{"Your matches", root}}, nil
	})
	mux.HandleFunc("/matches/{id}", s.matches.framing(s.pages.of("../", s.matches.match)))
	mux.HandleFunc("/play/{id}", s.matches.framing(s.pages.of("../", s.matches.play)))
	mux.HandleFunc("/viewers/{game}", s.report.reading(s.matches.viewer))
	mux.HandleFunc("/how-to-play/{file}", s.report.reading(s.guide.send))
	mux.HandleFunc("/web/{file}", s.report.reading(sendWebFile))
	mux.HandleFunc("/web/{hash}/{file}", s.report.reading(sendWebFile))
}
