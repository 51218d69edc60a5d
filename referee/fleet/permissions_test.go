package fleet

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"umpire/protocols"
	"umpire/referee/arena"
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
	for _, c := range []struct{ token, name string }{{"", "a"}, {"wrong", "a"}, {s.Token, ""}, {s.Token, "a.b"}, {s.Token, ">"}} {
		if _, err := stranger(t, s, c.token, c.name); !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("token %q, name %q: found %v, expected a refusal", c.token, c.name, err)
		}
	}
	if _, err := stranger(t, s, s.Token, "abc"); err != nil {
		t.Errorf("the workers' secret: %v", err)
	}
}

// TestPermissions: a worker can take work and give results, and no more.
func TestPermissions(t *testing.T) {
	s, c := open(t, Config{})
	denied := make(chan error, 100)
	nc, err := stranger(t, s, s.Token, "abc", nats.CustomInboxPrefix(inbox("abc")),
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
		case <-time.After(time.Minute):
			t.Errorf("%s: waited a minute for a refusal", what)
		}
	}
	for _, subject := range []string{
		c.job("x", "y"), c.news(), c.beat("other"),
		"$JS.API.STREAM.PURGE." + c.names.work(), "$JS.API.STREAM.DELETE." + c.names.results(), "$JS.API.STREAM.CREATE.mine",
		"$JS.API.STREAM.MSG.GET." + c.names.results(), "$JS.API.DIRECT.GET." + c.names.results(),
		"$JS.API.CONSUMER.CREATE." + c.names.work() + ".mine", "$JS.API.CONSUMER.MSG.NEXT." + c.names.results() + "." + collector,
		"$JS.ACK." + c.names.results() + ".coordinator.1.1.1.1.1", "$O." + c.bucket() + ".M.x", "$SYS.REQ.SERVER.PING", "anything",
	} {
		if err := nc.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		refused("publish to " + subject)
	}
	for _, subject := range []string{">", "umpire.>", c.subject("result.>"), c.subject("work.>"), "_INBOX.>", inbox("other") + ".>", "$SYS.>"} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		refused("subscribe to " + subject)
	}
}

// TestRefused: a worker of another version, or of a weaker level than the run
// demands, is told so and ends.
func TestRefused(t *testing.T) {
	s, err := StartServer(t.TempDir(), "given")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Open(t.Context(), Config{Server: s, Version: "2", Isolation: "strict", Note: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(false) })
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	for _, test := range []struct {
		worker Worker
		why    string
	}{
		{Worker{Token: "given", Version: "1", Isolation: "strict"}, "it is umpire 1, and this run is played with 2"},
		{Worker{Token: "given", Version: "2", Isolation: "box"}, "it isolates at level box, and this run is played at strict or stronger"},
		{Worker{Token: "wrong", Version: "2", Isolation: "strict"}, "the token is not the one of this run"},
	} {
		test.worker.URL, test.worker.Local = web.URL, arena.Local{Games: []protocols.Game{}}
		err := test.worker.Run(t.Context())
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Why != test.why {
			t.Errorf("found %v, expected %q", err, test.why)
		}
	}
}
