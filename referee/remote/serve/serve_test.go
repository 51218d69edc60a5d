package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"umpire/protocols"
	"umpire/protocols/catalog"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/cases"
	"umpire/referee/keys"
	"umpire/referee/record"
	"umpire/referee/remote"
	"umpire/referee/remote/archive"
	"umpire/referee/remote/house"
	"umpire/referee/remote/serve"
	"umpire/referee/session"
	"umpire/referee/testlevel"
)

func TestMain(m *testing.M) {
	testlevel.Patient(6)
	goleak.VerifyTestMain(withBrowser{m})
}

const token = "the organiser's token"

// site is an umpire that serves matches.
type site struct {
	t       testing.TB
	dir     string
	keys    map[string]string
	hub     *remote.Hub
	house   *house.House
	server  *serve.Server
	network *serve.Network // nil: the machine's
	http    *http.Client
	closed  bool
}

// replier is a program that always replies the same.
type replier string

func (r replier) Identity() referee.Identity {
	return referee.Identity{Name: "@" + string(r), Digest: "replier " + string(r)}
}
func (r replier) Sit(context.Context, referee.Seating) (referee.Contestant, error) { return r, nil }
func (replier) Send(string)                                                        {}
func (replier) CloseInput()                                                        {}
func (replier) Stop() referee.Usage {
	return referee.Usage{Stderr: []byte("secret"), StderrAfter: []byte("secret")}
}
func (r replier) Receive(context.Context, referee.Ask) (referee.Reply, error) {
	return referee.Reply{Text: string(r)}, nil
}

// open starts a site on a folder, which listens at a port of this machine;
// configure may change what it is made of.
func open(t testing.TB, dir string, configure func(*serve.Config)) *site {
	t.Helper()
	return start(t, dir, configure, serve.New, (&net.Dialer{}).DialContext)
}

// openInBubble starts a site on a folder for a test whose clock is fake.
func openInBubble(t *testing.T, dir string, configure func(*serve.Config)) *site {
	t.Helper()
	network := serve.NewNetwork()
	s := start(t, dir, configure, func(c serve.Config) (*serve.Server, error) { return serve.NewOn(network, c) }, network.DialContext)
	s.network = network
	return s
}

// inBubble runs a test whose clock is fake, with a site.
func inBubble(t *testing.T, test func(t *testing.T, s *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openInBubble(t, t.TempDir(), nil)) })
}

// patience is how long the server waits for a player, --join and --idle: a page may take long
// where other tests run.
const patience = 10 * time.Minute

type dialContext = func(ctx context.Context, network, address string) (net.Conn, error)

func start(t testing.TB, dir string, configure func(*serve.Config), listen func(serve.Config) (*serve.Server, error), dial dialContext) *site {
	t.Helper()
	s := &site{t: t, dir: dir, keys: make(map[string]string), http: &http.Client{Transport: described{t, &http.Transport{DialContext: dial}}}}
	fail := func(err error) {
		t.Helper()
		must(t, err)
	}
	file, err := keys.Open(filepath.Join(dir, "players"), keys.Player)
	fail(err)
	archive, err := archive.Open(filepath.Join(dir, record.ResultsFile))
	fail(err)
	writer, err := record.Append(filepath.Join(dir, record.ResultsFile))
	fail(err)
	config := serve.Config{Keys: file, Archive: archive, Listen: "127.0.0.1:0", Token: token}
	var games []protocols.Game
	for _, g := range append([]protocols.Game{protocoltest.Morra(), protocoltest.Relay(), protocoltest.Sum()}, catalog.Games()...) {
		c, err := cases.Generate(g, "", 1, 1)
		fail(err)
		c.Name = "standard/01"
		games = append(games, g)
		_, human := c.Start(g.MaxSeats).(protocols.Chooser)
		shown := house.Game{Game: g, Limits: "some", Set: cases.NewSet(g, c), Batch: g.Name == "sum", Human: human}
		if human {
			shown.Bots = []house.Bot{{Name: "@2", About: "always replies 2"}}
		}
		config.Games = append(config.Games, shown)
	}
	s.hub = remote.NewHub(remote.Config{Games: games, Keys: file, Join: patience, Idle: patience, Void: func(match string, why error) { s.house.Void(match, why) }})
	config.Hub = s.hub
	s.house = &house.House{
		Hub: s.hub, Keys: file, Archive: archive, Games: config.Games, Store: session.Store{Writer: writer, Archive: archive.Add}, Places: house.Places{Most: 3, Room: 100},
		Local: arena.Local{Games: games, Umpire: "test"},
		Program: func(_, name string) (referee.Player, bool, error) {
			if name == "@2" || name == "@hold" || name == "@"+nasty {
				return replier(name[1:]), true, nil
			}
			return nil, false, nil
		},
	}
	config.House = s.house
	if configure != nil {
		configure(&config)
	}
	s.server, err = listen(config)
	fail(err)
	s.server.Start()
	t.Cleanup(s.close)
	return s
}

