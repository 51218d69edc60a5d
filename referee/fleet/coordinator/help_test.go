package coordinator

import (
	"slices"
	"testing"
	"time"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// patience is how long the tests wait for what must come: on a machine with much else to
// do, and under the race detector, what takes a second can take minutes.
const patience = 10 * time.Minute

// within waits for something to come true.
func within(t *testing.T, what string, true func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// ended waits for a Run to end.
func ended(t *testing.T, run <-chan error) error {
	t.Helper()
	select {
	case err := <-run:
		return err
	case <-time.After(patience):
		t.Fatalf("waited %v for the end of the run", patience)
		return nil
	}
}

// allPlayed waits for a Run to end, and fails the test unless so many matches have been
// played.
func allPlayed(t *testing.T, run <-chan error, got *[]record.Record, n int) {
	t.Helper()
	if err := ended(t, run); err != nil || len(*got) != n {
		t.Fatalf("found %d records and error %v, expected %d", len(*got), err, n)
	}
	for _, r := range *got {
		if r.Error != "" {
			t.Errorf("match %d: found error %q", r.Repetition, r.Error)
		}
	}
}

// start begins a Run, whose records are in got when it has ended.
func start(t *testing.T, c *Coordinator, fixtures []arena.Fixture) (run <-chan error, got *[]record.Record) {
	t.Helper()
	done := make(chan error, 1)
	got = new([]record.Record)
	go func() {
		done <- c.Run(t.Context(), slices.Values(fixtures), func(_ int, r record.Record) error {
			*got = append(*got, r)
			return nil
		})
	}()
	return done, got
}
