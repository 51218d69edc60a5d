package report

import (
	"bytes"
	"testing"
)

// TestForecast: what a tournament plays is said in a line, and how long it takes.
func TestForecast(t *testing.T) {
	for want, f := range map[string]Forecast{
		"G: round-robin, 30 bots × 25 cases × both orders = 21,750 matches, about 40 min\nNothing is wrong in 45 matches on trial.\n": {
			Format: "round-robin", Bots: 30, Cases: 25, Seats: 2, Matches: 21_750, Jobs: 1, Trials: 45, Seconds: 2400,
		},
		"G: swiss, 9 bots × 4 rounds × 1 case × both orders = 32 matches, about a second, 8 at a time\na: crash on 01: it ended\n": {
			Format: "swiss", Bots: 9, Rounds: 4, Cases: 1, Seats: 2, Matches: 32, Jobs: 8, Trials: 5, Seconds: 0.3, Wrong: []Wrong{{"a", "crash on 01: it ended"}},
		},
		"G: round-robin, 5 bots × 1,000 cases (25, repeated) at tables of 4 = up to 1 match; the test ends them when it has decided, or the bots play the same again on every case\nNo match was played on trial.\n": {
			Format: "round-robin", Bots: 5, Cases: 1000, Distinct: 25, Seats: 4, Matches: 1, UpTo: true,
		},
	} {
		var b bytes.Buffer
		f.Title = "G"
		f.Print(NewPrinter(&b))
		if b.String() != want {
			t.Errorf("found %q, expected %q", b.String(), want)
		}
	}
}
