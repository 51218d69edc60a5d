// Package broker is the embedded NATS server through which a run and its workers
// speak: who may connect, by which keys, what each may do, and where workers come
// from. It knows nothing of matches, jobs or records.
//
//	server.go   the server, its folder, secrets, and what workers reach of it
//	clients.go  who has connected, and from where
//	forget.go   what runs have left
package broker

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"umpire/referee/filelock"
	"umpire/referee/fleet"
	"umpire/referee/keys"
)

// MaxMessage is the most bytes of a message, at an embedded server.
const MaxMessage = 32 << 20

// maxSubs is how many subscriptions a connection may have: a worker has less than ten, a coordinator less
// than a hundred.
const maxSubs = 1000

// startTime bounds how long the embedded server takes to be ready: it reads
// what an earlier run left in its store.
const startTime = time.Minute

// Server is an embedded NATS server with JetStream, which keeps what it stores
// in a folder. It listens for nobody but the process itself and its Handler.
type Server struct {
	Token  string      // the secret of workers without keys of their own
	Names  fleet.Names // of the run that is kept in its folder; "*": it has many
	Secret string      // of that: see RunIn
	Folder string      // where it keeps what it stores

	lock    *os.File   // of the folder
	keys    *keys.File // of the other workers; nil: none have any
	runs    *keys.File // of runs; nil: it has one, of this process
	nats    *server.Server
	nc      *nats.Conn      // by which it answers runs; nil: it has one
	workers *server.Account // made by start: before it has ended, nobody comes by the Handler
	own     string          // the coordinator's secret
	hosts   string          // a secret that the Handler shows to the server, and workers don't know

	mu      sync.Mutex
	clients map[string]client // the latest connection of each worker, by its id, and those of runs
}

// Start starts a server. Folder is where it keeps its store, the name of the run, and the workers'
// token unless one is given. Workers, if not nil, are the keys of those that have one of their own.
// With keys of runs, each of which connects with one, the server outlives the runs that it has.
func Start(folder, token string, workers, runs *keys.File) (*Server, error) {
	s := &Server{Token: token, Folder: folder, keys: workers, runs: runs, clients: make(map[string]client), own: rand.Text(), hosts: rand.Text()}
	run, secret, err := RunIn(folder)
	if err == nil && s.Token == "" {
		s.Token, err = kept(s.TokenFile(), rand.Text)
	}
	if err != nil {
		return nil, err
	}
	if s.lock, err = os.OpenFile(filepath.Join(folder, "lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if locked, err := filelock.Try(s.lock); err == nil && !locked { // some file systems have no locks
		s.lock.Close()
		return nil, fmt.Errorf("%s: another umpire keeps its server there", folder)
	}
	store, err := filepath.Abs(filepath.Join(folder, "store"))
	if err != nil {
		return nil, err
	}
	name := "umpire-" + run
	if runs != nil {
		name, run = fleet.Standing+run, "*"
	}
	s.Names, s.Secret = fleet.Names{Run: run}, secret
	s.nats, err = server.NewServer(&server.Options{
		ServerName: name, DontListen: true, NoSigs: true, NoLog: true, JetStream: true, StoreDir: store,
		MaxPayload: MaxMessage, MaxPending: 4 * MaxMessage, MaxSubs: maxSubs, DisableJetStreamBanner: true,
		CustomClientAuthentication: s,
		// The only way in from outside, and that only through Handler.
		Websocket: server.WebsocketOpts{Host: "127.0.0.1", Port: -1, NoTLS: true, HandshakeTimeout: fleet.AskWait, UsernameCookie: hostCookie},
	})
	if err != nil {
		s.lock.Close()
		return nil, fmt.Errorf("start NATS server: %w", err)
	}
	s.nats.Start()
	if err = errors.New("it is not ready after " + startTime.String()); s.nats.ReadyForConnections(startTime) {
		s.workers, err = workersAccount(s.nats, s.Names)
	}
	if err == nil && runs != nil {
		err = s.answer()
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("start NATS server: %w", err)
	}
	return s, nil
}

// RunIn returns the name of the run that is kept in a folder, which is made if it is not
// there, and a secret that its coordinators have, one after the other.
func RunIn(folder string) (name, secret string, err error) {
	if err = os.MkdirAll(folder, 0o700); err == nil {
		name, err = kept(filepath.Join(folder, "run"), fleet.NewName)
	}
	if err == nil {
		secret, err = kept(filepath.Join(folder, "secret"), rand.Text)
	}
	return name, secret, err
}

// TokenFile is where the workers' token is kept, unless one was given.
func (s *Server) TokenFile() string { return filepath.Join(s.Folder, "token") }

// kept returns the text of a file, which is made if it is not there.
func kept(name string, text func() string) (string, error) {
	old, err := os.ReadFile(name)
	if old := strings.TrimSpace(string(old)); old != "" || err != nil && !errors.Is(err, os.ErrNotExist) {
		return old, err
	}
	made := text()
	return made, os.WriteFile(name, []byte(made+"\n"), 0o600)
}

// Close ends the server.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	s.lock.Close()
}

