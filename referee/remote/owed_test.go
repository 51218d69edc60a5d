package remote_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"umpire/protocols/protocoltest"
	"umpire/referee/arena"
	"umpire/referee/record"
	"umpire/referee/remote"
)

// An onlooker is told who owes a reply, since when, and how the clock runs; one
// who comes late only of what is owed still.
func TestOwed(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits record.Limits
		owed   []string // of each seat, for each second
	}{
		{
			"budget", record.Limits{Clock: "wall", TimeUS: 100e6, StartUS: 2e6, GraceUS: 1e5},
			[]string{"1m40s left, 2.1s free, of 1m40s", "1m40s left, 100ms free, of 1m40s", "1m39.1s left, 100ms free, of 1m40s"},
		},
		{"each reply", record.Limits{Clock: "wall", MoveUS: 5e6}, slices.Repeat([]string{"5s left, 0s free, of 5s"}, 3)},
		{"no limit", record.Limits{Clock: "wall"}, slices.Repeat([]string{"-1ns left, 0s free, of 10m0s"}, 3)},
	} {
		var want []string
		for i, owed := range test.owed {
			want = append(want, fmt.Sprintf("seat 1 since %ds, %s; seat 2 since %[1]ds, %[2]s; ", i, owed))
		}
		want = append(want, "")
		t.Run(test.name, func(t *testing.T) {
			inHall(t, func(t *testing.T, h *hall) {
				h.limits = test.limits
				started := time.Now()
				follow := func(after time.Duration) (told []string) {
					time.Sleep(after)
					err := h.Tables()[0].Follow(context.Background(), protocoltest.Morra(), remote.Onlooker{
						Moment: func(remote.Moment) error { return nil },
						Owed: func(owed []remote.Owed) {
							text := ""
							for _, o := range owed {
								text += fmt.Sprintf("seat %d since %s, %s left, %s free, of %s; ", o.Seat, o.Since.Sub(started), o.Left, o.Free, o.Of)
							}
							// It is told of none for a moment if it is ahead of the match itself.
							if n := len(told); n > 0 && told[n-1] == "" {
								told = told[:n-1]
							}
							told = append(told, text)
						},
					})
					if err != nil {
						t.Error(err)
					}
					return told
				}
				var early, late []string
				var wait sync.WaitGroup
				wait.Go(func() { early = follow(time.Millisecond) })
				wait.Go(func() { late = follow(2500 * time.Millisecond) })
				h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
					&client{name: "alice", think: always("2"), takes: time.Second}, &client{name: "bob", think: always("4"), takes: time.Second})
				wait.Wait()
				if !slices.Equal(early, want) {
					t.Errorf("early: found %q, expected %q", early, want)
				}
				if !slices.Equal(late, want[2:]) {
					t.Errorf("late: found %q, expected %q", late, want[2:])
				}
			})
		})
	}
}

// A player has a bounded number of sessions; one that ends makes room.
func TestMostSessions(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		ctx, cancel := context.WithCancel(t.Context())
		join := func(ctx context.Context, name, session string, wait time.Duration) error {
			_, err := h.Join(ctx, h.keys[name], "", session, wait)
			return err
		}
		var waiting sync.WaitGroup
		for i := range 256 {
			waiting.Go(func() { _ = join(ctx, "alice", fmt.Sprint(i), remote.MaxWait) })
		}
		synctest.Wait()
		if err := join(t.Context(), "alice", "one more", 0); !hasCode(err, remote.CodeRate) || err.Error() != "rate: alice has 256 sessions, the most there may be: let one end" {
			t.Errorf("found error %v", err)
		}
		// Neither others are refused nor the sessions that there are.
		if err := join(t.Context(), "bob", "", 0); err != nil {
			t.Error(err)
		}
		if err := join(t.Context(), "alice", "255", 0); err != nil {
			t.Error(err)
		}
		cancel()
		waiting.Wait()
		if err := join(t.Context(), "alice", "one more", 0); err != nil {
			t.Error(err)
		}
	})
}
