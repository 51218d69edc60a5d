package serve

import (
	"crypto/tls"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"time"

	"umpire/referee/fleet/status"
	"umpire/referee/keys"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/house"
	"umpire/referee/report"
)

// Config configures a Server.
type Config struct {
	Hub     *remote.Hub
	Keys    *keys.File
	Games   house.Games
	Archive *archive.Archive // finished matches
	Listen  string           // address, as net.Listen takes it
	URL     string           // public base, without a slash at the end; "": where it listens
	Token   string           // the organiser's secret
	Private bool             // looking needs a secret
	Embed   string           // the origin whose pages may frame those of matches, as in https://example.org; "": none
	TLS     *tls.Config
	Proxies []netip.Prefix // addresses of proxies whose X-Forwarded-For counts
	Access  io.WriteCloser // log of requests, which the server closes; nil: there is none

	// House plays the matches that are asked for; nil: none can be.
	House *house.House
	// Clients holds programs that play here, in several languages: see client.
	Clients fs.FS
	// Standings, if not nil, returns those of the tournament that is being
	// played, with its rounds. Calls may be concurrent.
	Standings func() report.Standings
	// Workers, if not nil, answers WebSocket connections, which are those of
	// workers.
	Workers http.Handler
	// WorkersToken is their secret, with which metrics may be read as well.
	WorkersToken string
	// Fleet, if not nil, describes the workers that play; nil before they do.
	Fleet func() *status.Fleet
	// Several says that matches may be on the same deal: what was played in a hidden one
	// is not shown when it is over.
	Several bool
	// Shared says that players are still to play the cases of matches that are over: what
	// was played is not shown in any game.
	Shared bool
	// Failed, if not nil, is called with why umpire could not answer a request:
	// at most ten times, then once a minute. Calls may be concurrent.
	Failed func(error)
}

// Limits of a server.
const (
	maxConnections = 1000 // but for those of players
	maxAddress     = 800  // of these from one address: a class of 130 behind it, whose browsers open 6 each
	maxPlayers     = 4000 // connections of players
	maxPlayer      = 1000 // of these of one player: for each of its sessions some
	maxSurplus     = 1000 // connections beyond these bounds
	maxOnlookers   = 500  // event streams of strangers, and as many of players, so that half of the connections stay free for other requests
	maxOnlooking   = 400  // event streams of an address: that class, looking on at several matches each
	maxWatchers    = 250  // event streams of lobbies, of the other half
	maxWatching    = 200  // of these of one address
	orderEvery     = 10   // seconds between matches that a player asks for, but for the first five
	maxOwnLooks    = 100  // event streams of a player
	maxHeader      = 16 << 10
	headerTime     = 5 * time.Second
	bodyTime       = 10 * time.Second
	writeTime      = 10 * time.Second // in addition to the time a request waits
	drainTime      = 3 * time.Second  // umpire ends within 5 s: players have had 2 s to be told
)
