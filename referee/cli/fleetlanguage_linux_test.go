package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// TestFleetLanguage: a bot in a language that the coordinator lacks is played by a
// worker that has it, and told of by the path that was typed. Where no worker has it,
// the bot is not judged, and where rounds depend on results not paired.
func TestFleetLanguage(t *testing.T) {
	t.Parallel()
	const lack = "Echo is not installed (echolang is not in PATH)"
	for _, row := range []struct {
		name, format, path string
		code               int
		want               string // in a file
		times              int
		file               string
	}{
		{"has it", "round-robin", ":tools", 0, `"stderr":"from sub/it.echo\n"`, 2, "results.jsonl"},
		{"lacks it", "round-robin", "", 3, `"error":"not judged: it: ` + lack + `"`, 2, "results.jsonl"},
		{"has it, in rounds", "swiss", ":tools", 0, `"stderr":"from sub/it.echo\n"`, 2, "results.jsonl"},
		{"lacks it, in rounds", "swiss", "", 3, `"not_judged": "` + lack + `"`, 1, "run.json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.name == "has it, in rounds" {
				testlevel.Needs(t, testlevel.Thorough)
			}
			g := newGated(t)
			for name, text := range map[string]string{
				"tools/echolang": "#!/bin/sh\nexec sh \"$@\"\n",
				"sub/it.echo":    "echo \"from $0\" >&2; exit 1\n",
				"table.yaml":     "languages:\n- {name: Echo, suffixes: [.echo], run: 'echolang {source}'}\n",
			} {
				write(t, filepath.Join(g.dir, name), text)
			}
			start := func(path string, args ...string) *umpireProcess {
				args = append([]string{
					"-C", g.dir, g.tools + strings.ReplaceAll(path, "tools", filepath.Join(g.dir, "tools")),
					"UMPIRE_CACHE=" + filepath.Join(g.dir, "cache"+path), g.path,
				}, args...)
				return startUmpire(t, "/usr/bin/env", append(args, "--isolation", "none", "--languages", "table.yaml")...)
			}
			run := start("", "tournament", "ioiwari", "sub/it.echo", "@greedy", "--format", row.format, "--cases-per-pair", "1", "--time", "0", "-o", "run", "--listen", "127.0.0.1:0", "--jobs", "0")
			url, _ := run.listening(0)
			run.quietly()
			worker := start(row.path, "worker", "--join", url, "--token-file", g.token(), "--jobs", "1", "--no-pause").quietly()
			code := run.ends("the tournament")
			if code != row.code {
				t.Errorf("the tournament: found exit code %d, expected %d", code, row.code)
			}
			if code == 0 {
				worker.ends("the worker")
			}
			text, err := os.ReadFile(filepath.Join(g.run, row.file))
			if err != nil || strings.Count(string(text), row.want) != row.times {
				t.Errorf("%s: found %s, %v; expected %d times %s", row.file, text, err, row.times, row.want)
			}
		})
	}
}
