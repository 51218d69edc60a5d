package record

import "testing"

// TestFault: a bot that can't be started is umpire's failure, one that has changed is not.
func TestFault(t *testing.T) {
	for why, want := range map[string]string{
		"no space left": "umpire", "start bot b: no such file": "umpire", "bot c: it has changed since umpire read it": "umpire",
		"judge: it left": "the judge of g", "bot b: it has changed since umpire read it: b is new": "bot b",
		"start bot b: it has changed since umpire read it": "bot b",
	} {
		r := Record{Game: "g", Seats: []Seat{{Bot: "a"}, {Bot: "b"}}, Error: why}
		if got := r.Fault(); got != want {
			t.Errorf("%s: found %q, expected %q", why, got, want)
		}
	}
}
