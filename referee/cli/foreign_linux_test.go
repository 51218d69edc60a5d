package cli_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"umpire/referee/testlevel"
)

// foreignBot is the header of an executable for a machine of another kind.
func foreignBot() []byte {
	const amd64, arm64 = 62, 183
	header := make([]byte, 64)
	copy(header, "\x7fELF\x02\x01\x01")
	header[16], header[18], header[20], header[52] = 2, arm64, 1, 64
	if runtime.GOARCH == "arm64" {
		header[18] = amd64
	}
	return header
}

// TestForeignBot: a bot for another kind of machine is not broken where this one
// only coordinates; it waits for a worker that can play it.
func TestForeignBot(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	dir, path := withUmpire(t)
	bot := filepath.Join(dir, "foreign")
	write(t, bot, string(foreignBot()))
	p := startUmpire(t, path, "tournament", "ioiwari", "@greedy", bot, "--cases-per-pair", "1", "-o", filepath.Join(dir, "run"),
		"--jobs", "0", "--listen", "127.0.0.1:0")
	url, _ := p.listening(0)
	startWorker(t, path, "--join", url, "--token-file", filepath.Join(dir, "run", "fleet", "token")).quietly()
	p.says("^umpire: no worker can play matches that need a machine with linux on (aarch64|x86_64); they wait")

	here := startUmpire(t, path, "tournament", "ioiwari", "@greedy", bot, "--cases-per-pair", "1", "-o", filepath.Join(dir, "here"))
	here.says(`^notice: bot ".*/foreign": start .*exec format error`)
	here.quietly()
	here.exits("a tournament of a bot for another machine", 0)
}
