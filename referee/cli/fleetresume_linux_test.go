package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestFleetResumeLine: the command that umpire prints resumes a run that only
// coordinates, with the same secret and the same demands on workers: none if the
// level of isolation was left to each machine. The result names the level at
// which the workers played, not the coordinator's own.
func TestFleetResumeLine(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir, path := withUmpire(t)
	run, token := filepath.Join(dir, "run"), tokenFile(t, dir)
	start := func(args ...string) *umpireProcess {
		return startUmpire(t, "env", append([]string{"-u", "UMPIRE_ISOLATION", path}, args...)...)
	}
	first := start("tournament", "ioiwari", "@greedy", "@random", "--time", "0", "--cases-per-pair", "2", "-o", run,
		"--listen", "127.0.0.1:0", "--token-file", token, "--jobs", "0", "--recheck", "50%", "--private")
	url, _ := first.listening(0)
	startUmpire(t, path, "workers", "--join", url, "--token-file", token).quietly().exits("the look at the workers", 0)
	first.interrupt()
	words := strings.Fields(first.says(`to resume: umpire (.*)`)[1])
	first.quietly().exits("the tournament", 130)
	want := "tournament --resume -o " + run + " --jobs 0 --listen 127.0.0.1:0 --token-file " + token + " --recheck 50% --private"
	if got := strings.Join(words, " "); got != want {
		t.Errorf("found %q\nexpected %q", got, want)
	}
	alone := start("tournament", "--resume", "-o", run)
	alone.says("^umpire: --resume: .* is played by workers alone .--jobs 0., and none can join: resume it with " +
		regexp.QuoteMeta("`umpire "+want+"`") + ", or with --jobs 1 or more to play here\n")
	alone.quietly().exits("resuming it without workers", 2)

	second := start(append(words, "--json", "--quiet")...)
	url, _ = second.listening(0)
	worker := startWorker(t, path, "--join", url, "--token-file", token, "--jobs", "1", "--no-pause", "--isolation", "none").quietly()
	var result struct {
		Isolation string
		Matches   int
		Workers   []struct{ Matches int }
	}
	must(t, json.NewDecoder(second.out).Decode(&result))
	if result.Isolation != "none" || result.Matches != 4 || len(result.Workers) != 1 || result.Workers[0].Matches != 4 {
		t.Errorf("found %+v, expected 4 matches of the worker at level none", result)
	}
	site := filepath.Join(dir, "site")
	if out, err := exec.Command(path, "report", run, "-o", site).CombinedOutput(); err != nil {
		t.Fatalf("report: %v: %s", err, out)
	}
	if text, err := os.ReadFile(filepath.Join(site, "index.html")); err != nil || !strings.Contains(string(text), "given to workers by") {
		t.Errorf("the report does not say that workers played: error %v", err)
	}
	second.quietly().exits("the resumed tournament", 0)
	worker.exits("the worker", 0)
}
