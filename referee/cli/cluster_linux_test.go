package cli_test

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"umpire/referee/testlevel"
)

// healthy waits until a NATS server whose monitor is at an address has joined
// its cluster, with a leader.
func healthy(t *testing.T, at string) {
	t.Helper()
	for end := time.Now().Add(hangTime); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get("http://" + at + "/healthz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("waited %v for the server at %s to be healthy", hangTime, at)
		}
	}
}

// TestCluster plays at a cluster of three NATS servers, one of which is killed
// and does not come back.
func TestCluster(t *testing.T) {
	testlevel.Needs(t, testlevel.Thorough)
	t.Parallel()
	dir, path := withUmpire(t)
	nats := natsServer(t, dir)
	const servers, matches = 3, 60
	ports := freePorts(t, 3*servers)
	clients, routes, monitors := ports[:servers], ports[servers:2*servers], ports[2*servers:]
	var urls []string
	for _, at := range clients {
		urls = append(urls, "nats://"+at)
	}
	url, token := strings.Join(urls, ","), filepath.Join(dir, "token")
	write(t, token, "secret\n")
	var cluster []*umpireProcess
	for i, at := range clients {
		host, port, _ := net.SplitHostPort(at)
		_, monitor, _ := net.SplitHostPort(monitors[i])
		cluster = append(cluster, startUmpire(t, nats, "-n", fmt.Sprint("n", i), "-a", host, "-p", port, "-m", monitor,
			"--auth", "secret", "-js", "-sd", filepath.Join(dir, fmt.Sprint("store", i)),
			"--cluster_name", "three", "--cluster", "nats://"+routes[i], "--routes", "nats://"+strings.Join(routes, ",nats://")).quietly())
	}
	local, run := filepath.Join(dir, "local"), filepath.Join(dir, "run")
	args := []string{"tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", fmt.Sprint(matches / 2), "--quiet"}
	startUmpire(t, path, append(args, "-o", local)...).quietly().exits("the local tournament", 0)
	for _, at := range monitors {
		healthy(t, at)
	}
	coordinator := startUmpire(t, path, append(args, "-o", run, "--nats", url, "--token-file", token, "--jobs", "0")...).quietly()
	for range 2 {
		startWorker(t, path, "--join", url, "--token-file", token, "--jobs", "1", "--no-pause").quietly()
	}
	records := &follower{t: t, dir: run}
	records.wait(matches / 4)
	_ = cluster[0].cmd.Process.Kill()
	records.wait(matches)
	coordinator.exits("the tournament", 0)
	if got, want := inFolder(t, run), inFolder(t, local); len(want) != matches || !maps.Equal(got, want) {
		t.Errorf("found %d matches, expected %d that end in the same way", len(got), matches)
	}
}
