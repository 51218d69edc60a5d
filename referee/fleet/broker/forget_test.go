package broker

import (
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"umpire/referee/fleet"
)

// TestForget: what a run has left that nobody goes on with is removed when it is old, and what is of
// others is not.
func TestForget(t *testing.T) {
	s := standingServer(t)
	js, err := jetstream.New(s.nc)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"left", "played"} {
		n := fleet.Names{Run: run}
		_, stream := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: n.Results()})
		_, bucket := js.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: n.Bucket()})
		_, lead := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: n.Lead()})
		for _, err := range []error{stream, bucket, lead} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "other"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.nc.Subscribe(fleet.Names{Run: "played"}.Beat("*"), func(*nats.Msg) {}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		after time.Duration
		want  []string
	}{{time.Hour, nil}, {0, []string{"left"}}, {0, nil}} {
		if got, err := s.Forget(t.Context(), test.after); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("after %s: found %q, error %v, expected %q", test.after, got, err, test.want)
		}
	}
	var rest []string
	for name := range js.StreamNames(t.Context()).Name() {
		rest = append(rest, name)
	}
	slices.Sort(rest)
	if want := []string{"KV_umpire-played-lead", "OBJ_umpire-played", "other", "umpire-played-results"}; !slices.Equal(rest, want) {
		t.Errorf("found %q, expected %q", rest, want)
	}
}
