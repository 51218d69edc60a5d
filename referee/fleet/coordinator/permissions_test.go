package coordinator

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/arena/arenatest"
	"umpire/referee/fleet"
	"umpire/referee/fleet/broker"
	"umpire/referee/fleet/dispatch"
	"umpire/referee/fleet/worker"
)

// stranger connects as a worker would, with a secret and a name.
func stranger(t *testing.T, s *broker.Server, token, name string, options ...nats.Option) (*nats.Conn, error) {
	t.Helper()
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	nc, err := nats.Connect(strings.Replace(web.URL, "http:", "ws:", 1), append(options, nats.Token(token), nats.Name(name))...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, err
}

// TestSecret: without the workers' secret, or with a name that is none of a
// worker, nobody gets in; nor with the coordinator's name.
func TestSecret(t *testing.T) {
	t.Parallel()
	s, _ := open(t, Config{})
	for _, c := range []struct{ token, name string }{{"", "a"}, {"wrong", "a"}, {s.Token, ""}, {s.Token, "a.b"}, {s.Token, ">"}, {s.Token, "worker1"}, {s.Token, "umpire-coordinator"}} {
		if _, err := stranger(t, s, c.token, c.name); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("token %q, name %q: found %v, expected a refusal", c.token, c.name, err)
		}
	}
	if _, err := stranger(t, s, s.Token, fleet.NewSecret()); err != nil {
		t.Errorf("the workers' secret: %v", err)
	}
}

// denials connects as a worker with a key, and returns how to find out that something is
// denied to it.
func denials(t *testing.T, s *broker.Server, key string) (nc *nats.Conn, id string, refused func(what string, err error)) {
	t.Helper()
	denied := make(chan error, 100)
	secret := fleet.NewSecret()
	id = fleet.IDOf(secret)
	nc, err := stranger(t, s, key, secret, nats.CustomInboxPrefix(fleet.Inbox(id)),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	must(t, err)
	return nc, id, func(what string, err error) {
		t.Helper()
		must(t, errors.Join(err, nc.Flush()))
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(patience):
			t.Errorf("%s: no refusal came", what)
		}
	}
}

// TestPermissions: a worker can take work and give results, and no more.
func TestPermissions(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	nc, _, refused := denials(t, s, s.Token)
	n := c.names
	for _, subject := range []string{
		n.News(), n.Beat("other"), n.Take("other"), n.Result("other", "job", "0"), fleet.HelloTo("other"), n.Hello("other"), "umpire." + n.Run + ".lead",
		"$JS.API.STREAM.PURGE." + n.Results(), "$JS.API.STREAM.DELETE." + n.Results(), "$JS.API.STREAM.CREATE.mine",
		"$JS.API.STREAM.MSG.GET." + n.Results(), "$JS.API.DIRECT.GET." + n.Results(), "$JS.API.DIRECT.GET.KV_" + n.Lead(), "$JS.API.DIRECT.GET.OBJ_" + n.Bucket() + ".x",
		"$JS.API.CONSUMER.CREATE." + n.Results() + ".mine", "$JS.API.CONSUMER.MSG.NEXT." + n.Results() + ".any",
		"$JS.ACK." + n.Results() + ".any.1.1.1.1.1", "$O." + n.Bucket() + ".M.x", "$KV." + n.Lead() + "." + leader, "$SYS.REQ.SERVER.PING", fleet.OriginsSubject, "anything",
	} {
		refused("publish to "+subject, nc.Publish(subject, []byte("{}")))
	}
	for _, subject := range []string{">", "umpire.>", n.AnyResult("*"), n.Take("*"), "_INBOX.>", fleet.Inbox("other") + ".>", "$SYS.>"} {
		_, err := nc.SubscribeSync(subject)
		refused("subscribe to "+subject, err)
	}
}

// standingRun opens a coordinator at a server that outlives it.
func standingRun(t *testing.T, url, key, run string, note func(format string, args ...any)) *Coordinator {
	t.Helper()
	c, err := Open(t.Context(), Config{URL: url, Token: key, Run: run, Games: games, Note: note, Dispatch: dispatch.Config{Version: "test", Silence: 2 * time.Second}})
	must(t, err)
	t.Cleanup(func() { c.Close(false) })
	return c
}

