package session

import (
	"strings"
	"testing"
	"time"

	"umpire/protocols/catalog"
	"umpire/referee/stall"
)

// TestCalmCheck: it names the games whose budgets the machine is too busy for.
func TestCalmCheck(t *testing.T) {
	budgets := map[string]time.Duration{"chess": time.Second, "go": 50 * time.Millisecond}
	for _, c := range []struct {
		q    stall.Quiet
		ok   bool
		says string
	}{
		{stall.Quiet{Waited: 0.01, Longest: 2 * time.Millisecond}, true, "on 2 CPUs waited 1 % of the time, up to 2ms at once"},
		{stall.Quiet{Waited: 0.1, Longest: 20 * time.Millisecond}, false, "at once; too much for go (0.050 s)"},
		{stall.Quiet{Waited: 0.7, Longest: time.Millisecond}, false, "; too much for chess (1.000 s); too much for go"},
	} {
		got := calmCheck(c.q, 2, budgets)
		if got.OK != c.ok || !strings.Contains(got.Found, c.says) {
			t.Errorf("%+v: found %v, %q, expected %v, %q", c.q, got.OK, got.Found, c.ok, c.says)
		}
	}
}

// TestBudgets: each game's own budget is known, or it has none of wall time.
func TestBudgets(t *testing.T) {
	budgets := gameBudgets(catalog.Games())
	for name, budget := range budgets {
		if budget < time.Millisecond || budget > time.Hour {
			t.Errorf("%s has a budget of %v", name, budget)
		}
	}
	if len(budgets) == 0 {
		t.Error("found no game with a budget of wall time")
	}
}
