// Package broker is the embedded NATS server through which a run and its workers
// speak: who may connect, by which keys, what each may do, and where workers come
// from. It knows nothing of matches, jobs or records.
//
//	server.go    the server, its folder, secrets and permissions
//	accounts.go  what workers reach of it
//	hosts.go     where workers come from
package broker

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
	"umpire/referee/keys"
)

// MaxMessage is the most bytes of a message, at an embedded server.
const MaxMessage = 32 << 20

// startTime bounds how long the embedded server takes to be ready: it reads
// what an earlier run left in its store.
const startTime = time.Minute

// Server is an embedded NATS server with JetStream, which keeps what it stores
// in a folder. It listens for nobody but the process itself and its Handler.
type Server struct {
	Token  string // the secret of workers without keys of their own
	Secret string // of the run that is kept in its folder, if it has one: see RunSecret

	keys    *keys.File  // of the other workers; nil: none have any
	runs    *keys.File  // of runs; nil: it has one, of this process
	run     fleet.Names // "*": it has many
	nats    *server.Server
	workers atomic.Pointer[server.Account] // nil until they may come
	own     string                         // the coordinator's secret
	folder  string
	barred  sync.Map // ids of workers that may connect no more
	clients sync.Map // the keys of runs that have connected, by their numbers
	hosts   hosts
}

// Start starts a server. Folder is where it keeps its store, the name of
// the run, and the workers' token unless one is given. Keys, if not nil, are those of
// workers that have keys of their own.
func Start(folder, token string, keys *keys.File) (*Server, error) {
	return start(&Server{Token: token, folder: folder, keys: keys})
}

// StartStanding starts a server likewise that outlives the runs it has: each connects with
// one of their keys.
func StartStanding(folder, token string, keys, runs *keys.File) (*Server, error) {
	s, err := start(&Server{Token: token, folder: folder, keys: keys, runs: runs})
	if err != nil {
		return nil, err
	}
	if err := s.answer(); err != nil {
		s.Close()
		return nil, fmt.Errorf("start NATS server: %w", err)
	}
	return s, nil
}

// standing begins the name of a server that outlives its runs.
const standing = "umpire-fleet-"

// IsStanding reports whether a NATS server's name is that of one that StartStanding has started.
func IsStanding(name string) bool { return strings.HasPrefix(name, standing) }

func start(s *Server) (*Server, error) {
	folder := s.folder
	run, err := RunName(folder)
	if err != nil {
		return nil, err
	}
	name := "umpire-" + run
	if s.runs != nil {
		name, run = standing+run, "*"
	} else if s.Secret, err = RunSecret(folder); err != nil {
		return nil, err
	}
	s.run, s.own = fleet.Names{Run: run}, rand.Text()
	s.hosts.secret, s.hosts.byWorker = rand.Text(), make(map[string]origin)
	if s.Token == "" {
		if s.Token, err = kept(s.TokenFile(), rand.Text); err != nil {
			return nil, err
		}
	}
	store, err := filepath.Abs(filepath.Join(folder, "store"))
	if err != nil {
		return nil, err
	}
	s.nats, err = server.NewServer(&server.Options{
		ServerName: name, DontListen: true, NoSigs: true, NoLog: true, JetStream: true, StoreDir: store,
		MaxPayload: MaxMessage, MaxPending: 4 * MaxMessage, DisableJetStreamBanner: true,
		CustomClientAuthentication: s,
		// The only way in from outside, and that only through Handler.
		Websocket: server.WebsocketOpts{Host: "127.0.0.1", Port: -1, NoTLS: true, HandshakeTimeout: fleet.AskWait, UsernameCookie: hostCookie},
	})
	if err != nil {
		return nil, fmt.Errorf("start NATS server: %w", err)
	}
	s.nats.Start()
	if !s.nats.ReadyForConnections(startTime) {
		s.Close()
		return nil, errors.New("start NATS server: it is not ready after " + startTime.String())
	}
	workers, err := workersAccount(s.nats, s.run)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("start NATS server: %w", err)
	}
	s.workers.Store(workers)
	return s, nil
}

// RunName returns the name of the run that is kept in a folder, which is made
// if it is not there.
func RunName(folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return kept(filepath.Join(folder, "run"), fleet.NewName)
}

// RunSecret returns a secret of the run that is kept in a folder, which is there. Its
// coordinators have it, one after the other.
func RunSecret(folder string) (string, error) {
	return kept(filepath.Join(folder, "secret"), rand.Text)
}

// TokenFile is where the workers' token is kept, unless one was given.
func (s *Server) TokenFile() string { return filepath.Join(s.folder, "token") }

// kept returns the text of a file, which is made if it is not there.
func kept(name string, text func() string) (string, error) {
	old, err := os.ReadFile(name)
	if err == nil && strings.TrimSpace(string(old)) != "" {
		return strings.TrimSpace(string(old)), nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	made := text()
	return made, os.WriteFile(name, []byte(made+"\n"), 0o600)
}

// Close ends the server.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// Connect connects to the server inside the process, as a coordinator does.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect("", append(options, nats.InProcessServer(s.nats), nats.Token(s.own))...)
}

