package contestant

import (
	"testing"
	"time"
)

// TestSpans: what several threads wait in turn adds up, what they wait at the
// same time counts once, whenever it is reported.
func TestSpans(t *testing.T) {
	for name, test := range map[string]struct {
		added []span
		total time.Duration
	}{
		"none":              {nil, 0},
		"one":               {[]span{{10, 30}}, 20},
		"in turn":           {[]span{{0, 10}, {10, 30}, {40, 45}}, 35},
		"overlapping":       {[]span{{0, 20}, {10, 30}}, 30},
		"at the same time":  {[]span{{5, 30}, {5, 30}}, 25},
		"around several":    {[]span{{10, 20}, {30, 40}, {50, 60}, {25, 70}}, 55},
		"around everything": {[]span{{10, 20}, {30, 40}, {0, 50}, {45, 60}}, 60},
	} {
		var s spans
		for _, a := range test.added {
			s.add(a.from, a.to)
		}
		if s.total != test.total {
			t.Errorf("%s: %d, expected %d", name, s.total, test.total)
		}
	}
}
