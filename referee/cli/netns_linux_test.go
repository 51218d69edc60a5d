package cli_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// namespace makes a network namespace that is reached by a link with delay and
// loss, and skips the test where that can't be. Here is this side's address.
func namespace(t *testing.T) (name, here string) {
	t.Helper()
	id := os.Getpid() % 10000
	name, here = fmt.Sprintf("umpire-%d", id), fmt.Sprintf("10.%d.%d.1", 80+id/250, id%250)
	there, near, far := strings.TrimSuffix(here, "1")+"2", fmt.Sprintf("um%da", id), fmt.Sprintf("um%db", id)
	t.Cleanup(func() {
		_ = exec.Command("ip", "link", "del", near).Run()
		_ = exec.Command("ip", "netns", "del", name).Run()
	})
	inside := "ip netns exec " + name + " "
	const netem = " root netem delay 40ms 10ms loss 2%"
	for _, line := range []string{
		"ip netns add " + name,
		"ip link add " + near + " type veth peer name " + far + " netns " + name,
		"ip addr add " + here + "/24 dev " + near,
		"ip link set " + near + " up",
		inside + "ip addr add " + there + "/24 dev " + far,
		inside + "ip link set " + far + " up",
		"tc qdisc add dev " + near + netem,
		inside + "tc qdisc add dev " + far + netem,
	} {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Skipf("no network with delay and loss can be made here: %s: %v: %s", line, err, out)
		}
	}
	return name, here
}

// TestFar plays with workers beyond a network with delay and loss.
func TestFar(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	space, here := namespace(t)
	dir, path := withUmpire(t)
	local, run := filepath.Join(dir, "local"), filepath.Join(dir, "run")
	args := []string{"tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", "50", "--quiet"}
	startUmpire(t, path, append(args, "-o", local)...).quietly().exits("the local tournament", 0)
	coordinator := startUmpire(t, path, append(args, "-o", run, "--listen", here+":0", "--insecure", "--jobs", "0")...)
	url, _ := coordinator.listening(0)
	coordinator.quietly()
	for range 2 {
		startUmpire(t, "ip", "netns", "exec", space, path, "worker", "--join", url, "--insecure",
			"--token-file", filepath.Join(run, "fleet", "token"), "--jobs", "1", "--no-pause").quietly()
	}
	coordinator.exits("the tournament", 0)
	if got, want := inFolder(t, run), inFolder(t, local); len(want) != 100 || !maps.Equal(got, want) {
		t.Errorf("found %d matches, expected %d that end in the same way", len(got), len(want))
	}
}
