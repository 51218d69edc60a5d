package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"umpire/referee/testlevel"
)

// TestFleetSecondCoordinator: when a run is resumed elsewhere, at the same NATS server,
// the older umpire stops, says why, and its workers play for the newer one.
func TestFleetSecondCoordinator(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	g := newGated(t)
	at, token, second := freePorts(t, 1)[0], tokenFile(t, g.dir), filepath.Join(g.dir, "second")
	host, port, _ := net.SplitHostPort(at)
	startUmpire(t, natsServer(t, g.dir), "-a", host, "-p", port, "--auth", "a secret of this test", "-js", "-sd", filepath.Join(g.dir, "store")).quietly()
	accepts(t, at)
	nats := []string{"--nats", "nats://" + at, "--token-file", token, "--jobs", "0"}
	first := g.start("", append([]string{"tournament", "ioiwari", "@greedy", g.bot(), "--time", "0", "--cases-per-pair", "2", "-o", g.run}, nats...)...)
	worker := g.start("gate", "fleet", "worker", "--join", "nats://"+at, "--token-file", token, "--jobs", "1")
	worker.says("^umpire: this worker plays for run ")
	worker.quietly()
	must(t, os.CopyFS(second, os.DirFS(g.run)))
	resumed := g.start("", append([]string{"tournament", "--resume", "-o", second, "--quiet"}, nats...)...).quietly()
	first.says("another umpire has resumed this run, and plays it now")
	first.quietly().exits("the first tournament", 3)
	g.open("gate")
	resumed.exits("the resumed tournament", 0)
	worker.interrupt() // the server may have other runs
	worker.exits("the worker", 0)
	if n, m := len(inFolder(t, second)), g.records(); n != 4 || m != 0 {
		t.Errorf("found %d records of the second umpire and %d of the first, expected 4 and 0", n, m)
	}
}
