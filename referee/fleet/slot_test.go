package fleet

import (
	"testing"
	"time"
)

// TestResultsWait: the results of short matches wait for each other, and are
// stored before their job is acknowledged; until then the worker holds it.
func TestResultsWait(t *testing.T) {
	t.Parallel()
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, got := start(t, c, sums(1))
	msg := w.take()
	j := fetched(t, msg.Data())
	out := &outbox{playing: &w.playing, job: j.ID, last: time.Now().Add(time.Hour)}
	r := j.Fixtures[0].Record()
	r.Umpire = "test"
	if err := out.put(0, r); err != nil {
		t.Fatal(err)
	}
	if len(out.sent) != 0 || len(out.unsent) != 1 {
		t.Errorf("found %d results published and %d waiting, expected 0 and 1", len(out.sent), len(out.unsent))
	}
	w.held.Store(j.ID, true)
	w.finish(t.Context(), played{j, out, msg, func() {
		if w.now().Jobs == nil {
			t.Error("the worker has let go of a job before it is acknowledged")
		}
	}, nil})
	if w.now().Jobs != nil {
		t.Error("the worker still holds a job that it has delivered")
	}
	if err := ended(t, run); err != nil || len(*got) != 1 || (*got)[0].Error != "" {
		t.Errorf("found %+v, error %v", *got, err)
	}
	if info, err := c.work.Info(t.Context()); err != nil || info.State.Msgs != 0 {
		t.Errorf("found jobs in the queue: %+v, error %v", info, err)
	}
}
