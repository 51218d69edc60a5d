package remote_test

import (
	"context"
	"errors"
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

// An onlooker who comes early sees the match as it goes, one who comes late
// sees the same, and neither changes it.
func TestFollow(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits.TimeUS = 100e6
		var early, late []string
		var live time.Duration
		started := time.Now()
		var table *remote.Table
		follow := func(into *[]string) {
			err := table.Follow(context.Background(), protocoltest.Morra(), remote.Onlooker{Moment: func(m remote.Moment) error {
				text := fmt.Sprint(m.Step, m.Seat, m.LeftMS, m.Position)
				if m.Event != nil {
					text += m.Event.Reply
				}
				if m.Step == 4 {
					live = time.Since(started)
				}
				*into = append(*into, text)
				return nil
			}})
			if err != nil {
				t.Error(err)
			}
		}
		var wait sync.WaitGroup
		wait.Go(func() { synctest.Wait(); time.Sleep(time.Millisecond); table = h.Tables()[0]; follow(&early) })
		h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always("2"), takes: time.Second}, &client{name: "bob", think: always("4"), takes: time.Second})
		wait.Wait()
		if live != 2*time.Second {
			t.Errorf("the second round was seen after %v, expected 2s", live)
		}
		follow(&late)
		if len(early) != 7 || !slices.Equal(early[1:], late[1:]) {
			t.Errorf("seen live: %q, and later: %q", early, late)
		}
	})
}

// An onlooker of a match that is cut off sees what there was.
func TestFollowVoid(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		wait.Go(func() {
			if _, err := h.run(ctx, h.fixture("morra", "3 1", "remote:alice", "remote:bob")); !errors.Is(err, context.Canceled) {
				t.Errorf("found error %v", err)
			}
		})
		for _, name := range []string{"alice", "bob"} {
			wait.Go(func() {
				end := (&client{hall: h, name: name, think: always("2"), takes: time.Minute}).play()
				if end.State != remote.TurnVoid || end.Detail != arena.ErrStopped.Error() {
					t.Errorf("%s was told %+v", name, end)
				}
			})
		}
		time.Sleep(90 * time.Second)
		seen := 0
		wait.Go(func() {
			err := h.Tables()[0].Follow(context.Background(), protocoltest.Morra(), remote.Onlooker{Moment: func(remote.Moment) error { seen++; return nil }})
			if err != nil || seen != 3 {
				t.Errorf("found error %v, %d moments, expected 3", err, seen)
			}
		})
		synctest.Wait()
		cancel()
		wait.Wait()
	})
}

// An onlooker of a match whose judge never began sees that it is over, and no failure.
func TestFollowUnbegun(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		f := h.fixture("morra", "3 1", "remote:alice", "remote:bob")
		f.Package = &record.Package{}
		table, ended := h.gathering(f)
		var looking sync.WaitGroup
		looking.Go(func() {
			must(t, table.Follow(t.Context(), protocoltest.Morra(), remote.Onlooker{Moment: func(m remote.Moment) error { return fmt.Errorf("found %+v", m) }}))
		})
		_, _ = ended()
		looking.Wait()
	})
}

// What is left of the budgets is told from the record as it was told from the table.
func TestReplay(t *testing.T) {
	inHall(t, func(t *testing.T, h *hall) {
		h.limits.TimeUS, h.limits.GraceUS = 100e6, 300e3
		records, _ := h.finish([]arena.Fixture{h.fixture("morra", "3 1", "remote:alice", "remote:bob")},
			&client{name: "alice", think: always("2"), takes: time.Second}, &client{name: "bob", think: always("4"), takes: 200 * time.Millisecond})
		var followed, replayed [][]int64
		into := func(list *[][]int64) remote.Onlooker {
			return remote.Onlooker{Moment: func(m remote.Moment) error { *list = append(*list, m.LeftMS); return nil }}
		}
		must(t, h.Tables()[0].Follow(t.Context(), protocoltest.Morra(), into(&followed)))
		must(t, remote.Replay(records[0], protocoltest.Morra(), into(&replayed)))
		if last := followed[len(followed)-1]; !slices.Equal(last, []int64{97_900, 100_000}) || fmt.Sprint(replayed) != fmt.Sprint(followed) {
			t.Errorf("followed: %v, replayed: %v", followed, replayed)
		}
	})
}