func (s *site) close() {
	if s.closed {
		return
	}
	s.closed = true
	s.hub.Stop()
	s.house.Close()
	if s.network != nil { // as umpire serve does, where that takes no time
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = s.hub.AwaitTold(ctx)
	}
	if err := errors.Join(s.server.Close(), s.house.Store.Writer.Close()); err != nil {
		s.t.Error(err)
	}
	s.http.CloseIdleConnections()
}

// answer is the answer to a request.
type answer struct {
	status int
	header http.Header
	text   string
}

// code is the code of a problem.
func (a answer) code() string {
	var e struct {
		Error struct{ Code, Message string }
	}
	_ = json.Unmarshal([]byte(a.text), &e)
	return e.Error.Code
}

// request makes a request; body is sent as it is if it is a string.
func (s *site) request(method, path, secret string, body any, change ...func(*http.Request)) answer {
	s.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(b)
	default:
		text, err := json.Marshal(body)
		must(s.t, err)
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, in)
	must(s.t, err)
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	out, err := s.http.Do(r)
	var text []byte
	if err == nil {
		defer out.Body.Close()
		text, err = io.ReadAll(out.Body)
	}
	if err != nil {
		if s.t.Context().Err() == nil { // else the test has ended, and nobody needs the answer
			s.t.Error(err)
		}
		return answer{}
	}
	return answer{out.StatusCode, out.Header, string(text)}
}

