package arena

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"umpire/protocols"
	"umpire/protocols/ioiwari"
	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
)

// TestVoidMatchIsPlayedAgain kills the helper process that watches a contestant:
// once, and the match is played again as if nothing had been; twice, and that
// seat has lost.
func TestVoidMatchIsPlayedAgain(t *testing.T) {
	launcher, _, err := sandbox.Choose(referee.LevelBasic, "")
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
			shell := func(name, script string) Program {
				return Program{Launcher: launcher, Bot: program.Bot{
					Name: name, Digest: name, Path: "/bin/sh", Args: []string{"sh", "-c", script, name},
				}}
			}
			moves := shell("moves", "echo 1; cat >/dev/null")
			waits := shell(marker, "read board; read move; echo nonsense; cat >/dev/null")
			left, voided := test.kills, 0
			r := &Local{
				Games: []protocols.Game{ioiwari.Game()}, Players: []referee.Player{moves, waits},
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
			f := Fixture{
				Game: "ioiwari", Case: record.Case{Text: c.String()}, Limits: record.NewLimits(protocols.Limits{}, ""),
				Seats: []Seat{{Bot: moves.Name, Digest: moves.Digest}, {Bot: waits.Name, Digest: waits.Digest}},
			}
			got := playOne(t, r, f)
			if got.Error != "" || got.Seats[1].Verdict != test.verdict {
				t.Errorf("error %q, verdict %q (%s), expected %s", got.Error, got.Seats[1].Verdict, got.Seats[1].Detail, test.verdict)
			}
			if want := min(test.kills, 1); voided != want {
				t.Errorf("played again %d times, expected %d", voided, want)
			} else if len(got.Voids) != want || want > 0 && (got.Voids[0].Cause != "helper" || got.Voids[0].Seat != 2) {
				t.Errorf("found voids %+v, expected %d of seat 2's helper", got.Voids, want)
			}
		})
	}
}

// killParents kills the parent of each process that has marker among its
// arguments, and waits for the end of that, which follows from it.
//
// A program counts as started once the kernel has begun to execute it, and has
// its arguments a moment later: so it looks again until it finds them.
func killParents(t *testing.T, marker string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !killedParents(t, marker); {
		if time.Now().After(end) {
			t.Errorf("no process is called %s", marker)
			return
		}
	}
}

func killedParents(t *testing.T, marker string) (found bool) {
	lists, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range lists {
		line, _ := os.ReadFile(name)
		if !bytes.HasSuffix(line, []byte("\x00"+marker+"\x00")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		if parent := procfs.Parent(pid); parent > 1 && parent != os.Getpid() && syscall.Kill(parent, syscall.SIGKILL) == nil {
			found = true
			awaitEnd(t, fd)
		}
		unix.Close(fd)
	}
	return found
}

// awaitEnd waits for the end of the process of a pidfd.
func awaitEnd(t *testing.T, fd int) {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 60_000)
		if err == unix.EINTR { // by the signal that its parent, our child, has ended
			continue
		}
		if n != 1 {
			t.Errorf("waited a minute for the end of a process whose parent was killed: error %v", err)
		}
		return
	}
}