// Connect connects to the server inside the process, as a coordinator does.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(options, nats.InProcessServer(s.nats), nats.Token(s.own))...)
}

// Clients counts the connections to the server.
func (s *Server) Clients() int { return s.nats.NumClients() }

// Check implements server.Authentication: it says who connects, by the secrets, and what
// they may do. The name of a worker's connection is a secret, of which its id is made:
// nobody connects as another. A key is another secret, which tells whose worker it is.
func (s *Server) Check(c server.ClientAuthentication) bool {
	given := c.GetOpts()
	if keys.Same(given.Token, s.own) {
		c.RegisterUser(&server.User{Username: "coordinator"})
		return true
	}
	host, isOurs := strings.CutPrefix(given.Username, s.hosts)
	if !isOurs { // it does not come by the Handler
		return false
	}
	from := client{number: c.GetID(), host: host, secret: given.Token}
	if !keys.Same(given.Token, s.Token) && !from.find(s.keys) && !from.find(s.runs) {
		return false
	}
	id, publish := fleet.IDOf(given.Name), []string{fleet.StatusSubject}
	switch {
	case s.runs != nil && from.keys == s.runs:
		s.add(fmt.Sprint("run ", from.number), from)
		c.RegisterUser(&server.User{Username: "run"})
		return true
	case id != "" && s.add(id, from):
		publish = slices.Collect(maps.Keys(services(s.Names, id)))
	case id == "" && fleet.IsOnlooker(given.Name) && (from.keys == nil || s.add(given.Name, from)):
		id = given.Name
	default:
		return false
	}
	c.RegisterUser(&server.User{Username: id, Account: s.workers, Permissions: &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{fleet.Inbox(id) + ".>", fleet.Names{Run: "*"}.News()}}, // of the runs in its account
	}})
	return true
}

// answer does for the coordinators of runs what they can't: they see neither from where workers
// connect nor their connections.
func (s *Server) answer() (err error) {
	if s.nc, err = s.Connect(); err != nil {
		return err
	}
	_, err = s.nc.Subscribe(fleet.OriginsSubject, func(msg *nats.Msg) {
		var ids []string
		if json.Unmarshal(msg.Data, &ids) != nil {
			return
		}
		if data, err := json.Marshal(s.Origins(ids)); err == nil {
			_ = msg.Respond(data)
		}
	})
	_, failed := s.nc.Subscribe(fleet.KickSubject, func(msg *nats.Msg) { s.Kick(string(msg.Data)) })
	return errors.Join(err, failed, s.nc.Flush())
}

// services lists what a worker may ask for, and whether several may answer; "*": any worker. The
// configuration in referee/fleet/README.md says the same of other servers.
func services(run fleet.Names, worker string) map[string]server.ServiceRespType {
	objects := "OBJ_" + run.Bucket()
	if run.Run == "*" {
		objects = "*" // of what a stream lets read so: objects, and who leads a run
	}
	return map[string]server.ServiceRespType{
		fleet.HelloTo(worker):           server.Streamed,
		fleet.StatusSubject:             server.Streamed,
		run.Beat(worker):                server.Singleton,
		run.Take(worker):                server.Singleton,
		run.AnyResult(worker):           server.Singleton,
		"$JS.API.DIRECT.GET." + objects: server.Singleton,
	}
}

// workersAccount makes the account that workers are in, apart from the
// coordinator's, which has the streams. Permissions alone are not enough: the
// server, and the coordinator, answer on whatever subject a request names for
// its answer, and nobody checks whether the asker may publish there. An empty
// answer on the subject of a deletion would delete a stream. In an account of
// their own, workers reach only what is listed here, with questions and with
// answers.
func workersAccount(s *server.Server, run fleet.Names) (*server.Account, error) {
	streams := s.GlobalAccount()
	workers, err := s.RegisterAccount("workers")
	if err != nil {
		return nil, err
	}
	only := []*server.Account{workers}
	for subject, answers := range services(run, "*") {
		if err := streams.AddServiceExportWithResponse(subject, answers, only); err != nil {
			return nil, fmt.Errorf("export %s: %w", subject, err)
		}
		if subject != run.Take("*") && subject != run.AnyResult("*") { // of the others what is not answered soon never is
			if err := streams.SetServiceExportResponseThreshold(subject, 2*fleet.AskWait); err != nil {
				return nil, fmt.Errorf("export %s: %w", subject, err)
			}
		}
		if err := workers.AddServiceImport(streams, subject, subject); err != nil {
			return nil, fmt.Errorf("import %s: %w", subject, err)
		}
	}
	if err := streams.AddStreamExport(run.News(), only); err != nil {
		return nil, fmt.Errorf("export %s: %w", run.News(), err)
	}
	return workers, workers.AddStreamImport(streams, run.News(), "")
}
