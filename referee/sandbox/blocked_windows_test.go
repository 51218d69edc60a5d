package sandbox

import "testing"

// TestOneBlocked: only a thread that is blocked beside workers without work certainly
// waits for what it has called.
func TestOneBlocked(t *testing.T) {
	const running, sleeping, forObjects = 2, 4, 6 // state; reasons
	blocked, worker := thread{state: waiting, reason: executive}, thread{state: waiting, reason: forWorkers}
	for _, test := range []struct {
		name    string
		threads []thread
		want    bool
	}{
		{"reads", []thread{blocked}, true},
		{"reads beside workers", []thread{worker, blocked, worker}, true},
		{"no thread", nil, false},
		{"workers alone", []thread{worker}, false},
		{"runs", []thread{{state: running}}, false},
		{"sleeps", []thread{{state: waiting, reason: sleeping}}, false},
		{"reads in two threads", []thread{blocked, blocked}, false},
		{"reads while another thread sleeps", []thread{blocked, {state: waiting, reason: sleeping}}, false},
		{"reads while another thread waits", []thread{blocked, {state: waiting, reason: forObjects}}, false},
		{"reads while a worker runs", []thread{blocked, {state: running, reason: forWorkers}}, false},
	} {
		if got := oneBlocked(test.threads); got != test.want {
			t.Errorf("%s: found %v", test.name, got)
		}
	}
}