// TestStanding: where several runs meet, a worker plays for all of them, and reaches
// nothing else; a run needs a key of its own, which no worker's is. A worker whose key is
// revoked is excluded from the runs, of which only the server knows who comes.
func TestStanding(t *testing.T) {
	t.Parallel()
	file, key := keysOf(t, "lab")
	runs, ours := keysOf(t, "spring")
	s, err := broker.Start(t.TempDir(), "", file, runs)
	must(t, err)
	t.Cleanup(s.Close)
	url := serve(t, s)
	for _, wrong := range []string{s.Token, key["lab"], ""} {
		if _, err := Open(t.Context(), Config{URL: url, Token: wrong, Run: "wrong", Dispatch: dispatch.Config{Version: "test"}}); err == nil {
			t.Error("a run without a key of its own was let in")
		}
	}
	a, b := standingRun(t, url, ours["spring"], "a", t.Logf), standingRun(t, url, ours["spring"], "b", t.Logf)
	nc, _, refused := denials(t, s, s.Token)
	for _, subject := range []string{
		fleet.OriginsSubject, fleet.KickSubject, a.names.News(), a.names.Hello("other"), a.names.Take("other"), a.names.Result("other", "job", "0"), "$JS.API.STREAM.DELETE." + a.names.Results(),
		"$JS.API.STREAM.MSG.GET." + a.names.Results(), "$JS.API.STREAM.CREATE.mine", "$O." + a.names.Bucket() + ".M.x", "$KV." + a.names.Lead() + "." + leader,
	} {
		refused("publish to "+subject, nc.Publish(subject, []byte("{}")))
	}
	_, err = nc.SubscribeSync("umpire.>")
	refused("subscribe to all", err)

	if squatter := newByHandAs(t, s, "lab", ""); squatter.name != "lab#1" {
		t.Errorf("a worker with the token is called %s", squatter.name)
	}
	first, got := start(t, a, arenatest.Sums(20))
	second, others := start(t, b, arenatest.Sums(20))
	lab := &worker.Worker{URL: url, Token: key["lab"], Local: arena.Local{Umpire: "test", Games: games, Players: []referee.Player{one{}}, Jobs: 2}}
	ends := make(chan error, 1)
	go func() { ends <- lab.Run(t.Context(), t.Context()) }()
	allPlayed(t, first, got, 20)
	allPlayed(t, second, others, 20)
	within(t, "the state of both runs", func() bool { // one may answer late on a busy machine
		list, err := (&worker.Worker{URL: url, Token: s.Token}).Look(t.Context())
		must(t, err)
		return len(list) == 2 && list[0].Run == "a" && list[1].Run == "b"
	})
	if (*got)[0].Worker != "lab" || (*others)[0].Worker != "lab" {
		t.Errorf("played by %q and %q, expected lab", (*got)[0].Worker, (*others)[0].Worker)
	}
	must(t, file.Revoke("lab"))
	a.checkKeys() // as it does every second of a Run
	var excluded *ExcludedError
	if err := a.Excluded(); !errors.As(err, &excluded) || excluded.Workers[0] != "lab" {
		t.Errorf("found %v, expected that lab is excluded", err)
	}
	s.EndRemoved()
	var denied *fleet.AddressError
	if err := ended(t, ends); !errors.As(err, &denied) {
		t.Errorf("the worker ends with %v", err)
	}
}

// TestUnknownOrigin: while a server that outlives the run does not say which key a worker has, the
// worker is not let in without it, and says hello again.
func TestUnknownOrigin(t *testing.T) {
	t.Parallel()
	url := "nats://coordinator:SECRET@" + shownServer(t) // which answers nothing of origins
	c := standingRun(t, url, "", "run", t.Logf)
	c.isStanding = true
	nc, err := nats.Connect(url)
	must(t, err)
	defer nc.Close()
	answers, err := nc.SubscribeSync(fleet.Inbox("lab") + ".x")
	must(t, err)
	hello := fmt.Appendf(nil, `{"protocol":%d,"version":"test","slots":1}`, fleet.Protocol)
	must(t, nc.PublishRequest(fleet.HelloTo("lab"), answers.Subject, hello))
	must(t, nc.PublishRequest(fleet.HelloTo("lab"), answers.Subject, []byte("no hello"))) // is refused next
	msg, err := answers.NextMsg(patience)
	must(t, err)
	var answer fleet.Welcome
	if err := json.Unmarshal(msg.Data, &answer); err != nil || answer.Refused == "" || len(c.Status().Workers) != 0 {
		t.Errorf("found %+v, error %v, expected the answer to what is no hello", answer, err)
	}
}

// TestRefused: a worker of another version, or of a weaker level than the run
// demands, is told so and ends.
func TestRefused(t *testing.T) {
	t.Parallel()
	s, err := broker.Start(t.TempDir(), "given", nil, nil)
	must(t, err)
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Dispatch: dispatch.Config{Version: "2", Build: fleet.Build{System: "os", Hash: "2"}, Isolation: "strict"}, Note: t.Logf})
	must(t, err)
	t.Cleanup(func() { c.Close(false) })
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	for _, test := range []struct {
		w   worker.Worker
		why string
	}{
		{worker.Worker{Token: "given", Local: arena.Local{Umpire: "1", Isolation: "strict"}}, "it is umpire 1, and this run is played with 2"},
		{worker.Worker{Token: "given", Local: arena.Local{Umpire: "2", Isolation: "box"}}, "it isolates at level box, and this run is played at strict or stronger"},
		{worker.Worker{Token: "given", Local: arena.Local{Umpire: "2", Isolation: "strict"}, Build: fleet.Build{System: "os", Hash: "1"}}, "its umpire is not the same file as that of this run, though both are 2 for os"},
		{worker.Worker{Token: "given", Local: arena.Local{Umpire: "2", Isolation: "box"}, Build: fleet.Build{System: "another", Hash: "1"}}, "it isolates at level box, and this run is played at strict or stronger"},
	} {
		test.w.URL = web.URL
		err := test.w.Run(t.Context(), t.Context())
		var refused *fleet.RefusedError
		if !errors.As(err, &refused) || refused.Why != test.why {
			t.Errorf("found %v, expected %q", err, test.why)
		}
	}
}