// Handler passes the WebSocket connections of workers on to the server.
func (s *Server) Handler() http.Handler { return s.hosts.handler(s.nats.WebsocketURL()) }

// Clients counts the connections to the server.
func (s *Server) Clients() int { return s.nats.NumClients() }

// Names are the names of the run that is kept in the server's folder.
func (s *Server) Names() fleet.Names { return s.run }

// Folder is where the server keeps what it stores.
func (s *Server) Folder() string { return s.folder }

// HasKey reports whether a worker has a key of that name.
func (s *Server) HasKey(name string) bool { return s.keys != nil && s.keys.Has(name) }

// Check implements server.Authentication: it says who connects, by the secrets, and what
// they may do. The name of a worker's connection is a secret, of which its id is made:
// nobody connects as another. A key is another secret, which tells whose worker it is.
func (s *Server) Check(c server.ClientAuthentication) bool {
	given := c.GetOpts()
	id := fleet.IDOf(given.Name)
	if _, barred := s.barred.Load(id); barred {
		return false
	}
	workers := s.workers.Load()
	if keys.Same(given.Token, s.own) {
		c.RegisterUser(&server.User{Username: "coordinator"})
		return true
	}
	host, known := s.hosts.from(given.Username)
	if !known {
		return false
	}
	key, known := "", keys.Same(given.Token, s.Token)
	if !known && s.keys != nil {
		key, known = s.keys.Find(given.Token)
	}
	switch {
	case !known && s.runs != nil && has(s.runs, given.Token):
		s.clients.Store(c.GetID(), given.Token)
		c.RegisterUser(&server.User{Username: "run"})
	case workers == nil || !known:
		return false
	case id != "":
		if !s.hosts.connected(id, origin{host, c.GetID(), key, given.Token}) {
			return false
		}
		p := permissions(id, fleet.HelloTo(id), s.run.Beat(id), s.run.Take(id), s.run.AnyResult(id))
		for _, one := range services(s.run) {
			if !one.own {
				p.Publish.Allow = append(p.Publish.Allow, one.subject)
			}
		}
		p.Subscribe.Allow = append(p.Subscribe.Allow, fleet.Names{Run: "*"}.News()) // of the runs in its account
		c.RegisterUser(&server.User{Username: id, Account: workers, Permissions: p})
	case fleet.IsOnlooker(given.Name):
		c.RegisterUser(&server.User{Username: given.Name, Account: workers, Permissions: permissions(given.Name, fleet.StatusSubject)})
	default:
		return false
	}
	return true
}

// has reports whether a file has a key.
func has(file *keys.File, key string) bool {
	_, ok := file.Find(key)
	return ok
}

// permissions are those of a client: to ask on some subjects, and to hear the answers.
func permissions(id string, publish ...string) *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{fleet.Inbox(id) + ".>"}},
	}
}

// Origins returns from where workers connect.
func (s *Server) Origins(ids []string) fleet.Origins {
	list := make(fleet.Origins)
	for _, id := range ids {
		at := s.hosts.of(id)
		o := fleet.Origin{Host: at.host, Key: at.key}
		if at.key != "" && s.keys != nil {
			switch name, ok := s.keys.Find(at.secret); {
			case ok && name == at.key:
			case slices.Contains(s.keys.Revoked(), at.key):
				o.Is = fleet.KeyRevoked
			default:
				o.Is = fleet.KeyRemoved
			}
		}
		list[id] = o
	}
	return list
}

// EndRemoved ends the connections of workers and runs whose keys have been removed.
func (s *Server) EndRemoved() {
	for _, client := range s.hosts.keyed() {
		if !has(s.keys, client.secret) {
			_ = s.nats.DisconnectClientByID(client.client)
		}
	}
	s.clients.Range(func(client, key any) bool {
		if number := client.(uint64); s.nats.GetClient(number) == nil {
			s.clients.Delete(client) // it has left
		} else if !has(s.runs, key.(string)) {
			_ = s.nats.DisconnectClientByID(number)
		}
		return true
	})
}

// answer answers the coordinators of runs, which can't see from where workers connect.
func (s *Server) answer() error {
	nc, err := s.Connect()
	if err != nil {
		return err
	}
	_, err = nc.Subscribe(fleet.OriginsSubject, func(msg *nats.Msg) {
		var ids []string
		if json.Unmarshal(msg.Data, &ids) != nil {
			return
		}
		if data, err := json.Marshal(s.Origins(ids)); err == nil {
			_ = msg.Respond(data)
		}
	})
	return errors.Join(err, nc.Flush())
}

// Kick ends the connection of a worker, and lets it connect no more.
func (s *Server) Kick(id string) {
	s.barred.Store(id, true)
	_ = s.nats.DisconnectClientByID(s.hosts.of(id).client)
}
