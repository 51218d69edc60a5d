package record

import (
	"strings"
	"testing"
)

// TestSeenInOrder: what was seen stands in the order of time, and several things may be
// seen in one microsecond.
func TestSeenInOrder(t *testing.T) {
	seen := func(times ...int64) error {
		var r Record
		for _, at := range times {
			r.Exchanges = append(r.Exchanges, Exchange{From: 1, AtUS: at, Text: "5\n"})
		}
		_, err := r.Seen()
		return err
	}
	if err := seen(0, 7, 7, 8); err != nil {
		t.Error(err)
	}
	if err := seen(0, 7, 6); err == nil || !strings.HasPrefix(err.Error(), "exchanges[2].at_us: found 6 after 7") {
		t.Errorf("found error %v, expected that of exchanges[2].at_us", err)
	}
}
