package html

import (
	"strings"
	"testing"

	"umpire/referee/report"
	"umpire/referee/standings"
)

// TestTimes: the time that half of the replies took at most is near theirs, to two
// digits, and none is beyond the slowest.
func TestTimes(t *testing.T) {
	for _, test := range []struct {
		times []int64 // µs
		want  string
	}{
		{[]int64{1000, 1000, 1000, 5000}, "4 replies: half took at most 1.1 ms, 99 % at most 5 ms, the slowest 5 ms;"},
		{[]int64{1, 1, 7}, "3 replies: half took at most 1 µs, 99 % at most 7 µs, the slowest 7 µs;"},
		{[]int64{2_200_000, 2_300_000, 2_990_000}, "3 replies: half took at most 2.4 s, 99 % at most 2.99 s, the slowest 2.99 s;"},
	} {
		var times report.Times
		slowest := int64(0)
		for _, us := range test.times {
			times.Add(us)
			slowest = max(slowest, us)
		}
		h := timesOf(&times, standings.Row{SlowestUS: slowest})
		if !strings.HasPrefix(h.Summary, test.want) {
			t.Errorf("%v: found %q, expected %q", test.times, h.Summary, test.want)
		}
	}
}