// get reads the answer to a request that must succeed.
func get[T any](s *site, method, path, secret string, body any) (out T) {
	s.t.Helper()
	a := s.request("", "/api/v1/"+path, secret, body, func(r *http.Request) { r.Method = method })
	if a.status/100 != 2 {
		s.t.Fatalf("%s %s: found status %d: %s", method, path, a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &out); err != nil {
		s.t.Fatalf("%s %s: %v: %s", method, path, err, a.text)
	}
	return out
}

// player makes a player with a key.
func (s *site) player(name string) string {
	s.t.Helper()
	made := get[struct{ Name, Key string }](s, "POST", "players", token, map[string]string{"name": name})
	s.keys[name] = made.Key
	return made.Key
}

// order asks for a match and returns its id.
func (s *site) order(o map[string]any) string {
	s.t.Helper()
	return get[remote.MatchInfo](s, "POST", "matches", token, o).ID
}

// play plays a match as a player, with every request made times times.
func (s *site) play(name string, times int, think func(remote.TurnInfo) string) remote.TurnInfo {
	seat := get[remote.SeatInfo](s, "POST", "join", s.keys[name], map[string]any{"wait": 30})
	turn := func(method string, k int, body any) (info remote.TurnInfo) {
		for range times {
			info = get[remote.TurnInfo](s, method, fmt.Sprintf("seat/turns/%d?wait=30", k), seat.Ticket, body)
		}
		return info
	}
	k := 1
	info := turn("GET", k, nil)
	for {
		switch info.State {
		case remote.TurnWait:
			info = turn("GET", k, nil)
		case remote.TurnOver, remote.TurnVoid:
			return info
		default:
			info = turn("PUT", k, map[string]string{"reply": think(info)})
			k++
		}
	}
}

func always(text string) func(remote.TurnInfo) string {
	return func(remote.TurnInfo) string { return text }
}

// dial connects to the site, whose network is in memory.
func (s *site) dial() net.Conn {
	s.t.Helper()
	c, err := s.network.Dial("127.0.0.1")
	must(s.t, err)
	return c
}

// send connects to the site, whose network is in memory, and sends a text.
func (s *site) send(text string) net.Conn {
	s.t.Helper()
	c := s.dial()
	_, err := io.WriteString(c, text)
	must(s.t, err)
	return c
}

// awaitRequest waits, in a bubble, until a player's request for a seat waits.
func (s *site) awaitRequest(name, game string) {
	s.t.Helper()
	if synctest.Wait(); !s.hub.WaitsFor(name, game) {
		s.t.Errorf("no request of %s waits", name)
	}
}

// together runs functions concurrently.
func together(list ...func()) {
	done := make(chan struct{})
	for _, f := range list {
		go func() { defer func() { done <- struct{}{} }(); f() }()
	}
	for range list {
		<-done
	}
}

// Two players play over HTTP, one of which makes every request twice. The same
// match again is another repetition.
func TestMatchOverHTTP(t *testing.T) {
	s := open(t, t.TempDir(), nil)
	s.player("alice")
	s.player("bob")
	order := map[string]any{"game": "morra", "seats": []string{"remote:alice", "remote:bob"}, "case": "3 1", "time_ms": 60000, "move_ms": 0}
	var ids []string
	for range 2 {
		id := s.order(order)
		var alice, bob remote.TurnInfo
		together(func() { alice = s.play("alice", 2, always("1")) }, func() { bob = s.play("bob", 1, always("3")) })
		if alice.State != remote.TurnOver || bob.State != remote.TurnOver || len(bob.Results) != 2 || bob.Results[0].Player != "alice" || bob.Results[0].Score != protocols.Points(12) {
			t.Fatalf("found %+v and %+v", alice, bob)
		}
		ids = append(ids, id)
	}
	first := get[record.Record](s, "GET", "matches/"+ids[0]+"/record", "", nil)
	second := get[record.Record](s, "GET", "matches/"+ids[1]+"/record", "", nil)
	if first.Match != ids[0] || first.ID == second.ID || first.Repetition != 1 || second.Repetition != 2 || len(first.Events) != 6 {
		t.Errorf("found match %s, ids %s and %s, repetitions %d and %d, %d events", first.Match, first.ID, second.ID, first.Repetition, second.Repetition, len(first.Events))
	}
}

// What has been recorded is there after a restart, and repetitions count on.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	o := map[string]any{"game": "morra", "seats": []string{"@2", "@2"}, "case": "3 1"}
	var ids []string
	seen := make(map[string]bool)
	for run := range 3 {
		t.Run(fmt.Sprint(run), func(t *testing.T) {
			s := open(t, dir, nil)
			id := s.order(o)
			follow(s, id, "")
			r := get[record.Record](s, "GET", "matches/"+id+"/record", token, nil)
			if r.Repetition != run+1 || seen[r.ID] || r.Seats[0].Stderr != "secret" {
				t.Errorf("found repetition %d, id %s, standard error %q", r.Repetition, r.ID, r.Seats[0].Stderr)
			}
			seen[r.ID] = true
			ids = append(ids, id, r.ID)
			for _, id := range ids {
				if got := get[record.Record](s, "GET", "matches/"+id+"/record", "", nil); got.ID != id && got.Match != id || got.Seats[0].Stderr+got.Seats[0].StderrAfter != "" {
					t.Errorf("match %s: found record %s of match %s, standard error %q", id, got.ID, got.Match, got.Seats[0].Stderr)
				}
			}
			if list := get[[]remote.MatchInfo](s, "GET", "matches", "", nil); len(list) != run+1 || list[0].ID != id || list[0].State != remote.Over {
				t.Errorf("found matches %+v", list)
			}
			if list := get[[]remote.MatchInfo](s, "GET", "matches?state=over&limit=1", "", nil); len(list) != 1 || list[0].ID != id {
				t.Errorf("found matches %+v", list)
			}
			if list := get[[]remote.MatchInfo](s, "GET", "matches?before="+id, "", nil); len(list) != run || run > 0 && list[0].ID != ids[2*run-2] {
				t.Errorf("found matches %+v before %s", list, id)
			}
		})
	}
}

