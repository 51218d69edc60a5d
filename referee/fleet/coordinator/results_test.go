package coordinator

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestMayStore: a server that answers and stores nothing for several attempts has
// a full disk, which the error names: the run folder's, or the server's own.
func TestMayStore(t *testing.T) {
	_, c := open(t, Config{})
	c.config.Server.folder = filepath.Join(t.TempDir(), "run", "fleet") // where nothing can be written
	for tries := range maxSilent {
		if err := c.mayStore(t.Context(), tries, nats.ErrTimeout); err != nil {
			t.Errorf("after %d attempts: %v", tries, err)
		}
	}
	full := func(want string) {
		t.Helper()
		err := c.mayStore(t.Context(), maxSilent, nats.ErrTimeout)
		if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("found %v, expected %s", err, want)
		}
	}
	full(`^matches under way can't be stored in .*run/fleet: its disk may be full \(open .*/try: no such file or directory\); make room and resume the run$`)
	s := c.config.Server
	c.config.Server = nil
	full(`^the NATS server answers, but does not store what is sent to stream umpire-\w+-results: its disk may be full \(nats: timeout\); make room and restart it$`)
	c.config.Server = s
}
