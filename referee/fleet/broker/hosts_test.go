package broker

import "testing"

// TestGoneMeanwhile: a worker whose connection is gone before the server has looked at its
// secret does no harm.
func TestGoneMeanwhile(t *testing.T) {
	if new(hosts).connected("id", nil, 1, "", "secret") {
		t.Error("one that is gone is let in")
	}
}
