package coordinator

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/protocols"
	"umpire/referee/arena"
	"umpire/referee/fleet"
	"umpire/referee/fleet/worker"
)

// stranger connects as a worker would, with a secret and a name.
func stranger(t *testing.T, s *Server, token, name string, options ...nats.Option) (*nats.Conn, error) {
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

// TestPermissions: a worker can take work and give results, and no more.
func TestPermissions(t *testing.T) {
	s, c := open(t, Config{})
	denied := make(chan error, 100)
	secret := fleet.NewSecret()
	id := fleet.IDOf(secret)
	nc, err := stranger(t, s, s.Token, secret, nats.CustomInboxPrefix(fleet.Inbox(id)),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string) {
		t.Helper()
		if err := nc.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-denied:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(patience):
			t.Errorf("%s: waited in vain for a refusal", what)
		}
	}
	n := c.names
	for _, subject := range []string{
		n.News(), n.Beat("other"), n.Take("other"), n.Result("other", "job", "0"), fleet.HelloTo("other"), "umpire." + n.Run + ".lead",
		"$JS.API.STREAM.PURGE." + n.Results(), "$JS.API.STREAM.DELETE." + n.Results(), "$JS.API.STREAM.CREATE.mine",
		"$JS.API.STREAM.MSG.GET." + n.Results(), "$JS.API.DIRECT.GET." + n.Results(), "$JS.API.DIRECT.GET.KV_" + n.Lead(),
		"$JS.API.CONSUMER.CREATE." + n.Results() + ".mine", "$JS.API.CONSUMER.MSG.NEXT." + n.Results() + "." + collector,
		"$JS.ACK." + n.Results() + ".coordinator.1.1.1.1.1", "$O." + n.Bucket() + ".M.x", "$KV." + n.Lead() + "." + leader, "$SYS.REQ.SERVER.PING", "anything",
	} {
		if err := nc.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		refused("publish to " + subject)
	}
	for _, subject := range []string{">", "umpire.>", n.AnyResult("*"), n.Take("*"), "_INBOX.>", fleet.Inbox("other") + ".>", "$SYS.>"} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		refused("subscribe to " + subject)
	}
}

// TestRefused: a worker of another version, or of a weaker level than the run
// demands, is told so and ends.
func TestRefused(t *testing.T) {
	s, err := StartServer(t.TempDir(), "given", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Version: "2", Build: fleet.Build{System: "os", Hash: "2"}, Isolation: "strict", Note: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(false) })
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	for _, test := range []struct {
		w   worker.Worker
		why string
	}{
		{worker.Worker{Token: "given", Version: "1", Isolation: "strict"}, "it is umpire 1, and this run is played with 2"},
		{worker.Worker{Token: "given", Version: "2", Isolation: "box"}, "it isolates at level box, and this run is played at strict or stronger"},
		{worker.Worker{Token: "given", Version: "2", Isolation: "strict", Build: fleet.Build{System: "os", Hash: "1"}}, "its umpire is not the same file as that of this run, though both are 2 for os"},
		{worker.Worker{Token: "given", Version: "2", Isolation: "box", Build: fleet.Build{System: "another", Hash: "1"}}, "it isolates at level box, and this run is played at strict or stronger"},
		{worker.Worker{Token: "wrong", Version: "2", Isolation: "strict"}, "its key or token is none of this run"},
	} {
		test.w.URL, test.w.Local = web.URL, arena.Local{Games: []protocols.Game{}}
		err := test.w.Run(t.Context())
		var refused *fleet.RefusedError
		if !errors.As(err, &refused) || refused.Why != test.why {
			t.Errorf("found %v, expected %q", err, test.why)
		}
	}
}
