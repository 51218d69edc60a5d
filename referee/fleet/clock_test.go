package fleet

import (
	"slices"
	"testing"
	"time"
)

// TestClock: records of workers whose clocks are an hour fast or slow count as
// others do, and the one that comes first counts.
func TestClock(t *testing.T) {
	s, c := open(t, Config{})
	w := newByHand(t, s)
	run, got := start(t, c, sums(2))
	for _, wrong := range []time.Duration{time.Hour, -time.Hour} {
		msg := w.take()
		j := fetched(t, msg.Data())
		out := &outbox{playing: &w.playing, job: j.ID}
		for i, f := range j.Fixtures {
			r := f.Record()
			r.Umpire, r.Started = "test", time.Now().Add(wrong).UTC().Format(time.RFC3339Nano)
			if err := out.put(i, r); err != nil {
				t.Fatal(err)
			}
			again := r
			again.Started = time.Now().UTC().Format(time.RFC3339Nano)
			if err := out.put(i, again); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := msg.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(j.Fixtures) == 2 {
			break
		}
	}
	if err := ended(t, run); err != nil || len(*got) != 2 {
		t.Fatalf("found %d records, error %v, expected 2", len(*got), err)
	}
	var repetitions []int
	for _, r := range *got {
		repetitions = append(repetitions, r.Repetition)
		at, err := time.Parse(time.RFC3339Nano, r.Started)
		if off := time.Since(at).Abs(); err != nil || off < 30*time.Minute {
			t.Errorf("found a record of %s, error %v, expected the first, an hour off", r.Started, err)
		}
	}
	slices.Sort(repetitions)
	if !slices.Equal(repetitions, []int{1, 2}) && !slices.Equal(repetitions, []int{0, 2}) {
		t.Errorf("found repetitions %v, expected 1 and 2", repetitions)
	}
	if w.duplicates.Load() != 2 {
		t.Errorf("found %d second results, expected 2", w.duplicates.Load())
	}
}
