package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"umpire/referee/testlevel"
)

// perfect is the mover's beads less the opponent's under perfect play, by the
// rules of the game's statement and nothing else: the pits clockwise.
func perfect(pits [7]int, known map[[7]int]int) int {
	if pits == [7]int{} {
		return 0
	}
	if value, ok := known[pits]; ok {
		return value
	}
	best := -100
	for i := range pits {
		if pits[i] == 0 {
			continue
		}
		after, own, other := pits, 0, 0
		hand := after[i]
		after[i] = 0
		for at := (i + 1) % 7; hand > 0; at = (at + 1) % 7 {
			switch {
			case hand > 1 && after[at] == 5:
				after[at]--
				own++
			case hand > 1:
				after[at]++
				hand--
			case after[at] >= 1 && after[at] <= 4:
				own += after[at] + 1
				after[at], hand = 0, 0
			default:
				other++
				hand = 0
			}
		}
		best = max(best, own-other-perfect(after, known))
	}
	known[pits] = best
	return best
}

// TestLossesAreTheDifference: what @greedy is said to have lost against @optimal
// on the official boards is what perfect play would have got there, less what
// the records show.
func TestLossesAreTheDifference(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	k := newKiller(t)
	run := filepath.Join(k.dir, "run")
	play := k.command("score", "ioiwari", "@greedy", "-o", run, "--isolation", "none", "--quiet", "--time", "1h")
	if out, err := play.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	results, err := os.ReadFile(filepath.Join(run, "results.jsonl"))
	must(t, err)
	var records, difference int
	known := make(map[[7]int]int)
	for line := range bytes.Lines(results) {
		var r struct {
			Case  struct{ Text string }
			Seats []struct{ Score int }
		}
		must(t, json.Unmarshal(line, &r))
		var pits [7]int
		for i := range pits {
			pits[i] = int(r.Case.Text[2*i] - '0')
		}
		records++
		difference += perfect(pits, known) - (r.Seats[0].Score - r.Seats[1].Score)
	}
	if records != 25 || difference == 0 {
		t.Fatalf("%d records, %d beads between perfect play and them", records, difference)
	}

	out, err := k.command("analyse", run, "--json").Output()
	must(t, err)
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var last struct {
		Bots []struct {
			Bot     string
			Exact   bool
			Matches int
			Lost    float64
			Failed  int
		}
	}
	must(t, json.Unmarshal(lines[len(lines)-1], &last))
	lost := make(map[string]float64)
	for _, b := range last.Bots {
		if b.Matches != 25 || !b.Exact || b.Failed != 0 {
			t.Errorf("bot %+v", b)
		}
		lost[b.Bot] = b.Lost
	}
	if len(lines) != 26 || len(lost) != 2 || lost["@optimal"] != 0 || lost["@greedy"] != float64(difference) {
		t.Errorf("%d lines, lost %v, expected %d by @greedy and 0 by @optimal", len(lines), lost, difference)
	}
}

// TestAnalyseInterrupted interrupts an analysis that waits for more records: it
// says what it has, and that it was interrupted.
func TestAnalyseInterrupted(t *testing.T) {
	t.Parallel()
	k := newKiller(t)
	cmd := k.command("analyse", "-", "--moves")
	in, out, errs := startPiped(t, cmd)
	const played = `{"id":"e","game":"ioiwari","case":{"text":"4 3 2 4 2 3 2"},"seats":[{"bot":"a"},{"bot":"b"}],"events":[{"seat":1,"reply":"2"},{"seat":2,"reply":"3"},{"seat":1,"reply":"5"},{"seat":2,"reply":"4"},{"seat":1,"reply":"7"},{"seat":2,"reply":"5"}]}`
	if _, err := in.Write([]byte(played + "\n")); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for line := ""; !strings.Contains(line, "the start was worth"); { // the first match has been analysed
		var err error
		line, err = lines.ReadString('\n')
		must(t, err)
	}
	must(t, cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(lines)
	must(t, err)
	in.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || errs.String() != "umpire: interrupted after 1 match\numpire: to run it again: umpire analyse - --moves\n" {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
	if !bytes.Contains(rest, []byte("worst moves of a\n")) {
		t.Errorf("no summary: %s", rest)
	}
}
