package record

import "testing"

// TestGoldenIDs holds the ids of version 1, as the first umpire wrote them: with
// other ids no stored match would be found again.
func TestGoldenIDs(t *testing.T) {
	for want, r := range map[string]Record{
		"ab46dfa07556ae27": {
			Game: "ioiwari", Case: Case{Text: "4 4 4 2 2 2 2"},
			Limits: Limits{TimeUS: 1_000_000, Clock: "wall", MemoryBytes: 256 << 20},
			Seats:  []Seat{{Digest: "d1"}, {Digest: "d2"}},
		},
		"cb293cd5888e4985": {
			Game: "mensch", Case: Case{Text: "1 2 3"}, Repetition: 3,
			Limits: Limits{TimeUS: 60_000_000, MoveUS: 5, StartUS: 100_000, Clock: "cpu", MemoryBytes: 64 << 20, Pondering: "charge"},
			Seats:  []Seat{{Digest: "a"}, {Digest: "b"}, {Digest: ""}, {Digest: "ü"}},
		},
		"883b77bfc3fc3bda": {
			Game: "solitarschack", Case: Case{Text: "x\ny"}, Repetition: 1,
			Limits: Limits{MoveUS: 200_000, Clock: "wall", Pondering: "freeze"},
			Seats:  []Seat{{Digest: "041b4f99b014ae82d4ff957471197121"}},
		},
		"0f5d7edcee4e9482": {},
	} {
		if got := r.Identity(); got != want {
			t.Errorf("%+v has the id %s, expected %s", r, got, want)
		}
	}
}
