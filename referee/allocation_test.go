package referee

import (
	"context"
	"testing"
	"time"

	"umpire/protocols"
)

// exchange is a match of two that allocates nothing: the seats reply in turn.
type exchange struct {
	plies int
	rally
	steps [2]protocols.Step
}

func (m *exchange) Next() protocols.Step {
	if m.plies == 0 {
		return protocols.Step{}
	}
	m.plies--
	return m.steps[m.turn]
}

// steady replies at once, always alike.
type steady struct{ scripted }

func (*steady) Send(string) {}
func (*steady) Receive(context.Context, Ask) (Reply, error) {
	return Reply{Text: "1", Wall: time.Microsecond}, nil
}

// TestPlyAllocatesNothing compares matches of different length, so that what a
// match takes as a whole does not count.
func TestPlyAllocatesNothing(t *testing.T) {
	allocations := func(plies int) float64 {
		return testing.AllocsPerRun(10, func() {
			m := &exchange{plies: plies}
			for n := range m.steps {
				m.steps[n] = protocols.Step{Send: []protocols.Line{{Seat: n + 1, Text: "your turn"}}, Await: []int{n + 1}}
			}
			played, err := Lines{Match: m}.Conduct(context.Background(), []Contestant{&steady{}, &steady{}}, protocols.Limits{Time: time.Hour}, Watcher{})
			if err != nil || len(played.Events) != plies {
				t.Fatal(len(played.Events), err)
			}
		})
	}
	const short, long = 1000, 5000
	// The list of events grows, by ever larger steps.
	if each := (allocations(long) - allocations(short)) / (long - short); each > 0.01 {
		t.Errorf("%.3f allocations a ply", each)
	}
}
