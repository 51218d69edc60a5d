package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"umpire/protocols"
	"umpire/referee"
	"umpire/referee/arena"
	"umpire/referee/report"
	"umpire/referee/sandbox"
	"umpire/referee/stall"
)

// CheckMemory compares the memory that is left with what the matches of each game may
// take that are played concurrently: their limit times seats times jobs.
func CheckMemory(games []protocols.Game) sandbox.Check {
	used, most := sandbox.MemoryInUse()
	left := max(0, most-used)
	check := sandbox.Check{
		Name: "memory", OK: true, Found: fmt.Sprintf("%s left of %s", mebibytes(left), mebibytes(most)),
		Means: "the concurrent matches of a game fit with all that their bots may take; otherwise fewer are played",
		Get:   "end other programs, use a machine or a group with more memory, or a lower --memory",
	}
	for _, g := range games {
		example := exampleOf(g)
		if example == nil {
			continue
		}
		seats := g.MaxSeats
		jobs := arena.LoadOf(g, "", seats).Jobs(freeCPUs())
		if need := example.Limits(seats).Memory * int64(seats*jobs); most > 0 && need > left {
			check.OK = false
			check.Found += fmt.Sprintf("; %s may take %s", g.Name, mebibytes(need))
		}
	}
	return check
}

// calmTime is how long the machine is measured.
const calmTime = 3 * time.Second

// CheckCalm finds out, in 3 s, whether contestants would wait for CPUs.
func CheckCalm(games []protocols.Game) sandbox.Check {
	cpus := max(1, freeCPUs())
	return calmCheck(stall.Measure(cpus, calmTime), cpus, gameBudgets(games))
}

// exampleOf returns a case of a game; nil if none can be generated.
func exampleOf(g protocols.Game) protocols.Case {
	if len(g.Groups) == 0 {
		return nil
	}
	example, err := g.Generate(g.Groups[0], 1)
	if err != nil {
		return nil
	}
	return example
}

// gameBudgets returns the games' own budgets of wall time, by game.
func gameBudgets(games []protocols.Game) map[string]time.Duration {
	budgets := make(map[string]time.Duration)
	for _, g := range games {
		example := exampleOf(g)
		if example == nil {
			continue
		}
		limits := example.Limits(g.MinSeats)
		if budget := cmp.Or(limits.PerMove, limits.Time); budget > 0 && !limits.CPU {
			budgets[g.Name] = budget
		}
	}
	return budgets
}

// calmCheck says what was measured on so many CPUs, and for which budgets that is
// too much.
func calmCheck(q stall.Quiet, cpus int, budgets map[string]time.Duration) sandbox.Check {
	check := sandbox.Check{
		Name: "quiet", OK: true,
		Found: fmt.Sprintf("programs that compute on %s waited %.0f %% of the time, up to %s at once",
			report.Plural(cpus, "CPU"), 100*q.Waited, q.Longest.Round(time.Millisecond/10)),
		Means: "bots are not late because of other programs, which would make their matches void",
		Get:   "end other programs, lower --jobs, raise --time or use --clock cpu",
	}
	for _, name := range slices.Sorted(maps.Keys(budgets)) {
		if budget := budgets[name]; !q.Affords(budget) {
			check.OK = false
			check.Found += fmt.Sprintf("; too much for %s (%s)", name, referee.Seconds(budget))
		}
	}
	return check
}

// Memory is that of this machine, for matches whose limits are not known before.
func (m *Machine) Memory() *arena.Memory {
	return &arena.Memory{Short: func(need, left int64) {
		m.Tell.Warn("umpire: fewer matches at a time: %s of memory are left, and the contestants of one may take %s\n", mebibytes(left), mebibytes(need))
	}}
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }
