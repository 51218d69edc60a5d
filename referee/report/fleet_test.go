package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"umpire/referee/fleet/status"
)

// workers is a fleet of which one worker plays, and one was refused.
func workers() *status.Fleet {
	return &status.Fleet{
		V: 1, Run: "abc", Umpire: "1.0", UpUS: 61_500_000, Done: 40, Total: 100, Rate: 2.5, LeftUS: 24_000_000,
		Counts: status.Counts{Records: 41, Errors: 1, Duplicates: 2, Returned: 3, Seconds: 4, Refused: 1},
		Workers: []status.Worker{
			{ID: "a1", Name: "one\x1b[31m \"x\"\n\\", State: status.Plays, Umpire: "1.0", Isolation: "box", CPU: "model 7", Slots: 4, Busy: 3, Matches: 41, Rate: 0.25, HeardUS: 400_000},
			{ID: "b2", Name: "two", State: status.Refused, Why: "it is umpire 0.9, and this run is played with 1.0", Umpire: "0.9", Isolation: "strict", HeardUS: 75_000_000},
		},
	}
}

func TestFleetPrint(t *testing.T) {
	f := workers()
	var out bytes.Buffer
	PrintFleet(NewPrinter(&out), f)
	want := `run abc: 40/100 matches, 1 worker, 2.5/s, 24s left

worker              state    slots  matches    rate  last word  isolation  umpire  CPU
one\x1b[31m "x"\n\  playing    3/4       41  0.25/s  0.4 s ago  box        1.0     model 7
two                 refused    0/0        0       -  1m15s ago  strict     0.9

two, refused: it is umpire 0.9, and this run is played with 1.0

jobs: 3 given back, 4 given to a second worker
second results, refused: 2
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f = &status.Fleet{Run: "abc", Draining: true, Done: 3, Workers: []status.Worker{}}
	out.Reset()
	PrintFleet(NewPrinter(&out), f)
	want = "run abc: 3 matches, 0 matches to finish\nit has been interrupted: matches in progress finish, and no more begin\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFleetMetrics: each value has HELP and TYPE before it, once, and labels are
// escaped.
func TestFleetMetrics(t *testing.T) {
	f := workers()
	text := string(FleetMetrics(f))
	for _, line := range []string{
		`umpire_info{run="abc",version="1.0"} 1`,
		"umpire_up_seconds 61.5",
		"umpire_matches_done 40",
		"umpire_matches_planned 100",
		"umpire_records_total 41",
		"umpire_duplicate_results_total 2",
		"umpire_jobs_seconded_total 4",
		"umpire_workers_refused_total 1",
		`umpire_workers{state="playing"} 1`,
		`umpire_workers{state="paused"} 0`,
		"umpire_worker_matches_playing{worker=\"a1\",name=\"one\x1b[31m \\\"x\\\"\\n\\\\\"} 3",
		"umpire_worker_heard_seconds{worker=\"a1\",name=\"one\x1b[31m \\\"x\\\"\\n\\\\\"} 0.4",
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("found no line %s in\n%s", line, text)
		}
	}
	if strings.Contains(text, `"b2"`) {
		t.Error("a worker that takes no part has values")
	}
	described := make(map[string]bool)
	var name string
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case words[0] == "#" && words[1] == "HELP":
			if name = words[2]; described[name] || len(words) < 5 {
				t.Errorf("found another or an empty description: %s", line)
			}
			described[name] = true
		case words[0] == "#" && (words[1] != "TYPE" || words[2] != name || words[3] != "counter" && words[3] != "gauge" || (words[3] == "counter") != strings.HasSuffix(name, "_total")):
			t.Errorf("found %s, expected the type of %s", line, name)
		case words[0] != "#" && strings.TrimSuffix(line[:strings.IndexAny(line, " {")], " ") != name:
			t.Errorf("found %s, expected a value of %s", line, name)
		}
	}
}
