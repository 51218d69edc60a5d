package report

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestBestOfLog: of the tests on the same cases the first with the most points is the best;
// none is where nobody earned any.
func TestBestOfLog(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 4, 0, 0, time.UTC)
	for want, scores := range map[string][]float64{
		"4  6 best  6  2": {4, 6, 6, 2},
		"0  0":            {0, 0},
		"6":               {6},
	} {
		var log TestLog
		for i, score := range scores {
			one := LoggedTest{Date: now.Add(time.Duration(i) * time.Second), Game: "toy", Set: "s", Score: score}
			log.Tests = append([]LoggedTest{one}, log.Tests...)
		}
		var b bytes.Buffer
		log.Print(NewPrinter(&b))
		var found []string
		for line := range strings.Lines(b.String()) {
			_, total, ok := strings.Cut(line, "0/0")
			if words := strings.Fields(total); ok {
				found = append([]string{strings.Join(words, " ")}, found...)
			}
		}
		if got := strings.Join(found, "  "); got != want {
			t.Errorf("found %q, expected %q", got, want)
		}
	}
}
