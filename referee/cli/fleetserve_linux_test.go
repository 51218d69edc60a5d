package cli_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// workersOf returns who has played the matches of a run.
func workersOf(t *testing.T, dir string) []string {
	t.Helper()
	names := make(map[string]bool)
	for _, r := range recordsIn(t, dir) {
		names[r.Worker] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// TestFleetServe: where runs and workers meet, a worker stays and plays for all runs that
// come and that it has the labels for, also after the server was killed and begun anew. A
// run needs a key, and says that it waits for workers. A worker whose key is removed ends.
func TestFleetServe(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	file := func(name string) string { return filepath.Join(g.dir, name) }
	key := func(args ...string) string {
		t.Helper()
		out, err := startUmpireOutput(g, append([]string{"fleet", "keys"}, args...)...)
		must(t, err)
		return strings.TrimSpace(string(out))
	}
	at := freePorts(t, 1)[0]
	serve := func() *umpireProcess {
		p := g.start("", "fleet", "serve", "-o", file("fleet"), "--listen", at, "--workers", file("workers"), "--runs", file("runs"))
		g.url, _ = p.listening(0)
		return p.quietly()
	}
	lab, spring := key("add", "lab", "--workers", file("workers")), key("add", "spring", "--runs", file("runs"))
	server := serve()
	run := func(name, secret string, args ...string) *umpireProcess {
		return startUmpire(t, "/usr/bin/env", append([]string{"UMPIRE_KEY=" + secret, g.path, "tournament", "ioiwari", "@greedy", g.bot(), "--time", "0",
			"--cases-per-pair", "2", "-o", file(name), "--nats", g.url, "--jobs", "0"}, args...)...)
	}
	for _, secret := range []string{"", lab} {
		run("none", secret).quietly().exits("a run without a key", 2)
	}
	worker := startUmpire(t, "/usr/bin/env", g.tools, "GATE="+file("gate"), "UMPIRE_KEY="+lab, g.path, "fleet", "worker", "--join", g.url, "--jobs", "1", "--no-pause", "--label", "avx2")
	first := run("first", spring, "--needs", "avx2", "--priority", "3")
	worker.says("^umpire: this worker plays for run ")
	second := run("second", spring, "--quiet")
	worker.says("^umpire: this worker plays for run ")
	elsewhere := run("elsewhere", spring, "--needs", "arm")
	elsewhere.says("no worker can play matches that need .*a worker with label arm")
	elsewhere.interrupt()
	elsewhere.quietly().ends("the run that no worker can play")

	_ = server.cmd.Process.Kill()
	_ = server.cmd.Wait()
	server = serve()
	g.open("gate")
	for name, p := range map[string]*umpireProcess{"first": first, "second": second} {
		p.quietly().exits("the "+name+" run", 0)
		if n, who := len(inFolder(t, file(name))), workersOf(t, file(name)); n != 4 || !slices.Equal(who, []string{"lab"}) {
			t.Errorf("the %s run: found %d matches, played by %q, expected 4 by lab", name, n, who)
		}
	}
	third := run("third", spring)
	third.says("^waiting for workers, which join with: umpire fleet worker --join " + regexp.QuoteMeta(g.url) + "\n$")
	worker.says("^umpire: run .* has ended")
	worker.says("^umpire: this worker plays for run ")
	third.quietly().exits("the third run", 0)
	key("remove", "lab", "--workers", file("workers"))
	worker.says("--join: at http://.*: the server refuses the user, or the key or token in UMPIRE_KEY or --token-file")
	worker.quietly().exits("the worker", 2)
	server.interrupt()
	server.exits("the server", 0)
}

// TestFleetServeIdle: where runs and workers meet, who looks is told that there is no run, which is
// no failure; and who comes with no secret, with a wrong one or by a wrong protocol is told which is
// right.
func TestFleetServeIdle(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	out, err := startUmpireOutput(g, "fleet", "keys", "add", "spring", "--runs", filepath.Join(g.dir, "keys"))
	must(t, err)
	spring := strings.TrimSpace(string(out))
	server := g.start("", "fleet", "serve", "-o", filepath.Join(g.run, "fleet"), "--listen", "127.0.0.1:0", "--runs", filepath.Join(g.dir, "keys"))
	url, _ := server.listening(0)
	server.quietly()
	text, err := os.ReadFile(g.token())
	must(t, err)
	token := strings.TrimSpace(string(text))
	status, worker := []string{"fleet", "status", "--join", url}, []string{"fleet", "worker", "--join", url, "--jobs", "1", "--wait", "1ms"}
	run := []string{"tournament", "ioiwari", "@greedy", "@random", "--cases-per-pair", "1", "--jobs", "0", "--quiet", "--nats"}
	const (
		none  = `at http://\S+: a key or a token is needed, and none is given; expected it in UMPIRE_KEY or --token-file`
		wrong = `at http://\S+: the server refuses the user, or the key or token in UMPIRE_KEY or --token-file`
		ofRun = `at http://\S+: the key in UMPIRE_KEY or --token-file is that of a run, with which programs can be sent to all workers; expected the token, or a key of .umpire fleet keys add NAME.`
	)
	for _, row := range []struct {
		secret    string
		args      []string
		code      int
		out, told string
	}{
		{token, status, 0, `no run is being played at http://\S+`, ``},
		{spring, append(status, "--json"), 0, ``, ``},
		{"", status, 2, ``, `umpire: --join: ` + none},
		{"", worker, 2, ``, `umpire: --join: ` + none},
		{"", append(run, url), 2, ``, `umpire: --nats: ` + none},
		{"wrong", status, 2, ``, `umpire: --join: ` + wrong},
		{"wrong", worker, 2, ``, `umpire: --join: ` + wrong},
		{"wrong", append(run, url), 2, ``, `umpire: --nats: ` + wrong},
		{spring, worker, 2, ``, `umpire: --join: ` + ofRun},
		{spring, append(run, strings.Replace(url, "http:", "nats:", 1)), 3, ``, `umpire: no server at nats://\S+: what listens there hangs, or does not speak NATS; if it is umpire, expected a URL of http or https`},
	} {
		cmd := exec.CommandContext(t.Context(), "/usr/bin/env", append([]string{g.tools, "UMPIRE_ISOLATION=none", "UMPIRE_KEY=" + row.secret, g.path}, row.args...)...)
		cmd.Dir = g.dir
		var told strings.Builder
		cmd.Stderr = &told
		out, err := cmd.Output()
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		says := func(text, form string) bool {
			return form == "" && text == "" || form != "" && regexp.MustCompile(`(?m)^`+form+`$`).MatchString(text)
		}
		if code := cmd.ProcessState.ExitCode(); code != row.code || !says(string(out), row.out) || !says(told.String(), row.told) {
			t.Errorf("umpire %q with secret %q: exit code %d, %q and %q", row.args, row.secret, code, out, told.String())
		}
	}
}
