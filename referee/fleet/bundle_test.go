package fleet

import (
	"encoding/json"
	"slices"
	"testing"

	"umpire/referee/arena"
	"umpire/referee/record"
)

// TestMirrorsTogether: both orders of a pair are in one job, also where there is
// hardly room for more, and where a single match is before them, as after a
// run was interrupted.
func TestMirrorsTogether(t *testing.T) {
	s, c := open(t, Config{})
	w := newByHand(t, s)
	var list []arena.Fixture
	for i := range 3 * minRoom {
		one := sums(1)[0]
		one.Repetition = i + 1
		one.Seats = []arena.Seat{{Bot: "a", Digest: "a"}, {Bot: "b", Digest: "b"}}
		other := one
		other.Seats = []arena.Seat{one.Seats[1], one.Seats[0]}
		if i > 0 {
			list = append(list, one)
		}
		list = append(list, other)
	}
	done := make(chan error, 1)
	go func() { done <- c.Run(t.Context(), slices.Values(list), func(int, record.Record) error { return nil }) }()
	for left := len(list); left > 0; {
		msg := w.take()
		var j job
		if err := json.Unmarshal(msg.Data(), &j); err != nil {
			t.Fatal(err)
		}
		count := make(map[int]int)
		for i, f := range j.Fixtures {
			count[f.Repetition]++
			r := f.Record()
			r.WallUS = 1000
			result, err := resultMessage(w.result(j.ID, i), w.myTicket(), r)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.js.PublishMsg(t.Context(), result); err != nil {
				t.Fatal(err)
			}
		}
		for pair, n := range count {
			if pair > 1 && n != 2 {
				t.Errorf("pair %d: found %d of its matches in a job of %d, expected both", pair, n, len(j.Fixtures))
			}
		}
		left -= len(j.Fixtures)
		if err := msg.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
