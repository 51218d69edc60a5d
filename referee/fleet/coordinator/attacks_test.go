package coordinator

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"

	"umpire/referee/fleet"
)

// TestReplies: a worker can't have the coordinator or the server do for it what
// it may not do itself, by naming another subject as that of the answer.
func TestReplies(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	secret := fleet.NewSecret()
	id := fleet.IDOf(secret)
	nc, err := stranger(t, s, s.Token, secret, nats.CustomInboxPrefix(fleet.Inbox(id)))
	must(t, err)
	n := c.names
	results := c.results.stream
	must(t, c.results.begin(t.Context()))
	consumer := c.results.consumer.CachedInfo().Name
	targets := []string{
		n.News(), n.Result("other", "job", "0"), "$JS.API.STREAM.PURGE." + n.Results(), "$JS.API.STREAM.DELETE." + n.Results(),
		"$JS.API.CONSUMER.DELETE." + n.Results() + "." + consumer, "$JS.API.STREAM.DELETE.KV_" + n.Lead(),
	}
	asks := map[string]string{
		fleet.HelloTo(id):                      fmt.Sprintf(`{"protocol":%d,"version":"test","isolation":"strict","slots":1}`, fleet.Protocol),
		n.Beat(id):                             `{}`,
		n.Take(id):                             `{}`,
		"$JS.API.DIRECT.GET.OBJ_" + n.Bucket(): `{"seq":1}`,
	}
	for subject, text := range asks {
		for _, target := range targets {
			before, err := results.Info(t.Context())
			must(t, err)
			must(t, nc.PublishRequest(subject, target, []byte(text)))
			must(t, nc.Flush())
			// Answers come in order: those to the attacks have been given.
			for range 2 {
				if msg, err := nc.Request("$JS.API.DIRECT.GET.OBJ_"+n.Bucket(), []byte(`{"seq":1}`), fleet.AskWait); err != nil {
					t.Fatal(err)
				} else if msg == nil {
					t.Fatal("no answer")
				}
				_, _ = nc.Request(n.Beat(id), []byte("{}"), fleet.AskWait)
			}
			info, err := results.Info(t.Context())
			if err != nil {
				t.Fatalf("%s → %s: %v", subject, target, err)
			}
			if info.State.Msgs != before.State.Msgs {
				t.Errorf("%s → %s: %d records, before %d", subject, target, info.State.Msgs, before.State.Msgs)
			}
			if _, err := results.Consumer(t.Context(), consumer); err != nil {
				t.Fatalf("%s → %s: %v", subject, target, err)
			}
		}
	}
}
