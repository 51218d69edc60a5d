package coordinator

import (
	"path/filepath"
	"regexp"
	"testing"

	"umpire/referee/arena/arenatest"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestDropped: records that were sent and have not arrived, as when a connection is cut, are
// taken all the same: nobody plays their matches again.
func TestDropped(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	must(t, c.results.begin(t.Context()))
	dropped, err := c.results.consumer.Fetch(3, jetstream.FetchMaxWait(patience))
	must(t, err)
	honestJoins(t, s)
	run, got := start(t, c, arenatest.Sums(20))
	for msg := range dropped.Messages() {
		t.Log("dropped", msg.Subject())
	}
	if err := ended(t, run); err != nil || len(*got) != 20 {
		t.Fatalf("found %d records, error %v; expected 20", len(*got), err)
	}
	for _, r := range *got {
		if r.Error != "" {
			t.Errorf("record %s: error %q", r.ID, r.Error)
		}
	}
	if f := c.Status(); f.Records != 20 {
		t.Errorf("found %d records of workers, expected 20", f.Records)
	}
}

// TestMayStore: a server that answers and stores nothing for several attempts has
// a full disk, which the error names: the run folder's, or the server's own. A folder
// in which nothing can be written is named at once.
func TestMayStore(t *testing.T) {
	t.Parallel()
	_, c := open(t, Config{})
	c.results.folder = t.TempDir()
	for tries := range maxSilent {
		if err := c.results.mayStore(t.Context(), tries, nats.ErrTimeout); err != nil {
			t.Errorf("after %d attempts: %v", tries, err)
		}
	}
	full := func(tries int, want string) {
		t.Helper()
		err := c.results.mayStore(t.Context(), tries, nats.ErrTimeout)
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("found %v, expected %s", err, want)
		}
	}
	full(maxSilent, `^matches under way can't be stored in .*: its disk may be full \(nats: timeout\); make room and resume the run$`)
	c.results.folder = filepath.Join(t.TempDir(), "run", "fleet") // where nothing can be written
	full(0, `^matches under way can't be stored in .*run/fleet: its disk may be full \(open .*/try: no such file or directory\); make room and resume the run$`)
	c.results.folder = ""
	full(maxSilent, `^the NATS server answers, but does not store what is sent to stream umpire-\w+-results: its disk may be full \(nats: timeout\); make room and restart it$`)
}
