package fleet

import (
	"testing"

	"github.com/nats-io/nats.go"
)

// TestReplies: a worker can't have the coordinator or the server do for it what
// it may not do itself, by naming another subject as that of the answer.
func TestReplies(t *testing.T) {
	s, c := open(t, Config{})
	if _, err := c.js.Publish(t.Context(), c.job("class", "one"), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := c.class(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	nc, err := stranger(t, s, s.Token, "abc", nats.CustomInboxPrefix(inbox("abc")))
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{
		c.job("class", "forged"), c.news(), "$JS.API.STREAM.PURGE." + c.names.work(), "$JS.API.STREAM.DELETE." + c.names.work(),
		"$JS.API.STREAM.DELETE." + c.names.results(), "$JS.API.CONSUMER.DELETE." + c.names.results() + "." + collector,
	}
	asks := map[string]string{
		helloTo("abc"): `{"id":"abc","version":"test","isolation":"strict","slots":1}`,
		c.beat("abc"):  `{}`,
		"$JS.API.CONSUMER.INFO." + c.names.work() + "." + needs(nil).class():     ``,
		"$JS.API.CONSUMER.INFO." + c.names.work() + ".none":                      ``,
		"$JS.API.CONSUMER.MSG.NEXT." + c.names.work() + "." + needs(nil).class(): `{"batch":1,"no_wait":true}`,
		"$JS.API.STREAM.INFO.OBJ_" + c.bucket():                                  ``,
		"$JS.API.DIRECT.GET.OBJ_" + c.bucket():                                   `{"seq":1}`,
		c.result("job", 0):                                                       `{}`,
	}
	for subject, text := range asks {
		for _, target := range targets {
			before, err := c.work.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := nc.PublishRequest(subject, target, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := nc.Flush(); err != nil {
				t.Fatal(err)
			}
			// Answers come in order: those to the attacks have been given.
			for range 2 {
				if msg, err := nc.Request("$JS.API.STREAM.INFO.OBJ_"+c.bucket(), nil, askWait); err != nil {
					t.Fatal(err)
				} else if msg == nil {
					t.Fatal("no answer")
				}
				_, _ = nc.Request(c.beat("abc"), []byte("{}"), askWait)
			}
			info, err := c.work.Info(t.Context())
			if err != nil {
				t.Fatalf("%s → %s: %v", subject, target, err)
			}
			if info.State.Msgs != before.State.Msgs {
				t.Errorf("%s → %s: %d jobs, before %d", subject, target, info.State.Msgs, before.State.Msgs)
			}
			if _, err := c.results.Info(t.Context()); err != nil {
				t.Fatalf("%s → %s: %v", subject, target, err)
			}
		}
	}
}
