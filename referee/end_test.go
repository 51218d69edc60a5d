package referee

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"umpire/protocols"
	"umpire/protocols/protocoltest"
)

// exposed is a contestant of which something comes to light in the end.
type exposed struct {
	scripted
	failure *protocols.Failure
	cpu     time.Duration
}

func (e *exposed) Stop() Usage { return Usage{Failure: e.failure, CPU: e.cpu} }

// TestFoundInTheEnd checks that what comes to light when a contestant is
// stopped is its verdict, an event of its own, and changes no score; and that
// the events give the same again.
func TestFoundInTheEnd(t *testing.T) {
	c := parsed(t, protocoltest.Morra(), "2 2")
	memory := &protocols.Failure{Kind: protocols.KindMemory, Detail: "used more than 64 MiB of memory"}
	replies := []any{"1", "1"}
	match := func(failures ...*protocols.Failure) Result {
		var seats []Contestant
		for _, f := range failures {
			seats = append(seats, &exposed{scripted: scripted{replies: slices.Clone(replies)}, failure: f})
		}
		played, err := Lines{Match: c.Start(2)}.Conduct(t.Context(), seats, protocols.Limits{}, Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		return played
	}
	honest, played := match(nil, nil), match(nil, memory)
	if want := []Verdict{OK, "memory"}; !slices.Equal(verdicts(played), want) {
		t.Errorf("verdicts %q, want %q", verdicts(played), want)
	}
	if played.Seats[1].Outcome != honest.Seats[1].Outcome {
		t.Errorf("outcome %+v, want %+v as without", played.Seats[1].Outcome, honest.Seats[1].Outcome)
	}
	if n := len(honest.Events); len(played.Events) != n+1 || played.Events[n].Seat != 2 || played.Events[n].Fail != memory {
		t.Errorf("events %+v", played.Events)
	}
	again, err := Setup{Case: c, Seats: 2}.Replay(played.Events, Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(played, again); diff != "" {
		t.Errorf("played again (-first +again):\n%s", diff)
	}
	// Nobody ends late by crashing, and nobody fails twice.
	crash := &protocols.Failure{Kind: protocols.KindCrash}
	for _, more := range [][]Event{{{Seat: 1, Fail: crash}}, {{Seat: 2, Fail: memory}, {Seat: 2, Fail: memory}}} {
		_, err := Setup{Case: c, Seats: 2}.Replay(slices.Concat(honest.Events, more), Watcher{})
		if err == nil || !strings.Contains(err.Error(), "comes after the end") {
			t.Errorf("%+v: %v, want it refused", more, err)
		}
	}
}

// TestTimeFoundInTheEnd lets a seat's end show more CPU time than its replies.
func TestTimeFoundInTheEnd(t *testing.T) {
	c := parsed(t, protocoltest.Morra(), "2 2")
	for _, test := range []struct {
		limits protocols.Limits
		cpu    time.Duration
		want   Verdict
	}{
		{protocols.Limits{Time: time.Second, CPU: true}, 5 * time.Hour, "time"},
		{protocols.Limits{PerMove: time.Second, CPU: true}, 5 * time.Hour, "time"},
		{protocols.Limits{Time: time.Second, CPU: true}, time.Second, OK},
		{protocols.Limits{Time: time.Second, Startup: 6 * time.Hour, CPU: true}, 5 * time.Hour, OK},
		{protocols.Limits{Time: time.Second}, 5 * time.Hour, OK}, // which counts wall time
		{protocols.Limits{CPU: true}, 5 * time.Hour, OK},
	} {
		seats := []Contestant{
			&exposed{scripted: scripted{replies: []any{"1", "1"}}},
			&exposed{scripted: scripted{replies: []any{"1", "1"}}, cpu: test.cpu},
		}
		played, err := Lines{Match: c.Start(2)}.Conduct(t.Context(), seats, test.limits, Watcher{})
		if err != nil || !slices.Equal(verdicts(played), []Verdict{OK, test.want}) {
			t.Errorf("%+v, %v: %v, verdicts %q, expected %s", test.limits, test.cpu, err, verdicts(played), test.want)
		}
		again, err := Setup{Case: c, Seats: 2, Limits: test.limits}.Replay(played.Events, Watcher{})
		if err != nil || !slices.Equal(verdicts(again), verdicts(played)) {
			t.Errorf("%+v: played again %v, verdicts %q", test.limits, err, verdicts(again))
		}
	}
}
