package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"umpire/referee/record"
	"umpire/referee/testlevel"
)

// TestKept: of many records only the first of each verdict that is not ok keeps
// its events, in whatever order they come, and standard error has a bound.
func TestKept(t *testing.T) {
	testlevel.Needs(t, testlevel.Default)
	t.Parallel()
	verdicts := []string{"ok", "time", "ok", "wrong", "time", "wrong"}
	const n = 60_000
	stderr := strings.Repeat("é", 2048)
	text := "x"
	for _, backwards := range []bool{false, true} {
		k := NewKept(n)
		for i := range n {
			if backwards {
				i = n - 1 - i
			}
			k.Add(i, record.Record{
				ID: fmt.Sprint(i), Events: []record.Event{{Seat: 1, Reply: &text}},
				Seats: []record.Seat{{Verdict: "crash", House: true}, {Verdict: verdicts[i%len(verdicts)], Stderr: strings.Clone(stderr)}},
			})
		}
		var whole []int
		bytes := 0
		for i, r := range k.Records {
			if r.ID != fmt.Sprint(i) {
				t.Fatalf("record %d is that of %s", i, r.ID)
			}
			if r.Events != nil {
				whole = append(whole, i)
			}
			for _, s := range r.Seats {
				bytes += len(s.Stderr)
				if !strings.HasPrefix(stderr, s.Stderr) {
					t.Fatalf("standard error of record %d is %q", i, s.Stderr)
				}
			}
		}
		if !slices.Equal(whole, []int{1, 3}) {
			t.Errorf("records %v keep their events, expected 1 and 3", whole)
		}
		if most := stderrRoom + n*stderrTail; bytes > most || bytes < stderrRoom {
			t.Errorf("%d bytes of standard error are kept, expected at most %d", bytes, most)
		}
	}
}
