package tournament

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/referee"
	"umpire/referee/cases"
	"umpire/referee/contestant"
	"umpire/referee/contestant/sandbox"
)

// TestVoidMatchIsPlayedAgain kills the helper process that watches a contestant:
// once, and the match is played again as if nothing had been; twice, and that
// seat has lost.
func TestVoidMatchIsPlayedAgain(t *testing.T) {
	launcher, _, err := sandbox.Choose(sandbox.Basic)
	if err != nil {
		t.Skip(err)
	}
	c, err := ioiwari.Game().Parse("2 2 2 2 4 4 4")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kills   int
		verdict string
	}{{0, "foul"}, {1, "foul"}, {2, "crash"}} {
		t.Run(strconv.Itoa(test.kills), func(t *testing.T) {
			// Seat 2 waits for the move of seat 1, which it is sent after the kill.
			marker := "void-" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(test.kills)
			shell := func(name, script string) contestant.Bot {
				return contestant.Bot{Name: name, Path: "/bin/sh", Args: []string{"sh", "-c", script, name}}
			}
			moves := shell("moves", "echo 1; cat >/dev/null")
			waits := shell(marker, "read board; read move; echo nonsense; cat >/dev/null")
			left, voided := test.kills, 0
			r := Runner{
				Game: ioiwari.Game(), Launcher: launcher, Jobs: 1,
				Limits: func(protocols.Case, int) protocols.Limits { return protocols.Limits{} },
				Watch: func(Fixture) referee.Watcher {
					return referee.Watcher{Event: func(e referee.Event, _ *protocols.Foul, _ protocols.Match) {
						if e.Seat == 1 && left > 0 {
							left--
							killParents(t, marker)
						}
					}}
				},
				Voided: func(Fixture, error) { voided++ },
			}
			f := Fixture{Case: cases.Case{Case: c}, Bots: []contestant.Bot{moves, waits}}
			got := r.Play(t.Context(), f)
			if got.Error != "" || got.Seats[1].Verdict != test.verdict {
				t.Errorf("error %q, verdict %q (%s), expected %s", got.Error, got.Seats[1].Verdict, got.Seats[1].Detail, test.verdict)
			}
			if want := min(test.kills, 1); voided != want {
				t.Errorf("played again %d times, expected %d", voided, want)
			}
		})
	}
}

// killParents kills the parent of each process that has marker among its
// arguments.
func killParents(t *testing.T, marker string) {
	t.Helper()
	found := false
	lists, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lists {
		line, _ := os.ReadFile(name)
		if !bytes.HasSuffix(line, []byte("\x00"+marker+"\x00")) {
			continue
		}
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "stat"))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 {
			continue
		}
		if parent, _ := strconv.Atoi(fields[1]); parent > 1 && parent != os.Getpid() {
			found = syscall.Kill(parent, syscall.SIGKILL) == nil || found
		}
	}
	if !found {
		t.Errorf("no process is called %s", marker)
	}
}