// Waiting requests are answered when umpire is stopped, and what was being
// played is void.
func TestStop(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		alice := s.player("alice")
		s.player("bob")
		id := s.order(map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 0, "move_ms": 0})
		seat := get[remote.SeatInfo](s, "POST", "join", alice, map[string]any{"wait": 5})
		if turn := get[remote.TurnInfo](s, "GET", "seat/turns/1?wait=30", seat.Ticket, nil); turn.State != remote.TurnMove {
			t.Fatalf("found %+v", turn)
		}
		var join answer
		looking := make(chan struct{}) // closed when the onlooker is there
		together(
			func() { join = s.request("POST", "/api/v1/join", s.keys["bob"], map[string]any{"wait": 30}) },
			func() {
				s.look(id, "", func(e event) {
					if e.id == "0" {
						close(looking)
					}
				})
			},
			func() {
				s.awaitRequest("bob", "morra")
				<-looking
				s.close()
			},
		)
		if join.status != 503 || join.code() != "stopping" || join.header.Get("Retry-After") == "" {
			t.Errorf("found %+v", join)
		}
		s = openInBubble(t, s.dir, nil)
		info := get[remote.MatchInfo](s, "GET", "matches/"+id, "", nil)
		if info.State != remote.Void || !strings.Contains(info.Detail, "stopped before the match was over") || info.Results != nil {
			t.Errorf("found %+v", info)
		}
		// The case of a match that may be played again is not for everybody.
		for _, secret := range []string{"", alice, seat.Ticket} {
			if a := s.request("GET", "/api/v1/matches/"+id+"/record", secret, nil); a.status != 409 || a.code() != "running" {
				t.Errorf("found %+v", a)
			}
		}
		if r := get[record.Record](s, "GET", "matches/"+id+"/record", token, nil); r.Error != info.Detail || r.Match != id {
			t.Errorf("found record %+v", r)
		}
	})
}

// A match whose record can't be kept is void, the operator hears why, and the
// players hear no more than that.
func TestRecordNotKept(t *testing.T) {
	inBubble(t, func(t *testing.T, s *site) {
		failed := make(chan error, 1)
		s.house.Failed = func(err error) { failed <- err }
		s.player("alice")
		path := filepath.Join(t.TempDir(), "full.jsonl")
		full, err := record.Append(path)
		must(t, err)
		must(t, full.Close())
		whole := s.house.Store.Writer
		s.house.Store.Writer = full
		order := map[string]any{"game": "morra", "seats": []string{"remote:alice", "@2"}, "case": "2 1", "time_ms": 0, "move_ms": 0}
		id := s.order(order)
		end := s.play("alice", 1, always("1"))
		if end.State != remote.TurnVoid || end.Detail != "umpire could not keep the record of the match" {
			t.Errorf("found %+v", end)
		}
		if err := <-failed; !strings.Contains(err.Error(), path) {
			t.Errorf("the operator hears %v", err)
		}
		if info := get[remote.MatchInfo](s, "GET", "matches/"+id, "", nil); info.State != remote.Void {
			t.Errorf("found %+v", info)
		}
		s.house.Store.Writer = whole
		s.order(order)
		if end := s.play("alice", 1, always("1")); end.State != remote.TurnOver {
			t.Errorf("found %+v", end)
		}
	})
}

// must ends the test if what it needs has failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
