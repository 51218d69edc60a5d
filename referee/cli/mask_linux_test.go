package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/sandbox"
	"umpire/referee/sandbox/sandboxtest"
)

// TestMaskOfNewFiles plays a bot at each level where the user lets nobody else
// read new files: that is not meant for the folders which umpire makes for bots.
func TestMaskOfNewFiles(t *testing.T) {
	t.Parallel()
	k := killer{t: t, dir: t.TempDir()}
	k.umpire = link(t, os.Args[0], filepath.Join(k.dir, "umpire"))
	bot := filepath.Join(k.dir, "bot.sh")
	if err := os.WriteFile(bot, []byte("#!/bin/sh\nread board\necho x >\"$TMPDIR/x\" && exit 7\nexit 8\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	sandboxtest.Each(t, func(t *testing.T, l sandbox.Launcher) {
		cmd := k.command()
		cmd.Path, cmd.Args = "/bin/sh", []string{
			"sh", "-c", `umask 077; exec "$0" "$@"`, k.umpire, "match", "ioiwari", bot, "--time", "1m", "--isolation", string(l.Level()),
		}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "exit status 7") {
			t.Errorf("%v: %s", err, out)
		}
	})
}
