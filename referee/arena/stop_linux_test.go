package arena

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
	"umpire/referee"
	"umpire/referee/procfs"
	"umpire/referee/program"
	"umpire/referee/record"
	"umpire/referee/sandbox"
	"umpire/referee/stall"
	"umpire/referee/testlevel"
)

// stopsVariable makes the test binary play so many matches, saying "asked"
// whenever a contestant is, and writing their records.
const stopsVariable = "UMPIRE_TEST_STOPS"

// thinkers take 0.2 s for the one answer that the toy games want, or go on
// computing after it.
var thinkers = []string{"sleep 0.2; echo 5; exec cat >/dev/null", "sleep 0.2; echo 5; exec cat >/dev/null", "echo 5; while :; do :; done"}

// toys are two matches of them: of one seat that alone is asked for its whole
// output, and of two that are asked for a line at the same time.
var toys = []struct {
	game  protocols.Game
	text  string
	seats []Seat
}{
	{protocoltest.Sum(), "3\n1 2 2", []Seat{{Bot: "0", Digest: "0"}}},
	{protocoltest.Morra(), "1 1", []Seat{{Bot: "1", Digest: "1"}, {Bot: "2", Digest: "2"}}},
}

// stopped lists which processes are stopped, and in which order they go on.
var stopped = []struct {
	name        string
	contestants bool // they are stopped, too
	first       bool // and go on before umpire does
	signal      syscall.Signal
}{
	{"umpire", false, false, syscall.SIGSTOP},
	{"all, umpire goes on first", true, false, syscall.SIGSTOP},
	{"all, contestants go on first", true, true, syscall.SIGSTOP},
	{"umpire, which stops its contestants", false, false, syscall.SIGTSTP},
}

// playStopped plays the matches, in the test binary that is stopped.
func playStopped(matches int) error {
	launcher, _, err := sandbox.Choose(referee.LevelAuto, "")
	if err != nil {
		return err
	}
	clock := &stall.Clock{}
	defer clock.Start(context.Background())()
	run := &Local{Games: []protocols.Game{toys[0].game, toys[1].game}, Stalls: clock, Watch: func(Fixture) referee.Watcher {
		return referee.Watcher{Awaited: func(seats []int, _ protocols.Match) {
			if len(seats) > 0 {
				fmt.Println("asked")
			}
		}}
	}}
	var list []Fixture
	for i := range matches {
		toy := toys[i%len(toys)]
		list = append(list, Fixture{
			Game: toy.game.Name, Case: record.Case{Text: toy.text}, Seats: toy.seats,
			Limits: record.NewLimits(protocols.Limits{Time: time.Second, CPU: i/2%2 == 1}, ""),
		})
	}
	for i, script := range thinkers {
		name := strconv.Itoa(i)
		run.Players = append(run.Players, Program{Launcher: launcher, Bot: program.Bot{
			Name: name, Digest: name, Path: "/bin/sh", Args: []string{"sh", "-c", script},
		}})
	}
	return run.Run(context.Background(), slices.Values(list), func(_ int, r record.Record) error {
		return json.NewEncoder(os.Stdout).Encode(r)
	})
}

// TestStopped: nobody loses because umpire was stopped, for 100 ms or for longer
// than a contestant's whole budget of wall or CPU time.
func TestStopped(t *testing.T) {
	stops := []int{4, 8, 16, 200}[testlevel.Current()] // two of a kind one after the other
	umpire := exec.CommandContext(t.Context(), os.Args[0])
	umpire.Env = append(os.Environ(), stopsVariable+"="+strconv.Itoa(stops))
	umpire.Stderr = os.Stderr
	out, err := umpire.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := umpire.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	played, noticed, again := 0, 0, 0
	for first := true; lines.Scan(); {
		if lines.Text() == "asked" {
			if first { // not when the match is played again
				stopFor(t, umpire.Process.Pid, played)
			}
			first = false
			continue
		}
		first = true
		var r record.Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		played++
		again += len(r.Voids)
		if len(r.Voids) > 0 || slices.ContainsFunc(r.Events, func(e record.Event) bool { return e.StallUS > 0 }) {
			noticed++
		}
		for _, s := range r.Seats {
			if r.Error != "" || s.Verdict != "ok" {
				t.Errorf("match %d: error %q, verdict %s (%s), voids %v", played, r.Error, s.Verdict, s.Detail, r.Voids)
			}
		}
	}
	if err := errors.Join(lines.Err(), umpire.Wait()); err != nil || played != stops || noticed == 0 {
		t.Errorf("played %d matches of %d, error %v, and noticed %d stops", played, stops, err, noticed)
	}
	t.Logf("%d stops, of which %d fell into a turn; %d matches were played again", stops, noticed, again)
}

// stopFor stops umpire during its match n, in the way that is next.
func stopFor(t *testing.T, pid, n int) {
	how := stopped[n/2%len(stopped)]
	pids := []int{}
	if how.contestants {
		pids = procfs.Descendants(pid, nil, math.MaxInt)
	}
	signal := func(s syscall.Signal, pids ...int) {
		for _, p := range pids {
			_ = syscall.Kill(p, s) // a contestant may have ended
		}
	}
	length := 100 * time.Millisecond
	if n/8%2 == 1 {
		length = 1500 * time.Millisecond
	}
	signal(how.signal, append(pids, pid)...)
	<-time.After(length)
	if how.first {
		signal(syscall.SIGCONT, pids...)
	}
	// It may be about to stop itself.
	for state := procfs.State(pid); how.signal == syscall.SIGTSTP && !strings.ContainsRune("TZ", rune(state)) && t.Context().Err() == nil; {
		state = procfs.State(pid)
	}
	signal(syscall.SIGCONT, append([]int{pid}, pids...)...)
}
